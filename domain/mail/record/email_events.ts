import { isoTime } from "../../core/clock.ts";
import { recordEmailChange } from "./email_changes.ts";
import { bare } from "./email.ts";
import type { EmailRow } from "./email_row.ts";
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

/** What events say of an email. */
type EventSource = EmailRow & { userId: string };

/**
 * The events of an email. Each is emitted in the transaction of the change that it reports. A deleted mailbox has no
 * events.
 */

/** Emitted in the commit with the parsed body, because `has_attachments` is known only then. */
export async function emitReceived(tx: Tx, service: Service, email: EventSource): Promise<void> {
  if (email.direction !== "inbound") return;
  await emitEvent(tx, service, email, "email.received", emailReceived);
}

/**
 * Emitted after indexing and the check of the sender. Its first delivery attempt follows that of the `email.received` of
 * the email.
 */
export async function emitProcessed(
  tx: Tx,
  service: Service,
  email: EventSource,
  status: "indexed" | "failed",
): Promise<void> {
  if (email.direction !== "inbound") return;
  recordEmailChange(tx, email, "email.processed", service.clock.now());
  const build = (shown: EventEmail, at: Date) =>
    emailProcessed(shown, { status, automated: email.automated, auth: email.auth }, at);
  await emitEvent(tx, service, email, "email.processed", build, "email.received");
}

export async function emitSent(tx: Tx, service: Service, email: EventSource): Promise<void> {
  recordEmailChange(tx, email, "email.sent", service.clock.now());
  await emitEvent(tx, service, email, "email.sent", emailSent);
}

/** `occasion` separates two failures of one email, such as the bounces of two recipients. */
export async function emitFailed(
  tx: Tx,
  service: Service,
  email: EventSource,
  failure: SendFailure,
  occasion?: string,
): Promise<void> {
  recordEmailChange(tx, email, "email.failed", service.clock.now());
  const build = (shown: EventEmail, at: Date) => emailFailed(shown, failure, at, occasion);
  await emitEvent(tx, service, email, "email.failed", build);
}

/** Emits the event that `build` makes; `follows` names an event of the same email that is delivered first. */
async function emitEvent(
  tx: Tx,
  service: Service,
  email: EventSource,
  name: EventName,
  build: (shown: EventEmail, at: Date) => WebhookEvent,
  follows?: EventName,
): Promise<void> {
  const { userId, mailboxId } = email;
  await emit(tx, service, userId, name, async () => {
    const shown = await eventEmailOf(tx, email);
    if (!shown) return null;
    const event = build(shown, new Date(service.clock.now()));
    const { emailId } = email;
    return storedEvent(event, {
      emailId,
      mailboxId,
      follows: follows && eventId(follows, emailId),
    });
  });
}

/** The email in an event; null if the mailbox was deleted. During a rename of the mailbox it has either domain. */
async function eventEmailOf(tx: Tx, email: EventSource): Promise<EventEmail | null> {
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
