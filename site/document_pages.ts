import { dirname, join, normalize, relative } from "node:path";
import { pages } from "./navigation.ts";

/** A block of code, a link (`!` before a picture; its text can have code in it), or code in a line. */
const pieces = /(^```[^]*?^```)|(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)|`[^`\n]*`/gm;

export interface Places {
  /** The folder of the project. */
  root: string;
  /** Where the pages are written. */
  folder: string;
  /** The address of the repository; without it what is no page stands there without a link. */
  repository?: string;
}

/** Writes the page of each document, with links between pages. Throws if a link leads to no file. */
export async function writeDocumentPages(places: Places): Promise<void> {
  for (const [document, page] of Object.entries(pages)) {
    const text = await Deno.readTextFile(join(places.root, document));
    const file = join(places.folder, `${page}.md`);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, await linked(text, document, places));
  }
}

async function linked(text: string, document: string, places: Places): Promise<string> {
  const found = [...text.matchAll(pieces)];
  const targets = await Promise.all(
    found.map(([, , , , target]) => target && targetOf(target, document, places)),
  );
  return text.replace(pieces, (whole, block, picture, shown, target) => {
    const to = targets.shift();
    // The generator would take this for a template.
    if (!block && target === undefined && whole.includes("{{")) return verbatim(whole.slice(1, -1));
    if (block || target === undefined || to === target) return whole;
    return to === null ? shown : `${picture}[${shown}](${to})`;
  });
}

const verbatim = (code: string) =>
  `<code v-pre>${code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code>`;

/** Where a link of a document leads on the site; null if nowhere. A picture is copied. */
async function targetOf(target: string, document: string, places: Places): Promise<string | null> {
  if (/^(#|[a-z]+:)/.test(target)) return target;
  const [path, anchor] = target.split("#");
  const file = normalize(join(dirname(document), path));
  const { isFile } = await Deno.stat(join(places.root, file));
  const from = dirname(pages[document]);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (file in pages) return `./${relative(from, pages[file])}.md${hash}`;
  if (/\.(png|svg)$/.test(file)) {
    await Deno.copyFile(join(places.root, file), join(places.folder, file.split("/").pop()!));
    return `./${relative(from, file.split("/").pop()!)}`;
  }
  if (!places.repository) return null;
  return `${places.repository}/${isFile ? "blob" : "tree"}/main/${file}${hash}`;
}
