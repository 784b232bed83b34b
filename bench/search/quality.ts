import { cpuUsage } from "node:process";
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";
import { UsageError } from "../../commands/command_line.ts";
import { IndexEngine } from "../../fulltext/index/engine.ts";
import type { Figure } from "../figure.ts";
import { mean, ndcg, pairedTest } from "./measures.ts";
import { plainFts5 } from "./plain_fts5.ts";
import type { Task } from "./tasks.ts";

/** nDCG@10 of every question, and processor time. */
interface Measured {
  gains: number[];
  /** ms an email, and a question. */
  indexMs: number;
  searchMs: number;
}

/**
 * nDCG@10 of each task, compared with the better of two plain FTS5 rankings, in which the subject counts once or twice.
 * The note has p of a paired randomisation test. If another checkout is given, its index is compared too.
 *
 * @throws UsageError if the other checkout has no index.
 */
export async function quality(
  tasks: Task[],
  checkout: string | undefined,
  say: (text: string) => void,
): Promise<Figure[]> {
  const Other = checkout === undefined ? null : await engineOf(checkout);
  const figures: Figure[] = [];
  const beside: Figure[] = [];
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  const plain: Pick<Measured, "gains">[] = [];
  for (const task of tasks) {
    say(`${task.name}: ${task.meaning}`);
    const own = measure(task, IndexEngine);
    ours.push(own);
    const [once, twice] = [1, 2].map((weight) => gainsOf(task, plainFts5(task, weight)));
    const best = { gains: mean(once) > mean(twice) ? once : twice };
    plain.push(best);
    figures.push(compared(`${task.name}, compared with FTS5`, own.gains, best.gains));
    if (!Other) continue;
    const other = measure(task, Other);
    theirs.push(other);
    beside.push(compared(`${task.name}, compared with ${checkout}`, own.gains, other.gains));
  }
  if (tasks.length > 1) {
    figures.push(meanRatio("mean of the ratios, compared with FTS5", figures, ours, plain));
  }
  if (tasks.length > 1 && Other) {
    beside.push(meanRatio(`mean, compared with ${checkout}`, beside, ours, theirs));
  }
  return [...figures, ...beside, ...times(ours, theirs)];
}

type Engine = Pick<IndexEngine, "add" | "search" | "close">;
type EngineClass = new (
  path: null,
  elapsed: () => number,
  fillRandom: (numbers: Uint32Array<ArrayBuffer>) => void,
) => Engine;

async function engineOf(checkout: string): Promise<EngineClass> {
  const module = join(resolve(checkout), "fulltext", "index", "engine.ts");
  try {
    return (await import(pathToFileURL(module).href)).IndexEngine;
  } catch (error) {
    throw new UsageError(
      `--compare ${checkout} is no checkout with a search index: ${(error as Error).message}`,
    );
  }
}

function measure(task: Task, Engine: EngineClass): Measured {
  const index = new Engine(
    null,
    () => performance.now(),
    (numbers) => crypto.getRandomValues(numbers),
  );
  const begun = cpuMs();
  for (let n = 0; n < task.emails.length; n += 64) index.add(task.emails.slice(n, n + 64));
  const filled = cpuMs();
  const gains = gainsOf(
    task,
    (userId, text) =>
      index.search({ userId, text, filters: {}, window: 1_000, wanted: 11 }).hits
        .map(({ emailId }) => emailId),
  );
  const asked = cpuMs();
  index.close();
  return {
    gains,
    indexMs: (filled - begun) / task.emails.length,
    searchMs: (asked - filled) / task.questions.length,
  };
}

function gainsOf(task: Task, search: (userId: string, text: string) => string[]): number[] {
  return task.questions.map(({ userId, text, relevant, asker }) =>
    ndcg(search(userId, text).filter((emailId) => emailId !== asker), relevant)
  );
}

function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}

export function compared(name: string, ours: number[], bare: number[]): Figure {
  const [unit, note] = ["of 100", `${significance(ours, bare)}, ${ours.length} questions`];
  return { name: `nDCG@10: ${name}`, ours: 100 * mean(ours), bare: 100 * mean(bare), unit, note };
}

function significance(ours: number[], bare: number[]): string {
  const p = pairedTest(ours, bare, randomOf(1));
  return `p ${p < 0.001 ? "< 0.001" : p.toFixed(3)}`;
}

/** The mean of the tasks' ratios, with the test over all questions of all tasks. */
export function meanRatio(
  name: string,
  figures: Figure[],
  ours: Pick<Measured, "gains">[],
  bare: Pick<Measured, "gains">[],
): Figure {
  const ratios = figures.map(({ ours, bare }) => ours / bare!);
  const all = [ours, bare].map((measured) => measured.flatMap(({ gains }) => gains));
  const least = Math.min(...ratios).toFixed(3);
  const note = `${mean(ratios).toFixed(3)}, the least ${least}; ${significance(all[0], all[1])}`;
  return { name: `nDCG@10: ${name}`, ours: mean(ratios), unit: "", note };
}

function times(ours: Measured[], theirs: Measured[]): Figure[] {
  return (["indexMs", "searchMs"] as const).map((kind) => ({
    name: `processor time ${kind === "indexMs" ? "to index an email" : "of a search"}`,
    ours: mean(ours.map((each) => each[kind])),
    ...(theirs.length > 0 ? { bare: mean(theirs.map((each) => each[kind])) } : {}),
    unit: "ms",
    note: theirs.length > 0 ? "bare: the other checkout" : "",
  }));
}

/** Random numbers from 0 to 1, the same at each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
