import { firstIdAt } from "../core/ids.ts";
import { accountsIn } from "../store/accounts_in.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { auditKeptMs } from "./read_audit.ts";

/** Rows that one commit removes. */
const rowsPerCommit = 200;

/** Removes the rows of all accounts that are older than 90 days at `now`. Returns how many. `mayGoOn` is called between two commits. */
export async function cutAudit(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  const end = firstIdAt(now - auditKeptMs);
  let removed = 0;
  for await (const userId of accountsIn(database, keys.allAudits())) {
    for (let isAll = false; !isAll;) {
      if (!mayGoOn()) return removed;
      const old = await database.collect(
        keys.range(keys.auditRows(userId), { end }),
        { limit: rowsPerCommit },
      );
      if (old.length > 0) await database.transact((tx) => old.forEach(({ key }) => tx.delete(key)));
      removed += old.length;
      isAll = old.length < rowsPerCommit;
    }
  }
  return removed;
}
