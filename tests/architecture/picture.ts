// `deno task picture` draws the floors into CONTRIBUTING.md; a test fails if the drawing is stale.
import { command, runCommandLine } from "../../commands/command_line.ts";
import { type Floor, floors } from "./floors.ts";
import { root } from "./imports.ts";

const start = "<!-- floors: drawn by `deno task picture` -->";
const end = "<!-- end of floors -->";

/** How many floors are below this one, one above the other. */
export function heightOf(floor: Floor): number {
  const below = floor.uses.map((name) => heightOf(floors.find((each) => each.name === name)!));
  return below.length === 0 ? 0 : Math.max(...below) + 1;
}

/** The paths of a floor, in lines of at most 100 characters. */
function pathLines({ paths }: Floor): string[] {
  const lines: string[] = [];
  for (const path of paths) {
    const last = lines.at(-1);
    if (last && last.length + path.length < 100) lines[lines.length - 1] = `${last}  ${path}`;
    else lines.push(path);
  }
  return lines;
}

/** The floors as rows of text, the highest first, each with its content. A floor uses only rows below its own. */
export function picture(): string {
  const highest = Math.max(...floors.map(heightOf));
  const lines: string[] = [];
  for (let level = highest; level >= 0; level--) {
    const row = floors.filter((floor) => heightOf(floor) === level);
    row.forEach((floor, n) => {
      const number = n === 0 ? String(level).padStart(2) : "  ";
      lines.push(`${number} │ ${floor.holds}`, ...pathLines(floor).map((line) => `   │   ${line}`));
    });
  }
  return lines.join("\n");
}

/** CONTRIBUTING.md with the drawing as it should be. */
export function withPicture(text: string): string {
  const from = text.indexOf(start), to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`CONTRIBUTING.md lacks "${start}" or "${end}"`);
  return `${text.slice(0, from)}${start}\n\`\`\`\n${picture()}\n\`\`\`\n${text.slice(to)}`;
}

export const contributing = `${root}CONTRIBUTING.md`;

if (import.meta.main) {
  const program = command({
    description: "Draws the floors into CONTRIBUTING.md",
    run: async () =>
      await Deno.writeTextFile(contributing, withPicture(await Deno.readTextFile(contributing))),
  });
  await runCommandLine("deno task picture", program, Deno.args);
}
