import { z } from "zod";
import { isoTime, timestampField } from "../../../core/clock.ts";
import { emailId } from "../../../core/email_id.ts";
import { ServiceError } from "../../../core/errors.ts";
import { operation } from "../../../core/operation.ts";
import type { Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";
import { pageInput, pageOutput } from "../pages.ts";
import { normalForm, pageOfAddresses, removeRow } from "./known_recipients.ts";

/** A recipient whose mail bounced permanently. The account does not write to it again. */
export interface Suppression {
  /** As the account wrote it. */
  address: string;
  /** The RFC 3463 code of the report, such as `5.1.1`. */
  status: string;
  /** The email that came back, and its mailbox. */
  emailId: string;
  mailboxId: string;
  createdAt: number;
}

/** Recipients of a message whose rows the commit checks. */
const maxChecked = 20;

const suppressionRecord = z.object({
  address: z.string(),
  reason: z.string().describe("`hard bounce` and the code of the delivery report"),
  email_id: emailId.describe("The email that came back"),
  created_at: timestampField,
}).meta({ id: "Suppression", description: "A recipient whose mail bounced permanently" });

/** `GET /v1/api/suppressions`, by address. */
export const listSuppressions = operation({
  name: "list_suppressions",
  title: "List suppressed recipients",
  description:
    "Recipients whose mail bounced permanently (a delivery report with a code 5.x.x). Mail to them is " +
    "refused with RECIPIENT_SUPPRESSED, because providers block senders who go on writing to addresses that do not exist.",
  scope: "emails:read",
  audit: "none",
  input: pageInput,
  output: z.object({ suppressions: z.array(suppressionRecord), ...pageOutput }),
  errors: ["VALIDATION_ERROR"],
  async run(service, caller, input) {
    const prefix = keys.suppressions(caller.userId);
    const { rows, ...page } = await pageOfAddresses(
      service,
      caller,
      prefix,
      input,
      (row: Suppression) => ({
        address: row.address,
        reason: `hard bounce (${row.status})`,
        email_id: row.emailId,
        created_at: isoTime(row.createdAt),
      }),
    );
    return { suppressions: rows, ...page };
  },
});

/** `DELETE /v1/api/suppressions/{address}`. */
export const deleteSuppression = operation({
  name: "delete_suppression",
  title: "Allow a recipient again",
  description: "Takes a recipient off the list, for an address that works again.",
  scope: "policy:write",
  audit: "change",
  input: z.object({ address: z.string() }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ["NOT_FOUND"],
  run: (service, caller, { address }, call) =>
    removeRow(
      service,
      caller,
      call,
      keys.suppression(caller.userId, spellingOf(address)),
      "suppression",
    ),
});

/** Puts a recipient on the list; one that is there already keeps its row. */
export async function suppress(tx: Tx, userId: string, row: Suppression): Promise<void> {
  const key = keys.suppression(userId, spellingOf(row.address));
  if (await tx.get(key) === null) tx.set(key, row);
}

/** RECIPIENT_SUPPRESSED with the addresses that are on the account's list; null if none is. */
export async function refusedSuppressed(
  tx: Pick<Tx, "get" | "peek">,
  userId: string,
  addresses: readonly string[],
): Promise<ServiceError | null> {
  // A row that another instance wrote a moment ago is seen only with the check of the commit, which takes a hundred checks.
  const isChecked = addresses.length <= maxChecked;
  const rows = await Promise.all(addresses.map((address) => {
    const key = keys.suppression(userId, spellingOf(address));
    return isChecked ? tx.get(key, { likelyAbsent: true }) : tx.peek(key);
  }));
  const recipients = addresses.filter((_, n) => rows[n] !== null);
  if (recipients.length === 0) return null;
  return new ServiceError(
    "RECIPIENT_SUPPRESSED",
    `Mail to ${recipients[0]} bounced permanently.`,
    { recipients },
  );
}

/**
 * The spelling by which addresses are compared: lower case. A host could tell local parts apart by case, but none is known
 * to; a `+tag` stays, because other hosts need not fold it. At most 512 characters, as a key has room for.
 */
function spellingOf(address: string): string {
  return normalForm(address).slice(0, 512);
}
