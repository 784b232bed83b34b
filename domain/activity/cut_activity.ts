import { accountsIn } from "../store/accounts_in.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type Step, steps } from "./counters.ts";

/** Rows that one commit removes. */
const rowsPerCommit = 200;

/**
 * Removes the counts of hours and days that are no longer kept at `now`, of all accounts. Returns how many. `mayGoOn` is
 * asked between two commits.
 */
export async function cutActivity(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  let removed = 0;
  for await (const userId of accountsIn(database, keys.allActivities())) {
    for (const step of Object.keys(steps) as Step[]) {
      const end = now - steps[step].keptMs;
      for (let isAll = false; !isAll;) {
        if (!mayGoOn()) return removed;
        const old = await database.collect(
          keys.range(keys.activities(userId, step), { end }),
          { limit: rowsPerCommit },
        );
        if (old.length > 0) {
          await database.transact((tx) => old.forEach(({ key }) => tx.delete(key)));
        }
        removed += old.length;
        isAll = old.length < rowsPerCommit;
      }
    }
  }
  return removed;
}
