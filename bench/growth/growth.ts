// `deno task bench growth`: what becomes slower or larger as stored mail grows.
import type { ArgsDef } from "citty";
import { type Figure, figureOf } from "../figure.ts";
import { benchMessages } from "../mail.ts";
import { type BenchOptions, numberOf } from "../options.ts";
import { startService } from "../process.ts";
import { inTurn } from "../sides.ts";
import { type Filled, type Filling, fillStore } from "./fill.ts";
import { GrownStore, measuresOf } from "./measures.ts";

export const description =
  "Arrivals, pages, a thread, searches, start and memory at 10,000 emails and at more, of one account and of 10,000; five rounds";
export const options = {
  emails: { type: "string", description: "the largest store; default 100,000" },
  store: { type: "string", description: "folder that keeps the filled stores for the next run" },
  shape: {
    type: "enum",
    options: ["one", "many"],
    description: "one account, or many; default: both",
  },
} satisfies ArgsDef;

const smallest = 10_000;

/** Stores of each size are filled first; then their services run at the same time and are measured in turn. */
export async function run(
  options: BenchOptions & { emails?: string; store?: string; shape?: string },
): Promise<Figure[]> {
  const { rounds = 5, say } = options;
  const messages = await benchMessages(options);
  const sizes = sizesUpTo(numberOf("--emails", options.emails) ?? 10 * smallest);
  const folder = options.store ?? await Deno.makeTempDir();
  try {
    const figures: Figure[] = [];
    for (const shape of options.shape ? [options.shape] : ["one", "many"]) {
      const accounts = shape === "one" ? 1 : sizes[0];
      const dirs: string[] = [];
      for (const emails of sizes) {
        const dir = `${folder}/${shape}-${emails}`;
        dirs.push(dir);
        const threadLength = accounts === 1 ? sizes[0] : 0;
        await filledAt(dir, messages, { emails, accounts, threadLength }, say);
      }
      const who = shape === "one" ? "one account" : `${shown(accounts)} accounts`;
      figures.push(...await measured(dirs, sizes, who, messages, rounds, say));
    }
    return figures;
  } finally {
    if (!options.store) await Deno.remove(folder, { recursive: true });
  }
}

/** 10,000, then ten times the size before; if `largest` is smaller, it is compared with a tenth of it. */
function sizesUpTo(largest: number): number[] {
  const sizes = [Math.min(smallest, Math.ceil(largest / 10))];
  while (sizes.at(-1)! < largest) sizes.push(Math.min(largest, sizes.at(-1)! * 10));
  return sizes;
}

/** Facts that are kept next to a filled store. */
interface FilledStore extends Filled {
  /** Bytes of its files, as a share of the bytes of the messages. */
  diskRatio: number;
}

/** Fills a store unless its folder has one. */
async function filledAt(
  dir: string,
  messages: Uint8Array[],
  filling: Filling,
  say: BenchOptions["say"],
): Promise<void> {
  if (await Deno.stat(noteOf(dir)).then(() => true, () => false)) return;
  await Deno.remove(dir, { recursive: true }).catch(() => {});
  await Deno.mkdir(dir, { recursive: true });
  const what = `${shown(filling.emails)} emails of ${shown(filling.accounts)} accounts`;
  const startedAt = performance.now();
  let told = startedAt;
  const filled = await fillStore(dir, messages, filling, (stored) => {
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    say(`filling: ${shown(stored)} of ${what}`);
  });
  let bytes = 0;
  for await (const { name } of Deno.readDir(dir)) bytes += (await Deno.stat(`${dir}/${name}`)).size;
  const note: FilledStore = { ...filled, diskRatio: bytes / filled.rawBytes };
  await Deno.writeTextFile(noteOf(dir), JSON.stringify(note));
  const rate = filling.emails / (performance.now() - startedAt) * 1_000;
  say(`filled ${what}, ${rate.toFixed(0)}/s`);
}

function noteOf(dir: string): string {
  return `${dir}/filled.json`;
}

async function measured(
  dirs: string[],
  sizes: number[],
  who: string,
  messages: Uint8Array[],
  rounds: number,
  say: BenchOptions["say"],
): Promise<Figure[]> {
  const starts = dirs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const dir of inTurn(dirs, round)) {
      await using server = await startService({ kept: dir });
      starts[dirs.indexOf(dir)].push(server.startMs);
    }
  }
  await using stores = new AsyncDisposableStack();
  const grown: GrownStore[] = [];
  const disk: number[][] = [];
  for (const [n, dir] of dirs.entries()) {
    const filled: FilledStore = JSON.parse(await Deno.readTextFile(noteOf(dir)));
    disk.push([filled.diskRatio]);
    const server = stores.use(await startService({ kept: dir }));
    grown.push(stores.use(new GrownStore(server, filled, sizes[n], messages)));
  }
  const measures = measuresOf(shown(sizes[0]));
  const idle = grown.map(({ server }) => [server.residentMB()]);
  const values = new Map(measures.map(([name]) => [name, grown.map((): number[] => [])]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of measures) {
      for (const store of inTurn(grown, round)) {
        const value = await measure(store);
        if (value !== null) values.get(name)![grown.indexOf(store)].push(value);
      }
    }
    say(`${who}: round ${round + 1} of ${rounds}`);
  }
  const busy = grown.map(({ server }) => [server.residentMB()]);
  const table: [string, string, number[][]][] = [
    ["start until the first answer", "ms", starts],
    ...measures.map(([name]): [string, string, number[][]] => [name, "ms", values.get(name)!]),
    ["resident after the start", "MB", idle],
    ["resident after all of it", "MB", busy],
    ["store and index, of the raw bytes", "times", disk],
  ];
  return table.flatMap(([name, unit, [least, ...larger]]) =>
    larger.flatMap((ours, n) =>
      ours.length === 0 ? [] : figureOf(
        `${who}, ${shown(sizes[n + 1])} emails compared with ${shown(sizes[0])}: ${name}`,
        unit,
        { ours, bare: least },
      )
    )
  );
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
