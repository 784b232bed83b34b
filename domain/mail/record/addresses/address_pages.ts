import { z } from "zod";
import { type Caller, seesMailbox } from "../../../core/caller.ts";
import { decodeCursor, encodeCursor } from "../../../core/cursor.ts";
import { notFound } from "../../../core/errors.ts";
import type { OperationCall } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { skipDamaged } from "../../../core/work/skip_damaged.ts";
import * as keys from "../../../store/keys.ts";

/** The most rows that one request reads if the caller sees few of them. */
const maxScannedRows = 5_000;

export const pageInput = z.object({
  limit: z.int().min(1).max(100).default(20).describe("Rows a page, 1 to 100"),
  cursor: z.string().max(1_000).optional().describe("next_cursor of the page before"),
});

export const pageOutput = { has_more: z.boolean(), next_cursor: z.string().nullable() };

/** A row about an address to which a mailbox wrote. */
interface AddressRow {
  mailboxId: string;
}

/** A page of an account's rows about addresses, those of mailboxes that the caller sees, in the order of their keys. */
export async function pageOfRows<Row extends AddressRow, Shown>(
  { database, log }: Pick<Service, "database" | "log">,
  caller: Caller,
  prefix: Deno.KvKey,
  { limit, cursor }: z.output<typeof pageInput>,
  recordOf: (row: Row) => Shown,
): Promise<{ rows: Shown[]; has_more: boolean; next_cursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor, ["string"])[0];
  // The first key after that of the row before.
  const selector = keys.range(prefix, after === null ? {} : { start: `${after}\0` });
  const rows: Shown[] = [];
  let last: string | null = null, scanned = 0, more = false;
  for await (const { key, value } of database.list<Row>(selector, { batchSize: limit + 1 })) {
    if (rows.length === limit || scanned++ >= maxScannedRows) {
      more = true;
      break;
    }
    last = String(key.at(-1));
    const record = skipDamaged(
      log,
      { table: String(prefix[0]), id: last },
      () => seesMailbox(caller, value.mailboxId) ? recordOf(value) : null,
    );
    if (record !== null) rows.push(record);
  }
  return { rows, has_more: more, next_cursor: more && last !== null ? encodeCursor([last]) : null };
}

/**
 * Takes an address off a list. Throws NOT_FOUND of `what` if it is not on it, or of a mailbox that the caller does not
 * see.
 */
export async function removeRow(
  { database }: Pick<Service, "database">,
  caller: Caller,
  call: Pick<OperationCall, "audit">,
  key: Deno.KvKey,
  what: string,
): Promise<{ deleted: true }> {
  await database.transact(async (tx) => {
    const row = await tx.get<AddressRow>(key);
    if (row === null || !seesMailbox(caller, row.mailboxId)) throw notFound(what);
    tx.delete(key);
    call.audit({ mailboxId: row.mailboxId }, tx);
  });
  return { deleted: true };
}
