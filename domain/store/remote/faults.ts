import type { Clock } from "../../core/clock.ts";
import { ServiceError, unavailable } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";

/** How long work is retried while a local database is locked or full; after that its callers get 503. */
const localFaultMs = 1_000;
/** The pauses of retries grow to this, for a database that has too many requests. */
const longestPauseMs = 400;

/** Time and randomness for retries. */
export interface RetryParts {
  clock: Pick<Clock, "elapsed" | "after">;
  ids: Pick<Ids, "bytes">;
}

/** SQLite's words for a database that is locked, full or failing: this may end by itself, or a person repairs it. */
const localFaults =
  /locked|busy|full|disk|i\/o|readonly|unable to open|connection|network|timed? ?out|temporar/i;
/**
 * The words of Deno's client for a remote database: an answer that broke off, too many requests, reads or writes that
 * are switched off, a token that is refused. A request that is wrong itself has another status of 4xx, and stays wrong.
 */
const remoteFaults = /^KV Connect failed|disabled|Failed to fetch metadata/i;
const permanentRefusal = /status=4(?!01|03|08|29)\d\d/;

export function isPassingFault(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ServiceError) return false;
  const { message } = error;
  return !permanentRefusal.test(message) &&
    (localFaults.test(message) || remoteFaults.test(message));
}

/** SQLite's words for a file that takes nothing now: of the database, or of the index beside it. */
const storeFaults = /database or disk is full|database is locked|disk i\/o error/i;

/** Whether work failed because the database or the index took nothing, and not because of the work. */
export function isStoreFault(error: unknown): boolean {
  return error instanceof Error && (storeFaults.test(error.message) || isStoreFault(error.cause));
}

/**
 * Runs `work`, and again for `maxFaultMs` while the database is locked, full or has too many requests. Then throws
 * SERVICE_UNAVAILABLE.
 */
export async function faultsToUnavailable<T>(
  parts: RetryParts,
  work: () => Promise<T>,
  maxFaultMs: number = localFaultMs,
): Promise<T> {
  const startedAt = parts.clock.elapsed();
  for (let pauseMs = 80;; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      const left = startedAt + maxFaultMs - parts.clock.elapsed();
      if (left <= 0) {
        throw Object.assign(unavailable("The database is not available."), { cause: error });
      }
      await pause(parts, Math.min(pauseMs / 4, left), Math.min(pauseMs, left));
    }
  }
}

/** Waits a random time, in ms, so that callers which failed together do not retry together. */
export async function pause(
  { clock, ids }: RetryParts,
  leastMs: number,
  mostMs: number,
): Promise<void> {
  const chance = ids.bytes(1)[0] / 256;
  await new Promise<void>((done) => void clock.after(leastMs + chance * (mostMs - leastMs), done));
}
