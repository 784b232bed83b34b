import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Email } from "./email.ts";
import { type StoredDetails, storedDetails, withDetails } from "./email_details.ts";
import type { Outgoing } from "./outgoing.ts";
import { readRow, type StoredRow, storedRow } from "./email_row.ts";

/** A sent email that was deleted before every recipient was tried: nobody sees it, but it is still sent. */
interface Unsent {
  row: StoredRow;
  details: StoredDetails;
}

export function keepUnsent(tx: Tx, email: Email): void {
  const unsent: Unsent = { row: storedRow(email), details: storedDetails(email) };
  tx.set(keys.emailUnsent(email.userId, email.emailId), unsent);
}

/** The email; null if it was not deleted while it was sent. */
export async function unsentEmail(
  store: Pick<Tx, "get">,
  userId: string,
  emailId: string,
): Promise<Email | null> {
  const unsent = await store.get<Unsent>(keys.emailUnsent(userId, emailId));
  return unsent && withDetails(userId, readRow(emailId, unsent.row), unsent.details);
}

/** Delivery reports are accepted for so long after the mail. They come within days; a host tries for five. */
export const reportsMs = 30 * 86_400_000;

/**
 * Removes the states of the recipients of a deleted email. While reports to its return path are accepted, the addresses and
 * the path stay, because a hard bounce is about the recipient and not about the email.
 */
export async function forgetStates(
  tx: Tx,
  { clock }: Pick<Service, "clock">,
  userId: string,
  emailId: string,
): Promise<void> {
  const key = keys.outgoing(userId, emailId);
  const outgoing = await tx.peek<Outgoing>(key);
  const leftMs = (outgoing?.createdAt ?? 0) + reportsMs - clock.now();
  if (!outgoing?.returnPath || leftMs <= 0) return tx.delete(key);
  const recipients = outgoing.recipients.map((each) => ({ ...each, response: "" }));
  tx.set(key, { ...outgoing, recipients } satisfies Outgoing, { expireInMs: leftMs });
}
