import { isoTime } from "../../core/clock.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { recordChange } from "../../changes/change.ts";
import { releaseBlob } from "../../store/blobs/blob_release.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { emit, storedEvent } from "../../webhooks/emit.ts";
import { draftEvent } from "../../webhooks/events.ts";
import { rememberKnown } from "../record/addresses/known_recipients.ts";
import { type IdempotencyKey, rememberOutput } from "./idempotency.ts";
import type { Draft } from "../record/draft.ts";
import type { Email } from "../record/email.ts";
import { emitFailed, emitSent } from "../record/email_events.ts";
import type { Outgoing } from "../record/outgoing.ts";
import { writeDetails } from "../record/write_email.ts";
import { draft, type DraftEvent, isOpen } from "./draft.ts";
import { countDraft } from "./draft_totals.ts";
import type { Effect, Transition } from "./effects.ts";
import { sending, type SendingEvent, sendStatus } from "./sending.ts";

/** A draft, an email or its mailbox has changed since it was read: it must be read again. */
export class StaleRevision extends Error {}

/** The audit of a call; a job has none, because the call that made it has a row. */
export type Audit = Pick<OperationCall, "audit">;
export const noAudit: Audit = { audit: () => {} };

type SendJob = Job<"send_email" | "send_within">;

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
  service: Service,
  call: Audit,
  before: Draft | null,
  event: MoveOfDraft,
): Promise<Draft> {
  if (before) await requireCurrent(tx, before);
  const { next, effects } = draft(before, event);
  const written = next!;
  const kept = isOpen(written) ? {} : { expireInMs: endedKeptMs };
  tx.set(keys.draft(written.userId, written.draftId), written, kept);
  await carryOut(tx, service, call, written, effects);
  return written;
}

/** The same in a transaction of its own, which may write more. */
export async function moveDraftAlone(
  service: Service,
  call: Audit,
  before: Draft,
  event: MoveOfDraft,
  inCommit?: (tx: Tx) => void,
): Promise<Draft> {
  return await service.database.transact(async (tx) => {
    inCommit?.(tx);
    return await moveDraft(tx, service, call, before, event);
  });
}

/** Removes a draft whose mailbox was deleted. */
export async function purgeDraft(tx: Tx, service: Service, before: Draft): Promise<void> {
  const { userId, draftId } = before;
  await carryOut(tx, service, noAudit, before, draft(before, { type: "purge" }).effects);
  tx.delete(keys.draft(userId, draftId));
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
  service: Service,
  call: Audit,
  email: Email,
  { next, effects }: Transition<Outgoing>,
  answer: { remember: unknown; under: IdempotencyKey },
): Promise<void> {
  const { userId, emailId, mailboxId } = email;
  tx.set(keys.outgoing(userId, emailId), next);
  const audit = { emailId, mailboxId, count: 1 };
  await carryOut(tx, service, call, { userId, email }, [...effects, answer, { audit }]);
}

/** Moves the send of an email, and writes what follows. One that was deleted has no rows but those of its send. */
export async function moveSend(
  tx: Tx,
  service: Service,
  { email, isDeleted, outgoing }: { email: Email; isDeleted: boolean; outgoing: Outgoing },
  event: SendingEvent,
  job?: SendJob,
): Promise<Outgoing> {
  const { userId, emailId } = email;
  const { next, effects } = sending(outgoing, event);
  if (effects.length === 0) return outgoing;
  const changed: Email = { ...email, status: sendStatus(next) };
  tx.set(keys.outgoing(userId, emailId), next);
  if (!isDeleted) writeDetails(tx, changed);
  await carryOut(tx, service, noAudit, { userId, email: changed, isDeleted, job }, effects);
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
  email?: Email;
  isDeleted?: boolean;
  job?: SendJob;
}

/** Writes effects in the transaction of their move. */
async function carryOut(
  tx: Tx,
  service: Service,
  call: Audit,
  { userId, draftId, email, isDeleted, job }: Subject,
  effects: readonly Effect[],
): Promise<void> {
  const { jobs } = service;
  for (const effect of effects) {
    if ("job" in effect) jobs.add(tx, effect.job, effect.payload, effect.at);
    else if ("change" in effect) await recordDraftChange(tx, service, effect);
    else if ("emailEvent" in effect) {
      if (effect.emailEvent === "email.sent") await emitSent(tx, service, email!);
      else await emitFailed(tx, service, email!, effect.failure, effect.occasion);
    } else if ("again" in effect) {
      if (effect.again !== null) jobs.putOff(tx, job!, effect.again);
      else endSendJob(tx, service, job!, isDeleted ? email! : null);
    } else if ("count" in effect) await countDraft(tx, service, userId, effect);
    else if ("audit" in effect) call.audit(effect.audit, tx);
    else if ("attach" in effect) await effect.attach.attach(tx);
    else if ("release" in effect) releaseBlob(tx, jobs, userId, effect.release);
    else if ("keep" in effect) {
      tx.set(keys.endedDraft(userId, draftId!), effect.keep, { expireInMs: endedKeptMs });
    } else if ("known" in effect) {
      const { known, mailboxId, since: knownSince } = effect;
      await rememberKnown(tx, userId, known, { knownSince, mailboxId });
    } else rememberOutput(tx, effect.under, effect.remember, service.clock.now());
  }
}

/** A change in the journal, and its event. */
async function recordDraftChange(
  tx: Tx,
  service: Service,
  { change: event, draft, contentHash }: Extract<Effect, { change: unknown }>,
): Promise<void> {
  const { userId, draftId, mailboxId, sent, revision } = draft;
  const at = service.clock.now();
  const emailId = sent?.email_id ?? null, threadId = sent?.thread_id ?? null;
  recordChange(tx, userId, { event, at, mailboxId, emailId, threadId, draftId, revision });
  await emit(tx, service, userId, event, () =>
    Promise.resolve(storedEvent(
      draftEvent(event, {
        change_id: null,
        timestamp: isoTime(at),
        mailbox_id: mailboxId,
        email_id: emailId,
        thread_id: threadId,
        draft_id: draftId,
        status: draft.status,
        content_hash: contentHash,
        reasons: draft.reasons.map((each) => ({ ...each })),
      }, String(revision)),
      { mailboxId, ...(emailId === null ? {} : { emailId }) },
    )));
}
