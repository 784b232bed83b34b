import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import * as keys from "../store/keys.ts";
import { accountsBeyond, accountsIn, removeRows } from "../store/row_ranges.ts";
import { readEntries, type StoredEntries } from "./entry.ts";
import { firstIdAt } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import { auditKeptMs } from "./read_audit.ts";

/**
 * The entries that an account keeps, of about 200 bytes each: all that keys and tokens can make in 90 days at the request
 * limits of the plan. Only requests by cookie, and imports, can make more.
 */
const mostEntries: Record<Plan, number> = {
  free: 500_000,
  pro: 2_000_000,
  enterprise: 10_000_000,
};

/**
 * Removes the oldest entries of audits that have more than the plan of their account keeps. Returns how many rows were
 * removed. `mayGoOn` is called between two commits.
 */
export async function boundAudit(
  { database, audit, log }: Pick<Service, "database" | "audit" | "log">,
  mayGoOn: () => boolean,
): Promise<number> {
  let removed = 0;
  const countOf = (row: StoredEntries, id: string) =>
    skipDamaged(log, { table: "audit", id }, () => readEntries(row).length) ?? 1;
  const kept = { appended: audit.appended, most: mostEntries, rowsOf: keys.auditRows, countOf };
  for await (const { userId, newest } of accountsBeyond(database, kept)) {
    const range = keys.range(keys.auditRows(userId), { end: `${newest}\u0000` });
    removed += await removeRows(database, range, mayGoOn);
    if (!mayGoOn()) break;
  }
  return removed;
}

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
