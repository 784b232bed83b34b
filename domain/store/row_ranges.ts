import type { Plan } from "../core/plans.ts";
import type { Database } from "./database.ts";
import * as keys from "./keys.ts";

/** The ids of the accounts that have rows in a table, in order. `table` is its key, which the account's id follows. */
export async function* accountsIn(database: Database, table: Deno.KvKey): AsyncGenerator<string> {
  let selector: Deno.KvListSelector = { prefix: table };
  for (;;) {
    const [row] = await database.collect(selector, { limit: 1 });
    if (!row) return;
    const userId = String(row.key[table.length]);
    yield userId;
    selector = keys.range(table, { start: `${userId}\u0000` });
  }
}

/** Rows of an account are counted again after they have grown by this part of the most that it keeps. */
const growthCounted = 1 / 10;

/**
 * The accounts to which this process has added much since their rows were last counted, and that have more rows than their
 * plan keeps; with the last key part of the newest row that is beyond. `appended` has what was added by account; those that
 * are counted are removed from it. So nothing is read for the others, and a count costs at most ten times what was written.
 * Rows count from the newest on, each as `countOf` says.
 */
export async function* accountsBeyond<Row>(
  database: Database,
  { appended, most, rowsOf, countOf }: {
    appended: Map<string, number>;
    most: Record<Plan, number>;
    rowsOf: (userId: string) => Deno.KvKey;
    countOf: (row: Row, userId: string) => number;
  },
): AsyncGenerator<{ userId: string; newest: string }> {
  for (const [userId, added] of appended) {
    if (added < most.free * growthCounted) continue;
    const user = await database.get<{ plan: Plan }>(keys.user(userId));
    let left = most[user?.plan ?? "free"];
    if (added < left * growthCounted) continue;
    appended.delete(userId);
    const rows = database.list<Row>({ prefix: rowsOf(userId) }, { reverse: true, batchSize: 500 });
    for await (const { key, value } of rows) {
      left -= countOf(value, userId);
      if (left >= 0) continue;
      yield { userId, newest: String(key.at(-1)) };
      break;
    }
  }
}

/** Far below the 1,000 changes and the 80 KiB of keys that a commit may have. */
const rowsPerCommit = 200;

/** Removes the rows of a range, 200 a commit. Returns how many. It ends before a commit if `mayGoOn` returns false. */
export async function removeRows(
  database: Database,
  selector: Deno.KvListSelector,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let removed = 0;
  while (mayGoOn()) {
    const rows = await database.collect(selector, { limit: rowsPerCommit, batchSize: 50 });
    await removeKeys(database, rows.map(({ key }) => key));
    removed += rows.length;
    if (rows.length < rowsPerCommit) break;
  }
  return removed;
}

/** Removes the rows under a prefix of which `isGone` returns true. Returns their keys. */
export async function removeWhere<Row>(
  database: Database,
  prefix: Deno.KvKey,
  isGone: (row: Row) => boolean,
): Promise<Deno.KvKey[]> {
  const found: Deno.KvKey[] = [];
  for await (const { key, value } of database.list<Row>({ prefix })) {
    if (isGone(value)) found.push(key);
  }
  for (const some of database.forCommits(found, rowsPerCommit)) await removeKeys(database, some);
  return found;
}

/** Removes rows in one commit. */
export async function removeKeys(database: Database, rows: readonly Deno.KvKey[]): Promise<void> {
  if (rows.length === 0) return;
  await database.transact((tx) => rows.forEach((key) => tx.delete(key)));
}
