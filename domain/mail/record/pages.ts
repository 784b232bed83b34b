import { z } from "zod";
import { decodeCursor, encodeCursor } from "../../core/cursor.ts";
import type { Service } from "../../core/service.ts";
import { skipDamaged } from "../../core/work/skip_damaged.ts";
import * as keys from "../../store/keys.ts";

export const pageInput = z.object({
  limit: z.int().min(1).max(100).default(20).describe("Rows a page, 1 to 100"),
  cursor: z.string().max(1_000).optional().describe("next_cursor of the page before"),
});

export const pageOutput = { has_more: z.boolean(), next_cursor: z.string().nullable() };

/**
 * A page of the rows under a prefix, of which `recordOf` returns null for those that are not shown. Rows by id come newest
 * first. At most `mostRows` are read if few of them are shown: then the page ends early.
 */
export async function pageOfRows<Row, Shown>(
  { database, log }: Pick<Service, "database" | "log">,
  { prefix, by, mostRows }: { prefix: Deno.KvKey; by: "id" | "string"; mostRows: number },
  { limit, cursor }: { limit: number; cursor?: string },
  recordOf: (row: Row) => Shown | null,
): Promise<{ rows: Shown[]; has_more: boolean; next_cursor: string | null }> {
  const reverse = by === "id";
  const after = cursor === undefined ? null : decodeCursor(cursor, [by])[0];
  // The first key after that of the row before.
  const rest = after === null ? {} : reverse ? { end: after } : { start: `${after}\0` };
  const options = { reverse, batchSize: limit + 1 };
  const rows: Shown[] = [];
  let last: string | null = null, scanned = 0, more = false;
  for await (const { key, value } of database.list<Row>(keys.range(prefix, rest), options)) {
    if (rows.length === limit || scanned++ >= mostRows) {
      more = true;
      break;
    }
    last = String(key.at(-1));
    const about = { table: String(prefix[0]), id: last };
    const record = skipDamaged(log, about, () => recordOf(value));
    if (record !== null) rows.push(record);
  }
  return { rows, has_more: more, next_cursor: more && last !== null ? encodeCursor([last]) : null };
}
