import { isoTime } from "../clock.ts";
import { bare, type Email } from "../mail/message.ts";
import type { Mailbox } from "../mailboxes/mailboxes.ts";
import type { Service } from "../service.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";
import { emit, isWanted } from "./emit.ts";
import {
  emailFailed,
  emailProcessed,
  emailReceived,
  emailSent,
  type EventEmail,
  eventId,
  type EventName,
  type SendFailure,
} from "./events.ts";

/**
 * The events of an email, each emitted in the transaction that makes it true, by the code that makes it
 * true. Nothing is emitted of a mailbox that has been deleted.
 */

/** Once the body is read: `has_attachments` is known, and whoever asks for the email finds all of it. */
export async function emitReceived(tx: Tx, service: Service, email: Email): Promise<void> {
  if (email.direction !== "inbound") return;
  const told = await eventEmailOf(tx, email, "email.received");
  if (!told) return;
  const at = new Date(service.clock.now());
  await emit(tx, service, email.userId, emailReceived(told, at), { mailboxId: email.mailboxId });
}

/** Once indexing has ended; its first attempt follows that of the email's `email.received`. */
export async function emitProcessed(
  tx: Tx,
  service: Service,
  email: Email,
  status: "indexed" | "failed",
): Promise<void> {
  if (email.direction !== "inbound") return;
  const told = await eventEmailOf(tx, email, "email.processed");
  if (!told) return;
  const at = new Date(service.clock.now());
  await emit(tx, service, email.userId, emailProcessed(told, status, at), {
    mailboxId: email.mailboxId,
    follows: eventId("email.received", email.emailId),
  });
}

export async function emitSent(tx: Tx, service: Service, email: Email): Promise<void> {
  const told = await eventEmailOf(tx, email, "email.sent");
  if (!told) return;
  const at = new Date(service.clock.now());
  await emit(tx, service, email.userId, emailSent(told, at), { mailboxId: email.mailboxId });
}

/** `occasion` tells two failures of one email apart, such as the bounces of two recipients. */
export async function emitFailed(
  tx: Tx,
  service: Service,
  email: Email,
  failure: SendFailure,
  occasion?: string,
): Promise<void> {
  const told = await eventEmailOf(tx, email, "email.failed");
  if (!told) return;
  const at = new Date(service.clock.now());
  await emit(tx, service, email.userId, emailFailed(told, failure, at, occasion), {
    mailboxId: email.mailboxId,
  });
}

/** null where no webhook wants it or the mailbox is gone. A rename that runs at the same time may show either domain. */
async function eventEmailOf(tx: Tx, email: Email, name: EventName): Promise<EventEmail | null> {
  if (!await isWanted(tx, email.userId, name)) return null;
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
