import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };

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

Deno.test("every link of a document leads to a file that exists, and to a heading of it", async () => {
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
  assert.ok(links > 100, `${links} links`);
  assert.deepEqual(broken, []);
});

Deno.test("docs/commands.md has the tasks of deno.json, and no other", async () => {
  const text = await Deno.readTextFile(join(root, "docs/commands.md"));
  const named = new Set([...text.matchAll(/^\| `deno task ([a-z:]+)/gm)].map(([, name]) => name));
  // A part of another task, which its row names.
  const parts = ["test:browser", "test:remote:part", "picture"];
  const tasks = Object.keys(config.tasks).filter((name) => !parts.includes(name));
  assert.deepEqual([...named].sort(), tasks.sort());
});

Deno.test("README.md has at most 1,400 words, CHANGELOG.md 500", async () => {
  for (const [file, most] of [["README.md", 1_400], ["CHANGELOG.md", 500]] as const) {
    const words = (await Deno.readTextFile(join(root, file))).split(/\s+/).filter(Boolean);
    assert.ok(words.length <= most, `${file}: ${words.length} words`);
  }
});
