import { isoTime } from "../../core/clock.ts";
import { bare, type Email } from "./email.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { emit, storedEvent } from "../../webhooks/emit.ts";
import {
  emailFailed,
  emailProcessed,
  emailReceived,
  emailSent,
  type EventEmail,
  eventId,
  type EventName,
  type SendFailure,
  type WebhookEvent,
} from "../../webhooks/events.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";

/**
 * The events of an email, each emitted in the transaction that makes it true, by the code that makes it
 * true. Nothing is emitted of a mailbox that has been deleted.
 */

/** Once the body is read: `has_attachments` is known, and whoever asks for the email finds all of it. */
export async function emitReceived(tx: Tx, service: Service, email: Email): Promise<void> {
  if (email.direction !== "inbound") return;
  await tell(tx, service, email, "email.received", emailReceived);
}

/** Once indexing has ended; its first attempt follows that of the email's `email.received`. */
export async function emitProcessed(
  tx: Tx,
  service: Service,
  email: Email,
  status: "indexed" | "failed",
): Promise<void> {
  if (email.direction !== "inbound") return;
  const build = (told: EventEmail, at: Date) => emailProcessed(told, status, at);
  await tell(tx, service, email, "email.processed", build, "email.received");
}

export async function emitSent(tx: Tx, service: Service, email: Email): Promise<void> {
  await tell(tx, service, email, "email.sent", emailSent);
}

/** `occasion` tells two failures of one email apart, such as the bounces of two recipients. */
export async function emitFailed(
  tx: Tx,
  service: Service,
  email: Email,
  failure: SendFailure,
  occasion?: string,
): Promise<void> {
  const build = (told: EventEmail, at: Date) => emailFailed(told, failure, at, occasion);
  await tell(tx, service, email, "email.failed", build);
}

/** Emits what `build` makes of the email; `follows` names the event of the same email that comes first. */
async function tell(
  tx: Tx,
  service: Service,
  email: Email,
  name: EventName,
  build: (told: EventEmail, at: Date) => WebhookEvent,
  follows?: EventName,
): Promise<void> {
  const { userId, mailboxId } = email;
  await emit(tx, service, userId, name, async () => {
    const told = await eventEmailOf(tx, email);
    if (!told) return null;
    const event = build(told, new Date(service.clock.now()));
    return storedEvent(event, { mailboxId, follows: follows && eventId(follows, email.emailId) });
  });
}

/** null where the mailbox is gone. A rename that runs at the same time may show either domain. */
async function eventEmailOf(tx: Tx, email: Email): Promise<EventEmail | null> {
  const mailbox = await tx.peek<Mailbox>(keys.mailbox(email.userId, email.mailboxId));
  if (!mailbox) return null;
  return {
    email_id: email.emailId,
    message_id: email.messageId,
    subject: email.subject,
    from: email.from.address,
    to: bare(email.to),
    date: isoTime(email.date),
    mailbox_id: email.mailboxId,
    domain: mailbox.domain,
    has_attachments: (email.parsed?.attachmentIds.length ?? 0) > 0,
    thread_id: email.threadId,
  };
}
