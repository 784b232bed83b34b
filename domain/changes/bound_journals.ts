import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { accountsBeyond, accountsIn } from "../store/row_ranges.ts";
import type { Database } from "../store/database.ts";
import { entriesOf, type JournalRow } from "../store/journal.ts";
import type { Position } from "./position.ts";

/**
 * The changes that an account keeps, of about 150 bytes each. Mail alone makes about four changes each: at the most mail of
 * a plan, 30 days of them fit. More come of marks that are set and taken off again.
 */
const mostChanges: Record<Plan, number> = {
  free: 100_000,
  pro: 2_000_000,
  enterprise: 20_000_000,
};

/**
 * Cuts the journals that have more changes than the plan of their account keeps. Returns how many rows were removed.
 * `mayGoOn` is called between two commits.
 */
export async function boundJournals(
  { database }: Pick<Service, "database">,
  mayGoOn: () => boolean,
): Promise<number> {
  const { appended } = database.journal;
  let removed = 0;
  const countOf = (row: JournalRow) => entriesOf(row).length;
  const kept = { appended, most: mostChanges, rowsOf: keys.journalRows, countOf };
  for await (const { userId, newest } of accountsBeyond(database, kept)) {
    const isOld = ({ key }: Deno.KvEntry<JournalRow>) => String(key.at(-1)) <= newest;
    removed += await cutJournal(database, userId, isOld, mayGoOn);
    if (!mayGoOn()) break;
  }
  return removed;
}

/** How long a change can be read, ms. */
const changeKeptMs = 30 * 86_400_000;

/** Rows that one commit removes. */
const rowsPerCommit = 200;

/**
 * Removes the rows of all journals that are older than 30 days at `now`. Returns how many. `mayGoOn` is called between two
 * commits.
 */
export async function cutJournals(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  let removed = 0;
  for await (const userId of accountsIn(database, keys.allJournals())) {
    const isOld = ({ value }: Deno.KvEntry<JournalRow>) => value.at < now - changeKeptMs;
    removed += await cutJournal(database, userId, isOld, mayGoOn);
    if (!mayGoOn()) break;
  }
  return removed;
}

/**
 * Removes the oldest rows of a journal as long as they are old. Returns how many. The position of the newest removed row
 * stays, so that an older cursor is refused and not answered with a gap.
 */
async function cutJournal(
  database: Database,
  userId: string,
  isOld: (row: Deno.KvEntry<JournalRow>) => boolean,
  mayGoOn: () => boolean,
): Promise<number> {
  let removed = 0;
  for (let isAll = false; !isAll && mayGoOn();) {
    const oldest = await database.collect<JournalRow>(
      { prefix: keys.journalRows(userId) },
      { limit: rowsPerCommit },
    );
    const old = oldest.filter(isOld);
    const last = old.at(-1);
    if (last) {
      const cut: Position = {
        versionstamp: last.key.at(-1) as string,
        entries: entriesOf(last.value).length,
      };
      await database.transact((tx) => {
        for (const { key } of old) tx.delete(key);
        tx.set(keys.journalCut(userId), cut);
      });
      removed += old.length;
    }
    isAll = old.length < rowsPerCommit;
  }
  return removed;
}
