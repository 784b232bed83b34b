// deno task bench [arrivals|reads|lists|webhooks|search|auth|heavy] [--mail DIR] [--json FILE] [--rounds N]
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";

const benches: Record<string, () => Promise<{ run(args: string[]): Promise<Figure[]> }>> = {
  arrivals: () => import("./arrivals.ts"),
  reads: () => import("./reads.ts"),
  lists: () => import("./lists.ts"),
  webhooks: () => import("./webhooks.ts"),
  search: () => import("./search.ts"),
  auth: () => import("./auth.ts"),
  heavy: () => import("./heavy.ts"),
};

if (import.meta.main) {
  const [first, ...rest] = Deno.args;
  const named = first !== undefined && Object.hasOwn(benches, first);
  const args = named ? rest : Deno.args;
  const { values } = parseArgs({
    args,
    options: { json: { type: "string" } },
    strict: false,
    allowPositionals: true,
  });
  const figures: Figure[] = [];
  for (const name of named ? [first] : Object.keys(benches)) {
    figures.push(...await (await benches[name]()).run(args));
  }
  printTable(figures);
  if (typeof values.json === "string") {
    await Deno.writeTextFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
}

function printTable(figures: Figure[]): void {
  const round = (value: number) => value >= 100 ? value.toFixed(0) : value.toFixed(2);
  const rows = figures.map(({ name, ours, bare, unit, note }) => [
    name,
    `${round(ours)} ${unit}`,
    bare === undefined ? "" : `${round(bare)} ${unit}`,
    bare === undefined ? "" : (ours / bare).toFixed(2),
    note ?? "",
  ]);
  console.log("| what | ours | bare | ratio | |\n| --- | --- | --- | --- | --- |");
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}
