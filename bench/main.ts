// deno task bench [NAME ...] [--mail DIR] [--json FILE] [--rounds N] [--compare CHECKOUT]; --help lists the benchmarks
import type { ArgsDef } from "citty";
import { type Command, command, runCommandLine, UsageError } from "../commands/command_line.ts";
import { type Figure, printTable } from "./figure.ts";
import { benchMessages } from "./mail.ts";
import { type BenchOptions, type CommonArgs, commonOptions, readOptions } from "./options.ts";

interface Bench {
  description: string;
  /** Options besides the common ones. */
  options?: ArgsDef;
  /** Whether it can compare this checkout with another one. */
  comparable?: boolean;
  run(options: BenchOptions): Promise<Figure[]>;
}

/** Loaded when needed, because each imports the code that it measures. */
const benches: Record<string, () => Promise<Bench>> = {
  arrivals: () => import("./arrivals.ts"),
  reads: () => import("./reads.ts"),
  growth: () => import("./growth/growth.ts"),
  search: () => import("./search/search.ts"),
  instances: () => import("./instances.ts"),
  costs: () => import("./costs.ts"),
};

/** Runs the named benchmarks one after another, or all of them if none is named. */
async function measure(names: string[], given: CommonArgs): Promise<void> {
  const options = { ...given, ...await readOptions(given) };
  const chosen = names.length > 0 ? names : Object.keys(benches);
  const loaded: [string, Bench][] = [];
  for (const name of chosen) {
    const bench = await benches[name]();
    if (!options.compare || bench.comparable) loaded.push([name, bench]);
    else if (names.length > 0) throw new UsageError(`${name} cannot compare two checkouts`);
  }
  // Read before the first benchmark, so that a folder without mail is refused at once.
  if (options.mail !== undefined) await benchMessages(options);
  const figures: Figure[] = [];
  const startedAt = performance.now();
  for (const [name, bench] of loaded) {
    const say = (text: string) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      console.error(`[${seconds.toFixed(0).padStart(4)} s] ${name}: ${text}`);
    };
    say(bench.description);
    try {
      const measured = await bench.run({ ...options, say });
      if (measured.length === 0) say(`needs an option: deno task bench ${name} --help`);
      figures.push(...measured);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // The other benchmarks took minutes, so their figures are still shown.
      console.error(error);
      Deno.exitCode = 1;
    }
  }
  printTable(figures, options.compare ?? "compared with");
  if (given.json) await Deno.writeTextFile(given.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** The command for the named benchmarks; a further name adds a benchmark. */
async function several(names: string[]): Promise<Command> {
  const chosen = await Promise.all(names.map((name) => benches[name]()));
  const args: ArgsDef = Object.assign({}, ...chosen.map(({ options }) => options), commonOptions);
  return command({
    // The help of the command before lists this one among those that can follow.
    description: chosen.at(-1)!.description,
    args,
    commands: furtherThan(names),
    run: (given) => measure(names, given as CommonArgs),
  });
}

function furtherThan(names: string[]): Command["commands"] {
  const others = Object.keys(benches).filter((name) => !names.includes(name));
  return Object.fromEntries(others.map((name) => [name, () => several([...names, name])]));
}

export const all = command({
  description: "Benchmarks, compared with the bare work: all of them, or those that are named",
  args: commonOptions,
  commands: furtherThan([]),
  run: (given) => measure([], given),
});

if (import.meta.main) await runCommandLine("deno task bench", all, Deno.args);
