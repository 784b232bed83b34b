import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { accountsIn, removeRows } from "../store/row_ranges.ts";

/** What is counted: mail in, out and imported, webhook deliveries that ended, searches. */
export type Counted = "received" | "sent" | "imported" | "delivered" | "failed" | "searches";

const hourMs = 3_600_000;

/** The steps by which it is counted. */
export const steps = {
  hour: { ms: hourMs, keptMs: 32 * 24 * hourMs },
  day: { ms: 24 * hourMs, keptMs: 800 * 24 * hourMs },
} as const;
export type Step = keyof typeof steps;
export const stepNames = Object.keys(steps) as Step[];

/** Counts one of `what` at `now` in the caller's commit: in its hour and its day (UTC). */
export function countActivity(
  tx: Pick<Tx, "add">,
  userId: string,
  what: Counted,
  now: number,
): void {
  add(tx, userId, what, 0, now);
}

/** Counts a search by its duration, ten steps to a decade, in the caller's commit. */
export function countSearchTime(
  tx: Pick<Tx, "add">,
  userId: string,
  tookMs: number,
  now: number,
): void {
  add(tx, userId, "took", bucketOf(tookMs), now);
}

function add(tx: Pick<Tx, "add">, userId: string, what: string, part: number, now: number): void {
  for (const step of stepNames) {
    tx.add(keys.activity(userId, step, startOf(step, now), what, part), 1);
  }
}

/** The start of the hour or day (UTC) of a time, ms since 1970. */
export function startOf(step: Step, at: number): number {
  return Math.floor(at / steps[step].ms) * steps[step].ms;
}

/** The counts of one hour or day. */
export interface ActivityOfStep extends Record<Counted, number> {
  /** Its start, ms since 1970. */
  at: number;
  /** 95 % of its searches took at most this many ms, rounded up by at most 26 %; null without a search. */
  searchP95Ms: number | null;
}

/**
 * The counts of every step, from the one that contains `from` to the last one before `to`. Steps that are no longer
 * kept are left out. Reads one row for each number that is not 0.
 */
export async function readActivity(
  database: Pick<Database, "list">,
  userId: string,
  { step, from, to, now }: { step: Step; from: number; to: number; now: number },
): Promise<ActivityOfStep[]> {
  const counts = new Map<number, ActivityOfStep>();
  const times = new Map<number, Map<number, number>>();
  const { ms, keptMs } = steps[step];
  const first = Math.max(startOf(step, from), startOf(step, now - keptMs) + ms);
  if (first >= to) return [];
  for (let at = first; at < to; at += ms) {
    counts.set(at, {
      ...{ at, received: 0, sent: 0, imported: 0, delivered: 0, failed: 0, searches: 0 },
      searchP95Ms: null,
    });
  }
  const range = keys.range(keys.activities(userId, step), { start: first, end: to });
  for await (const { key, value } of database.list<Deno.KvU64>(range)) {
    const [at, what, part] = key.slice(3) as [number, Counted | "took", number];
    const counted = counts.get(at);
    // A damaged row counts nothing.
    if (!counted || !(value instanceof Deno.KvU64)) continue;
    const n = Number(value.value);
    if (what !== "took") counted[what] = n;
    else times.set(at, (times.get(at) ?? new Map()).set(part, n));
  }
  for (const [at, buckets] of times) counts.get(at)!.searchP95Ms = percentile95(buckets);
  return [...counts.values()];
}

/** Ten buckets a decade: a bucket ends 26 % above the one before. */
const bucketsADecade = 10;
/** 100 s: longer searches count here too. */
const lastBucket = 5 * bucketsADecade;

/** The bucket of a time: from 0 (at most 1 ms) to 50. */
function bucketOf(ms: number): number {
  const bucket = Math.ceil(bucketsADecade * Math.log10(Math.max(1, ms)));
  return Math.min(lastBucket, bucket);
}

function percentile95(buckets: ReadonlyMap<number, number>): number | null {
  const inOrder = [...buckets].toSorted(([one], [other]) => one - other);
  const all = inOrder.reduce((sum, [, n]) => sum + n, 0);
  let below = 0;
  for (const [bucket, n] of inOrder) {
    below += n;
    if (below >= 0.95 * all) return Math.round(10 ** (bucket / bucketsADecade));
  }
  return null;
}

/**
 * Removes the counts of hours and days that are no longer kept at `now`, of all accounts. Returns how many. `mayGoOn` is
 * called between two commits.
 */
export async function cutActivity(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  let removed = 0;
  for await (const userId of accountsIn(database, keys.allActivities())) {
    if (!mayGoOn()) break;
    for (const step of stepNames) {
      const old = keys.range(keys.activities(userId, step), { end: now - steps[step].keptMs });
      removed += await removeRows(database, old, mayGoOn);
    }
  }
  return removed;
}
