import { waitedMs } from "../waited.ts";

/** A text that can be made as long as one likes. */
export interface Growing {
  before: string;
  piece: string;
  after: string;
}

/** What is wrong with the time that a function takes. */
export interface Slow {
  what: "super-linear" | "dear";
  /** Bytes of repeated pieces, and the least time measured, ms. */
  times: { bytes: number; ms: number }[];
}

/**
 * For 4 times the input linear work takes 4 times as long, quadratic 16 times. Work that allocates was seen to
 * take 9 times as long, twice in a row, because of the collector of garbage.
 */
const suspicious = 7;
const steepest = 10;
/** Below this the clock and the collector decide. */
const leastMs = 1;
/** Mail is read at a millisecond for 30 KiB; at this price 5 MiB take longer than a worker has, however it grows. */
const dearestMsPerKiB = 1;
const dearestMs = 20;
const sizes = [2, 8, 32, 128].map((kib) => kib * 1024);

/**
 * Whether a function takes more than linear time in the repetitions of a piece, or far too much at once.
 * Looks at four sizes; where one is suspicious, measures again around it, the least of several times each:
 * noise makes no alarm, and neither does work that a limit ends, or that outgrows a cache once.
 */
export async function slowness(
  run: (text: string) => unknown,
  growing: Growing,
): Promise<Slow | null> {
  let before: number | null = null;
  for (const bytes of sizes) {
    const ms = await time(run, growing, bytes);
    const steep = before !== null && ms > leastMs && ms > before * suspicious;
    const dear = ms > dearestFor(bytes);
    if (steep || dear) {
      const slow = await confirmed(run, growing, bytes);
      if (slow) return slow;
    }
    before = ms;
  }
  return null;
}

async function confirmed(
  run: (text: string) => unknown,
  growing: Growing,
  bytes: number,
): Promise<Slow | null> {
  const times: Slow["times"] = [];
  for (const part of [bytes / 4, bytes, bytes * 4]) {
    times.push({ bytes: part, ms: await leastTime(run, growing, part) });
    // Four times the input may take sixteen times as long: what was seen is enough.
    if (times[times.length - 1].ms > 100) break;
  }
  const whole: Slow["times"][number] | undefined = times[1];
  const steep = whole !== undefined && whole.ms > leastMs &&
    times.every(({ ms }, n) => n === 0 || ms > times[n - 1].ms * steepest);
  if (steep) return { what: "super-linear", times };
  const dear = times.some((each) => each.ms > dearestFor(each.bytes));
  return dear ? { what: "dear", times } : null;
}

function dearestFor(bytes: number): number {
  return dearestMs + dearestMsPerKiB * bytes / 1024;
}

/** The least of five times, or of as many as half a second has room for. */
async function leastTime(
  run: (text: string) => unknown,
  growing: Growing,
  bytes: number,
): Promise<number> {
  const until = performance.now() + 500;
  let least = Infinity;
  for (let n = 0; n < 5 && (n === 0 || performance.now() < until); n++) {
    least = Math.min(least, await time(run, growing, bytes));
  }
  return least;
}

async function time(
  run: (text: string) => unknown,
  growing: Growing,
  bytes: number,
): Promise<number> {
  const text = grown(growing, bytes);
  const from = performance.now(), waitedBefore = waitedMs();
  await run(text);
  return Math.max(0, performance.now() - from - (waitedMs() - waitedBefore));
}

/** The text with so many bytes of repeated pieces. */
export function grown({ before, piece, after }: Growing, bytes: number): string {
  return before + piece.repeat(Math.max(1, Math.floor(bytes / piece.length))) + after;
}
