import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that are on no floor: nothing of the service imports them. */
const besides = new Set([
  "tests",
  "bench",
  "docs",
  "examples",
  "sdk",
  "deploy",
  "site",
  "node_modules",
]);

/** Every source file of the service: its path from the root and its text. */
export async function sourceFiles(folder = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || (folder === "" && besides.has(entry.name))) continue;
    if (entry.isDirectory) {
      for (const each of await sourceFiles(path)) found.set(...each);
    } else if (/\.tsx?$/.test(entry.name)) {
      found.set(path, await Deno.readTextFile(join(root, path)));
    }
  }
  return found;
}

const statement = /^(?:import|export)\s+(type\s+)?([^"';]*?)\bfrom\s*"(\.[^"]+)"/gm;
const sideEffect = /^import\s*"(\.[^"]+)"/gm;
const dynamic = /\bimport\(\s*"(\.[^"]+)"/g;
/** A worker is started by URL, so it is an import as well. */
const byUrl = /\bnew URL\(\s*"(\.[^"]+\.tsx?)",\s*import\.meta\.url/g;

/** The files that a file imports, as paths from the root: values and types, or values alone. */
export function importsOf(path: string, text: string, what: "all" | "values" = "all"): string[] {
  const specifiers: string[] = [];
  for (const [, type, clause, specifier] of text.matchAll(statement)) {
    if (what === "all" || (!type && !isTypesAlone(clause))) specifiers.push(specifier);
  }
  for (const pattern of [sideEffect, dynamic, byUrl]) {
    for (const [, specifier] of text.matchAll(pattern)) specifiers.push(specifier);
  }
  return specifiers.map((each) => normalize(join(dirname(path), each)));
}

function isTypesAlone(clause: string): boolean {
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1].split(",").map((each) => each.trim());
  return Boolean(names?.some(Boolean)) && names!.every((each) => !each || each.startsWith("type "));
}
