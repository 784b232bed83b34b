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
