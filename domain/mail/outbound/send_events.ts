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
    const message = givenUp[reason][0]?.response ?? "";
    await emitFailureOf(tx, service, email, reason, givenUp[reason], message, occasion);
  }
}

/** Anybody can write a report, so an event has only its status code. */
const bounced = "The mail came back: a delivery report says that it could not be delivered.";

/** Emits `email.failed` for the recipients that a delivery report named. */
export async function emitBounced(
  tx: Tx,
  service: Service,
  email: Email,
  recipients: readonly OutgoingRecipient[],
): Promise<void> {
  // Mail to a recipient bounces once, and each report is about one recipient.
  const occasion = `bounced ${recipients.map(({ address }) => address)}`;
  await emitFailureOf(tx, service, email, "bounced", recipients, bounced, occasion);
}

async function emitFailureOf(
  tx: Tx,
  service: Service,
  email: Email,
  reason: SendFailure["reason"],
  recipients: readonly OutgoingRecipient[],
  message: string,
  occasion: string,
): Promise<void> {
  if (recipients.length === 0) return;
  await emitFailed(
    tx,
    service,
    email,
    {
      reason,
      recipients: recipients.map(({ address }) => address),
      smtp_status: statusCode(recipients[0].response),
      message,
    },
    occasion,
  );
}
