import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import type { Outgoing } from "./outgoing.ts";

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
