import type { Service } from "../../../core/service.ts";
import { TimeSlices } from "../../../core/work/time_slices.ts";
import * as keys from "../../../store/keys.ts";
import type { Database } from "../../../store/database.ts";
import type { EmailRow } from "../email_row.ts";
import { rowsByIds } from "../read_email.ts";
import type { Thread } from "./thread_aliases.ts";

/** The most ids of one read. */
const maxIdsAtOnce = 500;
/** The most rows that are decoded and in memory at a time; each has up to 64 KiB. */
const rowsOfSlice = 50;

export interface RowsOfThread {
  threadId: string;
  /** The row of the thread, read before. */
  thread: Thread | null;
  /** Only rows after this date (ms since 1970) and email id; null: from the first. */
  after: readonly [number, string] | null;
  limit: number;
  wanted(row: EmailRow): boolean;
  /** The addresses of recipients that are kept, in characters: no row is kept after the one that exceeds it. */
  mostChars: number;
}

/**
 * The first `limit` rows of a thread that `wanted` accepts, by date and then by arrival, with their excerpts. Messages of
 * threads that are being merged into it are included, once each.
 */
export async function threadRows(
  service: Service,
  userId: string,
  { threadId, thread, after, limit, wanted, mostChars }: RowsOfThread,
): Promise<EmailRow[]> {
  const found = new Map<string, EmailRow>();
  // Messages move to `threadId`, so it is read last: no message is missed during a move.
  for (const id of [...thread?.absorbing ?? [], threadId]) {
    let passed = 0, chars = 0;
    for await (const rows of rowsOfThread(service, userId, id, after, limit)) {
      for (const row of rows) {
        // Asked of every row: it may belong to one before, and then does not count.
        if (!wanted(row) || passed === limit || chars > mostChars) continue;
        found.set(row.emailId, row);
        passed++;
        chars += charsOf(row);
      }
      if (passed === limit || chars > mostChars) break;
    }
  }
  return [...found.values()].sort((a, b) => a.date - b.date || (a.emailId < b.emailId ? -1 : 1))
    .slice(0, limit);
}

/** The characters of a row's recipients: a stranger can make a thousand rows with 16 KB of them. */
export function charsOf({ to }: EmailRow): number {
  return to.reduce((sum, { address }) => sum + address.length, 0);
}

/** The ids of the first emails of a thread by date, at least `limit`, sorted by arrival. */
export async function idsByArrival(
  { database }: Pick<Service, "database">,
  userId: string,
  { threadId, thread }: Pick<RowsOfThread, "threadId" | "thread">,
  limit: number,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const id of [...thread?.absorbing ?? [], threadId]) {
    for await (const places of placesOf(database, userId, id, null, maxIdsAtOnce)) {
      for (const { key } of places) ids.add(String(key.at(-1)));
      if (ids.size >= limit) break;
    }
  }
  return [...ids].sort();
}

/** The rows of one thread in pages. An excerpt is the snippet and the rest, which the thread's range holds. */
async function* rowsOfThread(
  { database, clock }: Pick<Service, "database" | "clock">,
  userId: string,
  threadId: string,
  after: RowsOfThread["after"],
  limit: number,
): AsyncGenerator<EmailRow[]> {
  const slices = new TimeSlices(clock, userId);
  for await (const places of placesOf(database, userId, threadId, after, limit)) {
    const ends = new Map(places.map(({ key, value }) => [String(key.at(-1)), value]));
    for await (const rows of rowsInSlices(database, userId, [...ends.keys()], slices)) {
      yield rows.map((row) => withExcerpt(row, ends.get(row.emailId) ?? ""));
    }
  }
}

/** The rows of those emails that exist, in the order of the ids. */
export async function* rowsInSlices(
  database: Database,
  userId: string,
  emailIds: readonly string[],
  slices: TimeSlices,
): AsyncGenerator<EmailRow[]> {
  for (let n = 0; n < emailIds.length; n += rowsOfSlice) {
    await slices.next();
    yield await rowsByIds(database, userId, emailIds.slice(n, n + rowsOfSlice));
  }
}

/** The places of a thread's emails by date, in pages. */
async function* placesOf(
  database: Database,
  userId: string,
  threadId: string,
  after: RowsOfThread["after"],
  limit: number,
): AsyncGenerator<Deno.KvEntry<string>[]> {
  const prefix = keys.emailsByThread(userId, threadId);
  const atOnce = Math.min(maxIdsAtOnce, limit);
  for (let at = after;;) {
    const selector = at ? { prefix, start: [...prefix, at[0], `${at[1]}\u0000`] } : { prefix };
    const places = await database.collect<string>(selector, { limit: atOnce });
    yield places;
    const last = places.at(-1);
    if (!last || places.length < atOnce) return;
    at = [Number(last.key.at(-2)), String(last.key.at(-1))];
  }
}

function withExcerpt(row: EmailRow, end: string): EmailRow {
  const { parsed } = row;
  return parsed ? { ...row, parsed: { ...parsed, excerpt: parsed.snippet + end } } : row;
}
