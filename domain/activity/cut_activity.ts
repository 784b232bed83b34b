import { accountsIn, removeRows } from "../store/row_ranges.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { stepNames, steps } from "./counters.ts";

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
