import type { Database } from "../store/database.ts";
import { entriesOf, type JournalRow } from "../store/journal.ts";
import * as keys from "../store/keys.ts";
import { type Change, readableChange } from "./change.ts";
import { cursorOf } from "./position.ts";

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
