import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import { entriesOf, type JournalRow } from "../store/journal.ts";
import * as keys from "../store/keys.ts";
import { grownAccounts, newestBeyond } from "../store/row_ranges.ts";
import { cutJournal } from "./cut_journals.ts";

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
  for await (const { userId, most } of grownAccounts(database, appended, mostChanges)) {
    const newest = await newestBeyond<JournalRow>(
      database,
      keys.journalRows(userId),
      most,
      (row) => entriesOf(row).length,
    );
    if (newest === null) continue;
    const isOld = ({ key }: Deno.KvEntry<JournalRow>) => String(key.at(-1)) <= newest;
    removed += await cutJournal(database, userId, isOld, mayGoOn);
    if (!mayGoOn()) break;
  }
  return removed;
}
