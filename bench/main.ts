// deno task bench [NAME] [--mail DIR] [--json FILE] [--rounds N]; --help lists the benchmarks
import type { ArgsDef, ParsedArgs } from "citty";
import { type Command, command, runCommandLine } from "../commands/command_line.ts";
import type { Figure } from "./figure.ts";
import { type BenchOptions, commonOptions, numberOf } from "./options.ts";

interface Bench {
  description: string;
  /** Options besides the common ones. */
  options?: ArgsDef;
  run(options: BenchOptions): Promise<Figure[]>;
}

/** Loaded when asked for: each imports what it measures. */
const benches: Record<string, () => Promise<Bench>> = {
  arrivals: () => import("./arrivals.ts"),
  reads: () => import("./reads.ts"),
  lists: () => import("./lists.ts"),
  webhooks: () => import("./webhooks.ts"),
  search: () => import("./search.ts"),
  auth: () => import("./auth.ts"),
  heavy: () => import("./heavy.ts"),
};

async function measure(names: string[], given: ParsedArgs<typeof commonOptions>): Promise<void> {
  const options = { ...given, rounds: numberOf("--rounds", given.rounds) };
  const figures: Figure[] = [];
  for (const name of names) {
    const measured = await (await benches[name]()).run(options);
    if (measured.length === 0) {
      console.error(`${name} needs an option: deno task bench ${name} --help`);
    }
    figures.push(...measured);
  }
  printTable(figures);
  if (given.json) await Deno.writeTextFile(given.json, `${JSON.stringify(figures, null, 2)}\n`);
}

async function one(name: string): Promise<Command> {
  const { description, options } = await benches[name]();
  const args = { ...options, ...commonOptions };
  return command({ description, args, run: (given) => measure([name], given) });
}

export const all = command({
  description: "Benchmarks, beside the bare work: all of them, or one",
  args: commonOptions,
  commands: Object.fromEntries(Object.keys(benches).map((name) => [name, () => one(name)])),
  run: (given) => measure(Object.keys(benches), given),
});

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

if (import.meta.main) await runCommandLine("deno task bench", all, Deno.args);
