import type { Service } from "../../../core/service.ts";
import * as keys from "../../../store/keys.ts";
import type { EmailRow } from "../email_row.ts";
import { rowsByIds } from "../read_email.ts";
import type { Thread } from "./thread_aliases.ts";

/** The most rows of one read. */
const maxRowsAtOnce = 500;

export interface RowsOfThread {
  threadId: string;
  /** The row of the thread, read before. */
  thread: Thread | null;
  /** Only rows after this date (ms since 1970) and email id; null: from the first. */
  after: readonly [number, string] | null;
  limit: number;
  wanted(row: EmailRow): boolean;
  /** Is called with the ids of each page, before their rows are read. */
  onIds?(ids: readonly string[]): void;
}

/**
 * The first `limit` rows of a thread that `wanted` accepts, by date and then by arrival, with their excerpts. Messages of
 * threads that are being merged into it are included, once each.
 */
export async function threadRows(
  service: Service,
  userId: string,
  { threadId, thread, after, limit, wanted, onIds = () => {} }: RowsOfThread,
): Promise<EmailRow[]> {
  const found = new Map<string, EmailRow>();
  // Messages move to `threadId`, so it is read last: no message is missed during a move.
  for (const id of [...thread?.absorbing ?? [], threadId]) {
    let passed = 0;
    for await (const rows of rowsOfThread(service, userId, id, { after, limit, onIds })) {
      for (const row of rows) {
        if (passed === limit || !wanted(row)) continue;
        found.set(row.emailId, row);
        passed++;
      }
      if (passed === limit) break;
    }
  }
  return [...found.values()].sort((a, b) => a.date - b.date || (a.emailId < b.emailId ? -1 : 1))
    .slice(0, limit);
}

/** The rows of one thread in pages. An excerpt is the snippet and the rest, which the thread's range holds. */
async function* rowsOfThread(
  { database }: Service,
  userId: string,
  threadId: string,
  { after, limit, onIds }: {
    after: readonly [number, string] | null;
    limit: number;
    onIds: (ids: readonly string[]) => void;
  },
): AsyncGenerator<EmailRow[]> {
  const prefix = keys.emailsByThread(userId, threadId);
  const pageRows = Math.min(maxRowsAtOnce, limit);
  for (let at = after;;) {
    const selector = at ? { prefix, start: [...prefix, at[0], `${at[1]}\u0000`] } : { prefix };
    const places = await database.collect<string>(selector, { limit: pageRows });
    const ends = new Map(places.map(({ key, value }) => [String(key.at(-1)), value]));
    onIds([...ends.keys()]);
    const rows = await rowsByIds(database, userId, [...ends.keys()]);
    yield rows.map((row) => withExcerpt(row, ends.get(row.emailId) ?? ""));
    const last = places.at(-1);
    if (!last || places.length < pageRows) return;
    at = [Number(last.key.at(-2)), String(last.key.at(-1))];
  }
}

function withExcerpt(row: EmailRow, end: string): EmailRow {
  const { parsed } = row;
  return parsed ? { ...row, parsed: { ...parsed, excerpt: parsed.snippet + end } } : row;
}
