import type { Log } from "../../core/log.ts";
import { reportDamaged } from "../../core/work/skip_damaged.ts";
import type { Connection } from "../remote/connection.ts";
import { readTogether } from "./writer_row.ts";

/**
 * Removes those of the rows that a commit adds to and that are no numbers: the database would refuse each commit that adds
 * to one, and so all mail of its account. Their counts start again. Returns whether there was one.
 */
export async function removeDamagedSums(
  connection: Connection,
  log: Log,
  keys: readonly Deno.KvKey[],
): Promise<boolean> {
  const rows = await readTogether(connection, keys);
  const damaged = rows.filter(({ value }) => value !== null && !(value instanceof Deno.KvU64));
  for (const row of damaged) {
    reportDamaged(log, { table: String(row.key[0]), id: row.key.slice(1).join(" ") }, null);
    await connection.commit((kv) => kv.atomic().check(row).delete(row.key).commit());
  }
  return damaged.length > 0;
}
