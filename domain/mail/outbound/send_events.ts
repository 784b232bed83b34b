import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import { emitFailed } from "../record/email_events.ts";
import type { SendFailure } from "../../webhooks/events.ts";
import type { Email } from "../record/email.ts";
import { type OutgoingRecipient, type Settled, statusCode } from "./recipient_states.ts";

/** Emits `email.failed` for the recipients for which an attempt was the last one: one event for each reason. */
export async function emitGivenUp(
  tx: Tx,
  service: Service,
  email: Email,
  { outgoing, givenUp }: Settled,
): Promise<void> {
  for (const reason of ["rejected", "expired"] as const) {
    const occasion = `${reason} ${outgoing.attempts}`;
    const recipients = givenUp[reason];
    const message = recipients[0]?.response ?? "";
    await emitFailure(tx, service, email, { reason, recipients, message, occasion });
  }
}

/** Anybody can write a report, so an event has only its status code. */
const bounced = "The mail came back: a delivery report says that it could not be delivered.";

/** Emits `email.failed` for a recipient that a delivery report named. */
export async function emitBounced(
  tx: Tx,
  service: Service,
  email: Email,
  recipient: OutgoingRecipient,
): Promise<void> {
  // Mail to a recipient bounces once.
  const occasion = `bounced ${recipient.address}`;
  await emitFailure(tx, service, email, {
    reason: "bounced",
    recipients: [recipient],
    message: bounced,
    occasion,
  });
}

/** The failure for some recipients; there may be none. */
interface Failure {
  reason: SendFailure["reason"];
  recipients: readonly OutgoingRecipient[];
  message: string;
  /** Separates two failures of one email. */
  occasion: string;
}

async function emitFailure(
  tx: Tx,
  service: Service,
  email: Email,
  { reason, recipients, message, occasion }: Failure,
): Promise<void> {
  if (recipients.length === 0) return;
  const failure: SendFailure = {
    reason,
    recipients: recipients.map(({ address }) => address),
    smtp_status: statusCode(recipients[0].response),
    message,
  };
  await emitFailed(tx, service, email, failure, occasion);
}
