import { ServiceError } from "../core/errors.ts";
import * as keys from "../store/keys.ts";
import { beginning, cursorOf, isBefore, type Position } from "./position.ts";
import type { Database } from "../store/database.ts";
import { entriesOf, type JournalRow } from "../store/journal.ts";
import { type Change, readableChange } from "./change.ts";

/** Changes in the order of their commits, and the position after them. */
export interface ChangesPage {
  changes: (Change & { position: Position })[];
  /** A reader that continues from here misses nothing and sees nothing twice. */
  end: Position;
  hasMore: boolean;
}

/** The most entries that one page looks at; a filter may let few of them pass. */
const maxLookedAt = 5_000;

/**
 * The changes after a position for which `passes` is true, at most `limit`. Throws CURSOR_EXPIRED if rows after it are
 * gone.
 */
export async function readChanges(
  database: Database,
  userId: string,
  after: Position | null,
  { limit, passes }: { limit: number; passes: (change: Change) => boolean },
): Promise<ChangesPage> {
  const page = await readPage(database, userId, after ?? beginning, { limit, passes });
  // Read last: rows that were removed while the page was read are known now.
  const cut = await database.get<Position>(keys.journalCut(userId));
  if (!cut) return page;
  if (after && isBefore(after, cut)) throw new ServiceError("CURSOR_EXPIRED");
  return isBefore(page.end, cut) ? { ...page, end: cut } : page;
}

async function readPage(
  database: Database,
  userId: string,
  from: Position,
  { limit, passes }: { limit: number; passes: (change: Change) => boolean },
): Promise<ChangesPage> {
  const page: ChangesPage = { changes: [], end: from, hasMore: false };
  const rows = database.list<JournalRow>(
    keys.range(keys.journalRows(userId), { start: from.versionstamp }),
    { batchSize: Math.min(limit, 100) },
  );
  let left = maxLookedAt;
  for await (const { key, value } of rows) {
    const versionstamp = key.at(-1) as string;
    const first = versionstamp === from.versionstamp ? from.entries : 0;
    const entries = entriesOf(value);
    for (let n = first; n < entries.length; n++) {
      const change = readableChange(database, entries[n], versionstamp);
      const passed = change !== null && passes(change);
      if (left-- <= 0 || (passed && page.changes.length === limit)) {
        return { ...page, hasMore: true };
      }
      page.end = { versionstamp, entries: n + 1 };
      if (passed) page.changes.push({ ...change, position: page.end });
    }
  }
  return page;
}

/** The position after the newest change. */
export async function endOfJournal(database: Database, userId: string): Promise<Position> {
  const [last] = await database.collect<JournalRow>(
    { prefix: keys.journalRows(userId) },
    { reverse: true, limit: 1 },
  );
  if (last) {
    return { versionstamp: last.key.at(-1) as string, entries: entriesOf(last.value).length };
  }
  return await database.get<Position>(keys.journalCut(userId)) ?? beginning;
}

/** The most rows that are read: the change that is looked for was recorded just now. */
const maxRows = 5_000;

/**
 * The id of a change that was recorded lately, known once its commit is durable; null if it is no longer kept, or lies far
 * back.
 */
export async function idOfChange(
  database: Database,
  userId: string,
  isWanted: (change: Change) => boolean,
): Promise<string | null> {
  const rows = database.list<JournalRow>(
    { prefix: keys.journalRows(userId) },
    { reverse: true, limit: maxRows, batchSize: 20 },
  );
  for await (const { key, value } of rows) {
    const place = entriesOf(value).findLastIndex((entry) => {
      const change = readableChange(database, entry, String(key.at(-1)));
      return change !== null && isWanted(change);
    });
    if (place >= 0) return cursorOf({ versionstamp: String(key.at(-1)), entries: place + 1 });
  }
  return null;
}
