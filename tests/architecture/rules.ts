import { floorOf } from "./floors.ts";
import { importsOf } from "./imports.ts";

/** These name types of every floor: what the service is made of, and the records of the API. */
const free = ["domain/core/service.ts", "dashboard/types.ts"];

/** Imports of a floor that the importing floor may not use, and files that are on no floor. */
export function wrongImports(files: Map<string, string>): string[] {
  const wrong: string[] = [];
  for (const [path, text] of files) {
    const floor = floorOf(path);
    if (!floor) {
      wrong.push(`${path} is on no floor`);
      continue;
    }
    for (const target of importsOf(path, text, free.includes(path) ? "values" : "all")) {
      const below = floorOf(target);
      if (below === floor || (below && floor.uses.includes(below.name))) continue;
      wrong.push(`${path} -> ${target}: ${floor.name} may not use ${below?.name ?? "it"}`);
    }
  }
  return wrong;
}

/** Circles of files, in domain/ of their types too, each as the path that leads back to its first file. */
export function circles(files: Map<string, string>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string) => {
    if (done.has(path) || !files.has(path)) return;
    const at = trail.indexOf(path);
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(" -> "));
      return;
    }
    trail.push(path);
    const isWhole = path.startsWith("domain/") && !free.includes(path);
    for (const target of importsOf(path, files.get(path)!, isWhole ? "all" : "values")) {
      visit(target);
    }
    trail.pop();
    done.add(path);
  };
  for (const path of files.keys()) visit(path);
  return found;
}

/** What only some files may do. */
const reserved: readonly { text: RegExp; isAllowed(path: string): boolean }[] = [
  {
    // Time and randomness come from the Service.
    text:
      /\bDate\.now\(\)|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\brandomUUID\(|\bgetRandomValues\(|\bset(?:Timeout|Interval)\(/,
    isAllowed: (path) =>
      path.startsWith("adapters/") || path.startsWith("dashboard/") ||
      path === "domain/core/clock.ts" || path === "domain/core/ids.ts",
  },
  {
    // A command reads its own environment.
    text: /\bDeno\.env\b|\bprocess\.env\b/,
    isAllowed: (path) => path.startsWith("commands/") || path === "domain/core/settings.ts",
  },
  {
    // A key that is written where it is used.
    text: /\b(?:get|peek|set|delete|add)(?:<[^()]*>)?\(\s*\["|\b(?:key|prefix|start|end): \["/,
    isAllowed: (path) =>
      path === "domain/store/keys.ts" || path.startsWith("domain/store/tables/") ||
      path.startsWith("dashboard/"),
  },
];

/** Files that read the time or the environment, use randomness or build a key, and may not. */
export function reservedUses(files: Map<string, string>): string[] {
  return [...files].flatMap(([path, text]) =>
    reserved.flatMap((each) => {
      const found = each.isAllowed(path) ? null : each.text.exec(text);
      return found ? [`${path}: ${found[0]}`] : [];
    })
  );
}
