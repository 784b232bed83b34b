import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Not of this project, or made by programs. */
const skipped = [".git", "node_modules", "coverage", ".data", "fixtures", "dist"];

async function documents(folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(root, folder))) {
    if (skipped.includes(name)) continue;
    if (isDirectory) found.push(...await documents(join(folder, name)));
    else if (name.endsWith(".md")) found.push(join(folder, name));
  }
  return found;
}

/** A text without its code. */
const prose = (text: string) => text.replace(/^```[^]*?^```/gm, "").replace(/`[^`\n]*`/g, "code");

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, heading]) =>
      heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

/** The number of links between the documents of the project, and those that lead to no file or to no heading of it. */
export async function linksOfDocuments(): Promise<{ links: number; broken: string[] }> {
  const broken: string[] = [];
  let links = 0;
  for (const file of await documents()) {
    const text = await Deno.readTextFile(join(root, file));
    for (const [, target] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links++;
      const [path, anchor] = target.split("#");
      const to = path === "" ? file : normalize(join(dirname(file), path));
      const isThere = await Deno.stat(join(root, to)).then(() => true, () => false);
      if (!isThere) broken.push(`${file}: ${target}`);
      else if (anchor !== undefined && to.endsWith(".md")) {
        const anchors = anchorsOf(await Deno.readTextFile(join(root, to)));
        if (!anchors.has(anchor)) broken.push(`${file}: ${target}`);
      }
    }
  }
  return { links, broken };
}
