import { root } from "../../../architecture/imports.ts";

/** The table of states on top of a life cycle's file: the states after each event, by state and event. */
export async function tableOf(name: string): Promise<Map<string, Map<string, string[]>>> {
  const [events, , ...rows] = (await drawnTable(name)).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  return new Map(rows.map(([state, ...cells]) => [
    state,
    new Map(cells.map((cell, n) => [events[n + 1], cell === "–" ? [] : cell.split(", ")])),
  ]));
}

/** Its lines in Markdown. */
export async function drawnTable(name: string): Promise<string[]> {
  const text = await Deno.readTextFile(`${root}domain/mail/lifecycle/${name}.ts`);
  return text.split("\n").filter((line) => line.startsWith(" * |")).map((line) => line.slice(3));
}
