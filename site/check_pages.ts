import { join } from "node:path";

/**
 * What is wrong with the pages of a folder that is served below `base`: links to nothing, what is loaded from elsewhere,
 * and pages without a heading, which could not be rendered.
 */
export async function faultsOf(folder: string, base: string): Promise<string[]> {
  const files = await filesOf(folder);
  const texts = new Map<string, string>();
  for (const file of files) {
    if (/\.(html|css)$/.test(file)) texts.set(file, await Deno.readTextFile(join(folder, file)));
  }
  const idsOf = (file: string) =>
    new Set([...texts.get(file)?.matchAll(/ id="([^"]+)"/g) ?? []].map(([, id]) => unescaped(id)));
  const ids = new Map(files.map((file) => [file, idsOf(file)]));
  const faults: string[] = [];
  for (const [file, text] of texts) {
    for (
      const [written] of text.matchAll(
        /<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?\/\/[^>]*>|url\(["']?(?:https?:)?\/\/[^)]*\)/g,
      )
    ) {
      faults.push(`${file} loads from elsewhere: ${written}`);
    }
    if (!file.endsWith(".html") || file === "404.html") continue;
    if (!/<h1[ >]/.test(text)) faults.push(`${file} is empty`);
    for (const [, link] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(unescaped(link), `http://site${base}${file}`);
      if (origin !== "http://site") continue;
      const path = decodeURIComponent(pathname).slice(base.length);
      const to = path === "" || path.endsWith("/") ? `${path}index.html` : path;
      const isThere = pathname.startsWith(base) && ids.has(to);
      const anchor = decodeURIComponent(hash.slice(1));
      if (!isThere || (anchor && !ids.get(to)!.has(anchor))) faults.push(`${file}: ${link}`);
    }
  }
  return [...new Set(faults)];
}

const unescaped = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

async function filesOf(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
    if (isDirectory) found.push(...await filesOf(folder, join(below, name)));
    else found.push(join(below, name));
  }
  return found;
}
