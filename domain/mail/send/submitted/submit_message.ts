import type { Caller } from "../../../core/caller.ts";
import { unavailable } from "../../../core/errors.ts";
import { requireAllowed } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import { readPolicy } from "../../../mailboxes/policy/policy.ts";
import { lookUpOnce, SentMeanwhile } from "../../lifecycle/sent_once.ts";
import { sha256Of } from "../../record/content_hash.ts";
import { beginSend } from "../begin_send.ts";
import { requireSize } from "../message_size.ts";
import { sendEmail } from "../send_email.ts";
import { judge } from "../send_rules.ts";
import { findAnswered } from "./find_answered.ts";
import { readSubmitted, type Transaction } from "./read_submitted.ts";

/** What became of a message: `repeated` if all of its recipients have had it. */
export interface Taken {
  as: "sent" | "held" | "repeated";
  /** The email's; the draft's, if it waits for a person. */
  id: string;
}

/** Other transactions may send the same message meanwhile, but not this many times in a row. */
const mostTurns = 10;

/**
 * Sends a message of SMTP submission by the rules of `send_email`, to those of its recipients who have not had it within 24
 * hours. Throws what `send_email` throws, and as `readSubmitted`.
 */
export async function submitMessage(
  service: Service,
  caller: Caller,
  mailbox: Mailbox,
  transaction: Transaction,
): Promise<Taken> {
  requireAllowed(caller, sendEmail);
  requireSize(service, caller, transaction.bytes.length);
  const now = service.clock.now();
  const inputHash = sha256Of(transaction.bytes);
  const all = readSubmitted(mailbox, transaction, { id: service.ids.timed(now), now });
  const { messageId } = all.written;
  const { approval } = await readPolicy(service.database, mailbox.userId, mailbox.mailboxId);
  const answered = approval === "never" ? null : await findAnswered(service, mailbox, all.written);
  const { recipients } = transaction;
  for (let turn = 0; turn < mostTurns; turn++) {
    const asked = { messageId, inputHash, recipients };
    const { left, had, once } = await lookUpOnce(service.database, mailbox, asked, now);
    if (left.length === 0) return { as: "repeated", id: had ?? "" };
    const message = {
      ...all,
      bcc: all.bcc.filter(({ address }) => left.includes(address)),
      written: { ...all.written, recipients: left, answered },
    };
    const audited = service.audit.begin(caller, sendEmail.name, { surface: "smtp" });
    const call = { audit: audited?.note.bind(audited) ?? (() => {}) };
    try {
      const unread = { ...message, files: [], idempotencyKey: once };
      const sent = await beginSend(service, caller, call, unread, {}, answered?.parentId);
      audited?.end(null);
      return "email_id" in sent
        ? { as: "sent", id: sent.email_id }
        : { as: "held", id: "draft_id" in sent ? sent.draft_id : "" };
    } catch (error) {
      if (!(error instanceof SentMeanwhile)) throw error;
    }
  }
  throw unavailable("The same message is sent all the time.");
}

/** Throws if the mailbox may not write to this address at present: it is suppressed, blocked, or the account must be confirmed. */
export async function requireRecipient(
  service: Service,
  mailbox: Mailbox,
  address: string,
): Promise<void> {
  const mail = { mailbox, to: [{ address }], cc: [], bcc: [], replyTo: [] };
  await service.database.rehearse(async (tx) => {
    const { failure } = await judge(tx, service, mail, new Map());
    if (failure) throw failure;
  });
}
