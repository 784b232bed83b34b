import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { countActivity } from "../../activity/counters.ts";
import { countStorage } from "../../billing/usage.ts";
import type { EmailOfAccount } from "../../core/job_kinds.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import { releaseBlob } from "../../store/blobs/blob_release.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { rememberKnown } from "../record/addresses/known_recipients.ts";
import { suppress } from "../record/addresses/suppressions.ts";
import type { Draft } from "../record/draft.ts";
import { emitDraftChange } from "../record/draft_changes.ts";
import type { Email } from "../record/email.ts";
import { emitEmailEvent, recordEmailChange } from "../record/email_events.ts";
import { type EmailRow, hasArrived } from "../record/email_row.ts";
import { noteReply } from "../record/open_replies.ts";
import type { Outgoing } from "../record/outgoing.ts";
import { emailRow } from "../record/read_email.ts";
import { forgetStates, keepUnsent } from "../record/unsent_email.ts";
import { deleteRows, writeDetails, writeEmail, writeRow } from "../record/write_email.ts";
import { draft, type DraftEvent, isOpen } from "./draft.ts";
import { countDraft } from "./draft_totals.ts";
import { beginWait, endWait } from "./draft_waits.ts";
import type { Effect, SendingEffect, Transition } from "./effects.ts";
import { emailEffects } from "./email.ts";
import { type IdempotencyKey, rememberOutput } from "./idempotency.ts";
import { countInMailbox, countUnread } from "./mail_counts.ts";
import {
  completeOf,
  isComplete,
  type Processing,
  processing,
  type ProcessingEvent,
} from "./processing.ts";
import { sending, type SendingEvent, sendStatus } from "./sending.ts";

/*
 * The only writer of what the moves of an email, a send and a draft cause: rows, counters, the journal, events, jobs and
 * the release of bytes. Each move is one transaction; what follows from it is decided in the pure files beside this one.
 */

/** A draft, an email or its mailbox has changed since it was read: it must be read again. */
export class StaleRevision extends Error {}

/** The audit of a call; a job has none, because the call that made it has a row. */
export type Audit = Pick<OperationCall, "audit">;
export const noAudit: Audit = { audit: () => {} };

export type Parts = Pick<Service, "clock" | "database" | "jobs" | "plans">;
type OwnedRow = EmailRow & { userId: string };
type SendJob = Job<"send_email" | "send_within">;

/** Writes a new email. `facts`: of received mail whose sender is to be checked. */
export async function addEmail(
  tx: Tx,
  parts: Parts,
  email: Email,
  { excerpt, facts: toCheck }: { excerpt: string; facts?: SenderFacts },
): Promise<void> {
  const { size, parsed } = email;
  writeEmail(tx, email, excerpt);
  await carryOut(tx, parts, about(email), emailEffects({ is: "stored", email }));
  const facts = { large: size >= largeMessageBytes, parsed, facts: toCheck };
  const imported = email.importId === undefined ? {} : { imported: true as const };
  const stored = { is: "stored", inbound: hasArrived(email), ...imported, ...facts } as const;
  await process(tx, parts, email, null, stored);
}

/** Writes the row of an email after a change of what lists show of it, such as a mark; `before`: its row, if it may be read now. */
export async function changeRow(
  tx: Tx,
  parts: Parts,
  email: OwnedRow,
  before: Pick<EmailRow, "isRead"> = email,
): Promise<void> {
  writeRow(tx, email.userId, email);
  const isCounted = email.direction === "inbound" && before.isRead !== email.isRead;
  const event = !isCounted ? "marked" : email.isRead ? "read" : "unread";
  await carryOut(tx, parts, about(email), emailEffects(event));
}

/** Deletes an email: nothing finds its rows any more. */
export async function deleteStored(tx: Tx, parts: Parts, email: Email): Promise<void> {
  deleteRows(tx, email);
  await carryOut(tx, parts, about(email), emailEffects({ is: "deleted", email }));
}

/** Removes what is left of an email whose rows are deleted. `isSent`: false if it has no recipients. */
export async function purge(
  tx: Tx,
  parts: Parts,
  { raw, isSent, ...ids }: EmailOfAccount & Pick<Email, "raw"> & { isSent: boolean },
): Promise<void> {
  await carryOut(tx, parts, ids, emailEffects({ is: "purged", raw, isSent }));
}

/** Moves the processing of an email: its row, and all that follows. `state` is null for a new email. */
async function process(
  tx: Tx,
  parts: Parts,
  email: OwnedRow,
  state: Processing | null,
  event: ProcessingEvent,
): Promise<void> {
  const { next, effects } = processing(state, event);
  const key = keys.emailProcessing(email.userId, email.emailId);
  if (!isComplete(next)) tx.set(key, next);
  else if (state && !isComplete(state)) tx.delete(key);
  await carryOut(tx, parts, about(email), effects);
}

/** Moves the processing of a stored email. Returns false, and writes nothing, if the email was deleted. */
export async function advance(
  tx: Tx,
  parts: Parts,
  { userId, emailId }: EmailOfAccount,
  event: ProcessingEvent,
): Promise<boolean> {
  const [row, state] = await Promise.all([
    emailRow(tx, parts.database, userId, emailId),
    tx.get<Processing>(keys.emailProcessing(userId, emailId)),
  ]);
  if (row) await process(tx, parts, { ...row, userId }, state ?? completeOf(row), event);
  return row !== null;
}

/** An event after which there is a draft. */
type MoveOfDraft = Exclude<DraftEvent, { type: "purge" }>;

/** An ended draft is kept for 30 days. */
const endedKeptMs = 30 * 86_400_000;

/**
 * Moves the draft that was read, in a transaction, and writes all that follows from it. Returns the draft after the event.
 * Throws StaleRevision if the draft has changed since, FORBIDDEN if the account has no room for it.
 */
export async function moveDraft(
  tx: Tx,
  parts: Parts,
  call: Audit,
  before: Draft | null,
  event: MoveOfDraft,
): Promise<Draft> {
  if (before) await requireCurrent(tx, before);
  const { next, effects } = draft(before, event);
  const written = next!;
  const kept = isOpen(written) ? {} : { expireInMs: endedKeptMs };
  tx.set(keys.draft(written.userId, written.draftId), written, kept);
  noteReply(tx, written, isOpen(written));
  const { userId, draftId } = written;
  await carryOut(tx, parts, { userId, draftId }, effects, call);
  return written;
}

/** The same in a transaction of its own, which may write more. */
export async function moveDraftAlone(
  parts: Parts,
  call: Audit,
  before: Draft,
  event: MoveOfDraft,
  inCommit?: (tx: Tx) => void,
): Promise<Draft> {
  return await parts.database.transact(async (tx) => {
    inCommit?.(tx);
    return await moveDraft(tx, parts, call, before, event);
  });
}

/** Removes a draft whose mailbox was deleted. */
export async function purgeDraft(tx: Tx, parts: Parts, before: Draft): Promise<void> {
  const { userId, draftId } = before;
  await carryOut(tx, parts, { userId, draftId }, draft(before, { type: "purge" }).effects);
  tx.delete(keys.draft(userId, draftId));
  noteReply(tx, before, false);
  tx.delete(keys.endedDraft(userId, draftId));
}

/** Throws StaleRevision if the draft is not the one that was read. */
export async function requireCurrent(tx: Tx, { userId, draftId, revision }: Draft): Promise<void> {
  const stored = await tx.get<Draft>(keys.draft(userId, draftId));
  if (stored?.revision !== revision) throw new StaleRevision();
}

/** Accepts an email that was stored in this transaction to be sent, with the answer of its send. */
export async function acceptSend(
  tx: Tx,
  parts: Parts,
  call: Audit,
  email: Email,
  { next, effects }: Transition<Outgoing, SendingEffect>,
  answer: { remember: unknown; under: IdempotencyKey },
): Promise<void> {
  const { userId, emailId, mailboxId } = email;
  tx.set(keys.outgoing(userId, emailId), next);
  const audit = { emailId, mailboxId, count: 1 };
  await carryOut(tx, parts, about(email), [...effects, answer, { audit }], call);
}

/** A send with its email. Of one that was deleted, and is not sent any more, only the ids are known. */
export interface Send {
  userId: string;
  mailboxId: string;
  email: Email | null;
  isDeleted: boolean;
  outgoing: Outgoing;
}

/** Moves the send of an email, and writes what follows. One that was deleted has no rows but those of its send. */
export async function moveSend(
  tx: Tx,
  parts: Parts,
  { userId, mailboxId, email, isDeleted, outgoing }: Send,
  event: SendingEvent,
  job?: SendJob,
): Promise<Outgoing> {
  const { emailId } = outgoing;
  const { next, effects } = sending(outgoing, event);
  const changed = email ? { ...email, status: sendStatus(next) } : undefined;
  if (next !== outgoing) {
    tx.set(keys.outgoing(userId, emailId), next);
    if (changed && !isDeleted) writeDetails(tx, changed);
  }
  const deleted = isDeleted ? email : null;
  await carryOut(tx, parts, { userId, emailId, mailboxId, email: changed, deleted, job }, effects);
  return next;
}

/** Ends the job of a send; a job removes the bytes of an email that was deleted while it was sent. */
export function endSendJob(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  job: SendJob,
  deleted: Email | null,
): void {
  jobs.complete(tx, job);
  if (!deleted) return;
  const { userId, emailId, raw } = deleted;
  tx.delete(keys.emailUnsent(userId, emailId));
  jobs.add(tx, "purge_email", { userId, emailId, raw });
}

/** What an effect may be about. */
interface Subject {
  userId: string;
  draftId?: string;
  emailId?: string;
  mailboxId?: string;
  email?: OwnedRow;
  /** Set if the email of a send was deleted. */
  deleted?: Email | null;
  job?: SendJob;
}

function about<Row extends OwnedRow>(email: Row) {
  const { userId, emailId, mailboxId } = email;
  return { userId, emailId, mailboxId, email };
}

/** Writes effects in the transaction of their move. */
async function carryOut(
  tx: Tx,
  parts: Parts,
  subject: Subject,
  effects: readonly Effect[],
  call: Audit = noAudit,
): Promise<void> {
  const { userId, draftId, emailId, mailboxId, deleted = null, job } = subject;
  const { jobs, clock } = parts;
  let email = subject.email!;
  for (const effect of effects) {
    if ("job" in effect) {
      const payload = { ...effect.payload, userId, ...emailId !== undefined && { emailId } };
      jobs.add(tx, effect.job, payload as Job<typeof effect.job>["payload"], effect.at);
    } else if ("draft" in effect) await emitDraftChange(tx, parts, effect);
    else if ("change" in effect) recordEmailChange(tx, email, effect.change, clock.now());
    else if ("event" in effect || "processed" in effect || "emailEvent" in effect) {
      await emitEmailEvent(tx, parts, email, effect);
    } else if ("auth" in effect) writeRow(tx, userId, email = { ...email, auth: effect.auth });
    else if ("count" in effect) {
      if (effect.count === "drafts") await countDraft(tx, parts, userId, effect);
      else if (effect.count === "mailbox") await countInMailbox(tx, email, effect.by);
      else if (effect.count === "unread") await countUnread(tx, email, effect.by);
      else if (effect.count === "storage") await countStorage(tx, userId, effect.bytes);
      else countActivity(tx, userId, effect.what, clock.now());
    } else if ("again" in effect) {
      if (effect.again !== null) jobs.putOff(tx, job!, effect.again);
      else endSendJob(tx, parts, job!, deleted);
    } else if ("suppress" in effect) {
      const { suppress: address, status } = effect;
      const of = { emailId: emailId!, mailboxId: mailboxId! };
      await suppress(tx, userId, { address, status, ...of, createdAt: clock.now() });
    } else if ("audit" in effect) call.audit(effect.audit, tx);
    else if ("wait" in effect) {
      await (effect.wait === "begins" ? beginWait : endWait)(tx, parts, userId, draftId!);
    } else if ("attach" in effect) await effect.attach.attach(tx);
    else if ("release" in effect) await releaseBlob(tx, parts, userId, effect.release);
    else if ("keep" in effect) {
      tx.set(keys.endedDraft(userId, draftId!), effect.keep, { expireInMs: endedKeptMs });
    } else if ("known" in effect) {
      const sent = { knownSince: effect.since, mailboxId: effect.mailboxId };
      await rememberKnown(tx, userId, effect.known, sent);
    } else if ("keepUnsent" in effect) keepUnsent(tx, email as Email);
    else if ("forget" in effect) await forgetStates(tx, parts, userId, emailId!);
    else rememberOutput(tx, effect.under, effect.remember, clock.now());
  }
}
