import { systemClock } from "../domain/core/clock.ts";
import { TookTooLong, within } from "../domain/core/work/within.ts";

/** A busy machine may take seconds; after this time nothing more is expected. */
const longestMs = 20_000;
const shownLines = 30;

/**
 * Calls `look` every 5 ms until it returns something other than false or undefined, and returns that. After 20 s, even
 * if a call of `look` does not end, it throws an error with `what` and the newest lines of `log`.
 */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  log: readonly unknown[] = [],
): Promise<Exclude<Value, false | undefined>> {
  const end = performance.now() + longestMs;
  for (;;) {
    const seen = await bounded(what, Promise.resolve(look()), log, end - performance.now());
    if (seen !== false && seen !== undefined) return seen as Exclude<Value, false | undefined>;
    if (performance.now() > end) throw late(what, log);
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** The result of `work`; after `ms` it throws an error with `what` and the newest lines of `log`. */
export async function bounded<Value>(
  what: string,
  work: Promise<Value>,
  log: readonly unknown[] = [],
  ms = longestMs,
): Promise<Value> {
  return await within(systemClock, work, Math.max(0, ms)).catch((error) => {
    throw error instanceof TookTooLong ? late(what, log) : error;
  });
}

function late(what: string, log: readonly unknown[]): Error {
  const lines = log.slice(-shownLines).map((line) => JSON.stringify(line));
  return new Error([`waited in vain: ${what}`, ...lines].join("\n"));
}
