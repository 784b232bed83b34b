import type { Plan } from "../core/plans.ts";
import type { User } from "../accounts/user.ts";
import type { Service } from "../core/service.ts";
import { entriesOf, type JournalRow } from "../store/journal.ts";
import * as keys from "../store/keys.ts";
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
/** A journal is counted again after it has grown by this part of the most changes. */
const growthCounted = 1 / 10;

/**
 * Cuts the journals that have more changes than the plan of their account keeps; only those that this process added much to
 * are counted. Returns how many rows were removed. `mayGoOn` is called between two commits.
 */
export async function boundJournals(
  { database }: Pick<Service, "database">,
  mayGoOn: () => boolean,
): Promise<number> {
  const { appended } = database.journal;
  let removed = 0;
  for (const [userId, entries] of appended) {
    if (!mayGoOn()) break;
    if (entries < mostChanges.free * growthCounted) continue;
    const user = await database.get<User>(keys.user(userId));
    const most = mostChanges[user?.plan ?? "free"];
    if (entries < most * growthCounted) continue;
    appended.delete(userId);
    let left = most;
    const rows = database.list<JournalRow>({ prefix: keys.journalRows(userId) }, {
      reverse: true,
      batchSize: 500,
    });
    for await (const { key, value } of rows) {
      left -= entriesOf(value).length;
      if (left >= 0) continue;
      const newest = String(key.at(-1));
      removed += await cutJournal(
        database,
        userId,
        (row) => String(row.key.at(-1)) <= newest,
        mayGoOn,
      );
      break;
    }
  }
  return removed;
}
