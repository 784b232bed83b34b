import { firstIdAt } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { auditKeptMs } from "./read_audit.ts";

/** Rows that one commit removes. */
const rowsPerCommit = 200;

/** Removes the rows of all accounts that are older than 90 days at `now`. Returns how many. `mayGoOn` is asked between two commits. */
export async function cutAudit(
  database: Database,
  now: number,
  mayGoOn: () => boolean,
): Promise<number> {
  const end = firstIdAt(now - auditKeptMs);
  let removed = 0;
  let userId = await firstAccount(database, null);
  while (userId !== null && mayGoOn()) {
    const old = await database.collect(
      keys.range(keys.auditRows(userId), { end }),
      { limit: rowsPerCommit },
    );
    if (old.length > 0) await database.transact((tx) => old.forEach(({ key }) => tx.delete(key)));
    removed += old.length;
    if (old.length < rowsPerCommit) userId = await firstAccount(database, userId);
  }
  return removed;
}

/** The first account after another that has rows; null if there is none. */
async function firstAccount(database: Database, after: string | null): Promise<string | null> {
  const selector = after === null
    ? { prefix: keys.allAudits() }
    : keys.range(keys.allAudits(), { start: `${after}\u0000` });
  const [row] = await database.collect(selector, { limit: 1 });
  return row ? row.key[1] as string : null;
}
