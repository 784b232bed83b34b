import { z } from "zod";
import { operation } from "../../core/operation.ts";
import * as keys from "../../store/keys.ts";
import { type Arrival, arrivalRecord, arrivalRecordOf, dispositions } from "./arrivals.ts";
import { pageOfRows, pageOutput } from "../record/pages.ts";
import { type Caller, seesMailbox } from "../../core/caller.ts";
import { requireMailbox } from "../../mailboxes/visible_mailboxes.ts";

/** The most rows that one request reads. If a filter lets few of them pass, the page ends early. */
const mostRows = 20_000;

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
  output: z.object({ arrivals: z.array(arrivalRecord), ...pageOutput }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input) {
    await requireMailbox(service, caller, input.mailbox_id);
    const now = service.clock.now();
    const range = { prefix: keys.arrivals(caller.userId), by: "id", mostRows } as const;
    const { rows, ...page } = await pageOfRows(
      service,
      range,
      input,
      (row: Arrival) =>
        row.expiresAt <= now || !isShown(row, caller, input) ? null : arrivalRecordOf(row),
    );
    return { arrivals: rows, ...page };
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
