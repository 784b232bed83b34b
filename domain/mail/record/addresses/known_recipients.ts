import { z } from "zod";
import { isoTime, timestampField } from "../../../core/clock.ts";
import { type Caller, seesMailbox } from "../../../core/caller.ts";
import { notFound } from "../../../core/errors.ts";
import { operation, type OperationCall } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { normaliseAddress } from "../../../mailboxes/address.ts";
import type { Tx } from "../../../store/transaction.ts";
import * as keys from "../../../store/keys.ts";
import { pageInput, pageOfRows, pageOutput } from "../pages.ts";
import { sha256Of } from "../content_hash.ts";

/** A recipient of mail that a person approved: the account may write there without another approval. */
export interface KnownRecipient {
  /** As the account wrote it. */
  address: string;
  /** When the first mail that was approved was sent. */
  knownSince: number;
  /** The mailbox that sent it. */
  mailboxId: string;
}

const knownRecipientRecord = z.object({
  address: z.string(),
  known_since: timestampField,
}).meta({
  id: "KnownRecipient",
  description: "An address that got mail which a person approved; mail there needs no approval",
});

/** `GET /v1/api/known-recipients`, by the hash of the address. */
export const listKnownRecipients = operation({
  name: "list_known_recipients",
  title: "List known recipients",
  description:
    "Addresses that got mail which a person approved. Under approval: new_recipients, mail to them goes out without approval. " +
    "delete_known_recipient takes one off the list.",
  scope: "emails:read",
  audit: "none",
  input: pageInput,
  output: z.object({ known_recipients: z.array(knownRecipientRecord), ...pageOutput }),
  errors: ["VALIDATION_ERROR"],
  async run(service, caller, input) {
    const prefix = keys.knownRecipients(caller.userId);
    const { rows, ...page } = await pageOfAddresses(
      service,
      caller,
      prefix,
      input,
      (row: KnownRecipient) => ({ address: row.address, known_since: isoTime(row.knownSince) }),
    );
    return { known_recipients: rows, ...page };
  },
});

/** `DELETE /v1/api/known-recipients/{address}`. */
export const deleteKnownRecipient = operation({
  name: "delete_known_recipient",
  title: "Withdraw a known recipient",
  description:
    "Makes an address new again, in any letter case: under approval: new_recipients the next mail to it waits for a person.",
  scope: "policy:write",
  audit: "change",
  input: z.object({ address: z.string() }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ["NOT_FOUND"],
  run: (service, caller, { address }, call) =>
    removeRow(service, caller, call, rowOf(caller.userId, address), "known recipient"),
});

/** A row about an address to which a mailbox wrote. */
interface AddressRow {
  mailboxId: string;
}

/** A page of an account's rows about addresses, those of mailboxes that the caller sees, in the order of their keys. */
export async function pageOfAddresses<Row extends AddressRow, Shown>(
  service: Pick<Service, "database" | "log">,
  caller: Caller,
  prefix: Deno.KvKey,
  input: z.output<typeof pageInput>,
  recordOf: (row: Row) => Shown,
) {
  const range = { prefix, by: "string", mostRows: 5_000 } as const;
  return await pageOfRows(
    service,
    range,
    input,
    (row: Row) => seesMailbox(caller, row.mailboxId) ? recordOf(row) : null,
  );
}

/** Takes an address off a list. Throws NOT_FOUND of `what` if it is not on it, or of a mailbox that the caller does not see. */
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

/** Records the recipients of a mail that a person approved. One that is known keeps its row. */
export async function rememberKnown(
  tx: Tx,
  userId: string,
  addresses: readonly string[],
  sent: Omit<KnownRecipient, "address">,
): Promise<void> {
  // Without checks, because fifty are half of a commit's; of two first mails one is the first.
  await Promise.all(addresses.map(async (address) => {
    const key = rowOf(userId, address);
    const row: KnownRecipient = { address, ...sent };
    if (!await tx.peek(key, { isCurrent: true })) tx.set(key, row);
  }));
}

/** Whether a mail that a person approved was sent there, and nobody has withdrawn it since. */
export async function isKnown(tx: Tx, userId: string, address: string): Promise<boolean> {
  const key = rowOf(userId, address);
  return await tx.peek(key) !== null && await tx.peek(key, { isCurrent: true }) !== null;
}

export function rowOf(userId: string, address: string): Deno.KvKey {
  return keys.knownRecipient(userId, sha256Of(normalForm(address)));
}

/** Letter case does not make another recipient; a `+tag` does. */
export function normalForm(address: string): string {
  return normaliseAddress(address)?.address ?? address.toLowerCase();
}
