import { z } from "zod";
import { operation } from "../../core/operation.ts";
import { skipDamaged } from "../../core/work/skip_damaged.ts";
import * as keys from "../../store/keys.ts";
import { type Arrival, arrivalRecord, arrivalRecordOf, dispositions } from "./arrivals.ts";
import { decodeCursor, encodeCursor } from "../../core/cursor.ts";
import { type Caller, seesMailbox } from "../../core/caller.ts";
import { requireMailbox } from "../../mailboxes/visible_mailboxes.ts";

/** The most rows that one request reads. If a filter lets few of them pass, the page ends early. */
const maxScannedRows = 20_000;

/** Every attempt to deliver to the account, newest first (docs/specification.md "Arrivals"). */
export const listArrivals = operation({
  name: "list_arrivals",
  title: "List arrivals",
  description:
    "The ledger of mail that arrived for the account's mailboxes and domains in the last 30 days: " +
    "accepted, a duplicate, or refused and why. Use it to find out what happened to a message.",
  scope: "emails:read",
  audit: "none",
  input: z.object({
    mailbox_id: z.string().optional().describe("Only this mailbox"),
    disposition: z.enum(dispositions).optional().describe("Only attempts with this result"),
    limit: z.int().min(1).max(100).default(20).describe("Rows a page, 1 to 100"),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    arrivals: z.array(arrivalRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input) {
    await requireMailbox(service, caller, input.mailbox_id);
    const prefix = keys.arrivals(caller.userId);
    const after = input.cursor === undefined ? null : decodeCursor(input.cursor, ["id"])[0];
    const selector = keys.range(prefix, after === null ? {} : { end: after });
    const now = service.clock.now();
    const arrivals: z.input<typeof arrivalRecord>[] = [];
    let scanned = 0;
    let last: string | null = null;
    let more = false;
    for await (
      const { key, value: row } of service.database.list<Arrival>(selector, {
        reverse: true,
        batchSize: input.limit + 1,
      })
    ) {
      if (arrivals.length === input.limit || scanned++ >= maxScannedRows) {
        more = true;
        break;
      }
      last = String(key.at(-1));
      const about = { table: "arrivals", id: last };
      const shown = skipDamaged(
        service.log,
        about,
        () => row.expiresAt <= now || !isShown(row, caller, input) ? [] : [arrivalRecordOf(row)],
      );
      arrivals.push(...shown ?? []);
    }
    return {
      arrivals,
      has_more: more,
      next_cursor: more && last ? encodeCursor([last]) : null,
    };
  },
});

function isShown(
  { mailboxId, disposition }: Arrival,
  caller: Caller,
  asked: { mailbox_id?: string; disposition?: Arrival["disposition"] },
): boolean {
  // A limited key sees mail of its mailboxes only; mail that reached no mailbox is hidden from it.
  if (caller.mailboxIds && !(mailboxId && seesMailbox(caller, mailboxId))) return false;
  if (asked.mailbox_id && mailboxId !== asked.mailbox_id) return false;
  return !asked.disposition || disposition === asked.disposition;
}
