import { firstIdAt } from "../core/ids.ts";
import { accountsIn, removeRows } from "../store/row_ranges.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { auditKeptMs } from "./read_audit.ts";

/**
 * Removes the rows of all accounts that are older than 90 days at `now`. Returns how many. `mayGoOn` is called between two
 * commits.
 */
export async function cutAudit(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  const end = firstIdAt(now - auditKeptMs);
  let removed = 0;
  for await (const userId of accountsIn(database, keys.allAudits())) {
    if (!mayGoOn()) break;
    removed += await removeRows(database, keys.range(keys.auditRows(userId), { end }), mayGoOn);
  }
  return removed;
}
