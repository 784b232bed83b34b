import { ownMs } from "./own_time.ts";

/** Less is the noise of the machine. What is quadratic takes seconds on four times 20,000 characters. */
const leastMs = 10;
/** Four lengths may take this many times what one takes; what is quadratic takes 16 times. */
const mostGrowth = 8;
/** Times are the best of this many runs, so that other work of the machine does not count. */
const mostRuns = 6;

/**
 * Runs `work` on 1, 2 and 4 lengths. Returns null if the times grow no faster than the text, else the times in words: for
 * tests, which choose the worst input of one function. `slowness` is for the fuzzer, which tries any input.
 */
export function slowerThanLinear<Input>(
  length: number,
  inputOf: (length: number) => Input,
  work: (input: Input) => unknown,
): string | null {
  const inputs = [4, 2, 1].map((times) => inputOf(times * length));
  const best = inputs.map(() => Infinity);
  for (let run = 0; run < mostRuns; run++) {
    for (const [n, input] of inputs.entries()) {
      const begun = ownMs();
      work(input);
      best[n] = Math.min(best[n], ownMs() - begun);
      if (best[0] <= mostGrowth * leastMs) return null;
    }
    if (best[0] <= mostGrowth * best[2]) return null;
  }
  return best.toReversed().map((ms) => `${ms.toFixed(1)} ms`).join(", ");
}

/** A text of any length. */
export interface Growing {
  before: string;
  piece: string;
  after: string;
}

/** A function whose time grows too fast or is too long. */
export interface Slow {
  what: "super-linear" | "dear";
  /** Bytes of repeated pieces, and the least time measured, ms. */
  times: { bytes: number; ms: number }[];
}

/**
 * For 4 times the input linear work takes 4 times as long, quadratic work 16 times. Because of the garbage collector,
 * linear work that allocates once took 9 times as long, twice in a row.
 */
const suspicious = 7;
const steepest = 10;
/** Below this, the clock and the garbage collector decide. */
const leastSlowMs = 1;
/** Mail is read at 1 ms for 30 KiB; at this rate 5 MiB take longer than a worker has, even if linear. */
const dearestMsPerKiB = 1;
/** A small text may cost this much on a slow machine, as one that is nothing but possible codes does (35 ms). */
const dearestMs = 40;
const sizes = [2, 8, 32, 128].map((kib) => kib * 1024);

/**
 * Returns whether a function takes more than linear time in the repetitions of a piece, or far too long.
 * Measures four sizes; near a suspicious one it measures again and takes the least of several times. So noise,
 * work that a limit ends, and work that outgrows a cache once are no finding.
 */
export async function slowness(
  run: (text: string) => unknown,
  growing: Growing,
): Promise<Slow | null> {
  let before: number | null = null;
  for (const bytes of sizes) {
    const ms = await time(run, growing, bytes);
    const steep = before !== null && ms > leastSlowMs && ms > before * suspicious;
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
  for (const part of [bytes / 4, bytes, bytes * 4, bytes * 16]) {
    times.push({ bytes: part, ms: await leastTime(run, growing, part) });
    // Four times the input may take sixteen times as long, so this finding is enough.
    if (times[times.length - 1].ms > 100) break;
  }
  const whole: Slow["times"][number] | undefined = times[1];
  const steep = whole !== undefined && whole.ms > leastSlowMs &&
    times.every(({ ms }, n) => n === 0 || ms > times[n - 1].ms * steepest);
  if (steep) return { what: "super-linear", times };
  // The largest is too slow to be measured often enough for that.
  const dear = times.slice(0, 3).some((each) => each.ms > dearestFor(each.bytes));
  return dear ? { what: "dear", times } : null;
}

function dearestFor(bytes: number): number {
  return dearestMs + dearestMsPerKiB * bytes / 1024;
}

/** The least of up to five times, within half a second. */
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
  const from = ownMs();
  await run(text);
  return Math.max(0, ownMs() - from);
}

/** The text with this many bytes of repeated pieces. */
export function grown({ before, piece, after }: Growing, bytes: number): string {
  return before + piece.repeat(Math.max(1, Math.floor(bytes / piece.length))) + after;
}
