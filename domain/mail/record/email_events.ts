import { type ChangeEvent, recordChange } from "../../changes/change.ts";
import { isoTime } from "../../core/clock.ts";
import type { Service } from "../../core/service.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { emit, storedEvent } from "../../webhooks/emit.ts";
import {
  emailCame,
  emailFailed,
  emailProcessed,
  emailSent,
  type EventEmail,
  eventId,
  type WebhookEvent,
} from "../../webhooks/events.ts";
import type { Effect } from "../lifecycle/effects.ts";
import { bare, type Email } from "./email.ts";
import type { EmailRow } from "./email_row.ts";

/** What events say of an email. */
type EventSource = EmailRow & { userId: string };

/** Records a change of an email, `at` ms since 1970, in the transaction that makes it. */
export function recordEmailChange(
  tx: Tx,
  email: Pick<Email, "userId" | "mailboxId" | "emailId" | "threadId">,
  event: ChangeEvent,
  at: number,
): void {
  const { userId, mailboxId, emailId, threadId } = email;
  recordChange(tx, userId, { event, at, mailboxId, emailId, threadId });
}

type EventEffect = Extract<
  Effect,
  { event: unknown } | { processed: unknown } | { emailEvent: unknown }
>;

/**
 * Emits the event of an effect in the transaction of the change that it reports, with the entry in the journal; that of
 * mail that came in is written before its body is parsed. A deleted mailbox has no events.
 */
export async function emitEmailEvent(
  tx: Tx,
  { clock, jobs }: Pick<Service, "clock" | "jobs">,
  email: EventSource,
  effect: EventEffect,
): Promise<void> {
  const { userId, mailboxId, emailId } = email;
  const name = "event" in effect
    ? effect.event
    : "processed" in effect
    ? "email.processed"
    : effect.emailEvent;
  if (!("event" in effect)) recordEmailChange(tx, email, name, clock.now());
  // Its first delivery attempt follows that of the `email.received` of the email.
  const follows = name === "email.processed" ? eventId("email.received", emailId) : undefined;
  await emit(tx, { jobs }, userId, name, async () => {
    const shown = await eventEmailOf(tx, email);
    if (!shown) return null;
    const event = eventOf(effect, shown, email, new Date(clock.now()));
    return storedEvent(event, { emailId, mailboxId, follows });
  });
}

function eventOf(
  effect: EventEffect,
  shown: EventEmail,
  { automated, auth, from, parsed, envelopeTo = [] }: EventSource,
  at: Date,
): WebhookEvent {
  if ("event" in effect) {
    const snippet = parsed?.snippet ?? "";
    const facts = { from_name: from.name, envelope_to: envelopeTo, automated, snippet };
    return emailCame(effect.event, shown, facts, at);
  }
  if ("processed" in effect) {
    const facts = { status: effect.processed, envelope_to: envelopeTo, automated, auth };
    return emailProcessed(shown, facts, at);
  }
  if (effect.emailEvent === "email.sent") return emailSent(shown, at);
  return emailFailed(shown, effect, at, effect.occasion);
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
    ...email.metadata && { metadata: email.metadata },
  };
}
