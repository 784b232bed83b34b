import { setImmediate } from "node:timers";
import { readUser, type User } from "../../accounts/user.ts";
import { overQuota, spend } from "../../billing/usage.ts";
import { isoTime } from "../../core/clock.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import { requireSendingDomain } from "../../custom_domains/sending_domain.ts";
import type { Service } from "../../core/service.ts";
import { BlobWriter, type FinishedBlob } from "../../store/blobs.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import { useUploads } from "../../uploads/upload.ts";
import { writeReturnPath } from "../receive/return_path.ts";
import {
  acceptSend,
  type Audit,
  moveDraft,
  noAudit,
  requireCurrent,
  StaleRevision,
} from "../lifecycle/apply.ts";
import { sending, sendStatus, uniqueAddresses } from "../lifecycle/sending.ts";
import type { Decider, Draft } from "../record/draft.ts";
import type { Job } from "../../store/jobs.ts";
import { rememberedOutput } from "../lifecycle/idempotency.ts";
import { localAddresses } from "./local_delivery.ts";
import { bare, type Email } from "../record/email.ts";
import { recipientsOf, sentEmail, type Submission, writtenMessage } from "./outgoing_message.ts";
import { leastBytes, requireContentSize, requireSize } from "./message_size.ts";
import { judge, type Judgement, knownWriters, requireAllowed } from "./send_rules.ts";
import { countInThread, pauseAutomaticReplies } from "./thread_pace.ts";
import { isFrom } from "./submitted/read_submitted.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { parseHead } from "../../../mime/headers/parse_head.ts";
import { storeEmail } from "../receive/store_email.ts";
import type { Caller } from "../../core/caller.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { Reason, SendOutput } from "../record/send_output.ts";

/** Messages of more bytes are composed in turn. */
const largeBytes = 2 ** 20;

/** The draft that a message was: it is sent in the commit of the message. */
export interface DraftToSend {
  draft: Draft;
  /** Of its content. */
  hash: string;
  /** What is kept of its content. */
  kept: Uint8Array;
  event: { type: "send" | "time_reached" } | { type: "approve"; by: Decider | null };
  job?: Job<"send_draft">;
}

/** What became of a message: it was sent, or a person must approve it first and nothing was stored. */
export type Submitted = { output: SendOutput } | { wanted: readonly Reason[] };

/** The error codes of a send or a reply, in addition to the general ones. */
export const sendErrors = [
  "VALIDATION_ERROR",
  "FORBIDDEN",
  "EMAIL_NOT_VERIFIED",
  "NOT_FOUND",
  "CONFLICT",
  "EMAIL_TOO_LARGE",
  "DOMAIN_NOT_ALLOWED",
  "RECIPIENT_SUPPRESSED",
  "RECIPIENT_BLOCKED",
] as const;

/**
 * Stores a message to be sent, in one commit: bytes, record, indexes, quota, recipients' states, the job that sends, and the
 * answer under its idempotency key. After this returns, the message is tried for up to 24 hours. Concurrent requests with
 * the same idempotency key store one message. Every mail that leaves the service comes through here: plain sends, replies,
 * forwards and drafts, at once, later or approved.
 *
 * Throws SendRefused if a rule refuses it, StaleRevision if its draft has changed; then nothing is stored.
 */
export async function submit(
  service: Service,
  caller: Pick<Caller, "userId" | "plan">,
  call: Audit,
  submission: Submission,
  of: DraftToSend | null = null,
): Promise<Submitted> {
  requireContentSize(service, caller, submission);
  const now = service.clock.now();
  const emailId = service.ids.timed(now);
  const [raw] = await Promise.all([
    inTurn(service, caller, submission, emailId, now),
    service.database.prefetch(rowsOfSend(submission)),
  ]);
  requireSize(service, caller, raw.length);
  const [body, writers] = await Promise.all([
    parsed(service, caller, raw),
    knownWriters(service, submission),
  ]);
  const approved = of !== null &&
    (of.event.type === "approve" || of.draft.approvedHash === of.hash);
  const writer = new BlobWriter(service);
  let attached = false;
  let blob: FinishedBlob | null = null;
  try {
    await writer.write(raw);
    blob = await writer.finish();
    const finished = blob = blob.under(emailId);
    const { isNew, ...submitted } = await service.database.transact(async (tx) => {
      const earlier = await rememberedOutput<SendOutput>(tx, submission.idempotencyKey, now);
      if (earlier) {
        call.audit({ emailId: earlier.email_id, mailboxId: earlier.mailbox_id, count: 1 });
        return { output: earlier, isNew: false };
      }
      if (of) await requireSame(tx, of.draft, submission);
      const user = await requireSender(tx, service, submission);
      const wanted = await requireAllowed(tx, service, submission, writers, approved);
      if (wanted.length > 0) return { wanted, isNew: false };
      const draft = sentEmail(submission, emailId, finished.ref, body, now);
      const prepared = { draft, body, blob: finished, approved, user };
      const output = await commit(tx, service, call, submission, prepared, of);
      return { output, isNew: true };
    });
    attached = isNew;
    return submitted;
  } finally {
    if (!attached) await (blob ?? writer).discard();
  }
}

/**
 * Throws StaleRevision if the draft has changed, or the address of its mailbox, which is part of its content; CONFLICT if the
 * bytes of its message have a former address in From.
 */
async function requireSame(
  tx: Tx,
  draft: Draft,
  { mailbox: before, written }: Submission,
): Promise<void> {
  if (written && !isFrom(before, parseHead(written.bytes))) {
    const reason = "The message came by SMTP from the mailbox's former address; reject it.";
    throw new ServiceError("CONFLICT", reason);
  }
  const mailbox = await tx.get<Mailbox>(keys.mailbox(draft.userId, draft.mailboxId));
  if (mailbox && mailbox.address !== before.address) throw new StaleRevision();
  await requireCurrent(tx, draft);
}

/** Composing a MiB takes 20 to 30 ms of the main thread. Large messages of an account are composed one after another. */
async function inTurn(
  service: Service,
  caller: Caller,
  submission: Submission,
  emailId: string,
  now: number,
): Promise<Uint8Array> {
  const compose = () => writtenMessage(service, caller, submission, emailId, now);
  if (leastBytes(submission) < largeBytes) return await compose();
  return await service.largeMessageTurns.run(submission.mailbox.userId, async () => {
    // The work before ended in this turn of the event loop.
    await new Promise<void>((done) => void setImmediate(done));
    return await compose();
  });
}

/** The rows that the commit of every send reads. */
function rowsOfSend({ mailbox: { userId, mailboxId }, answers }: Submission): Deno.KvKey[] {
  const rows = [keys.mailbox(userId, mailboxId), keys.user(userId), keys.policy(userId, mailboxId)];
  return answers ? [...rows, keys.sendPace(userId, answers.parentThreadId)] : rows;
}

/** What a send would do, found by a run without the commit. */
export interface Rehearsal {
  /** Bytes of the message; of one that is surely too large, at least. */
  size: number;
  judgement: Judgement;
  /** Why it would not be sent; null if it would, or if it would wait for a person. */
  failure: ServiceError | null;
}

/** How a dry run judges mail that would be kept, for its time or for a person. */
export interface Keeping {
  /** The mail has a time, so it is kept in any case. */
  isLater: boolean;
  /** Throws if it cannot be kept. What a send costs is looked at when it is sent. */
  require(tx: Tx): Promise<void>;
}

/** Runs a send, or the keeping of its mail, up to the commit and stops there: nothing is written. */
export async function rehearse(
  service: Service,
  caller: Caller,
  submission: Submission,
  keeping: Keeping,
): Promise<Rehearsal> {
  const now = service.clock.now();
  const emailId = service.ids.timed(now);
  const writers = await knownWriters(service, submission, { always: true });
  let judgement: Judgement = { refused: [], wanted: [], provenances: new Map(), failure: null };
  let failure: ServiceError | null = null;
  let size = leastBytes(submission);
  let draft: Email | null = null, body: MessageBody | null = null;
  try {
    requireContentSize(service, caller, submission);
    const raw = await inTurn(service, caller, submission, emailId, now);
    size = raw.length;
    body = await parsed(service, caller, raw);
    const ref = { blobId: emailId, size, chunks: 1, sha256: "" };
    draft = sentEmail(submission, emailId, ref, body, now);
    if (!keeping.isLater) requireSize(service, caller, size);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "EMAIL_TOO_LARGE") throw error;
    failure = error;
  }
  try {
    await service.database.rehearse(async (tx) => {
      judgement = await judge(tx, service, submission, writers, { all: true });
      if (judgement.failure) throw judgement.failure;
      if (!draft || !body) return;
      if (keeping.isLater || judgement.wanted.length > 0) return await keeping.require(tx);
      const user = await requireSender(tx, service, submission);
      const prepared = { draft, body, blob: null, approved: false, user };
      await commit(tx, service, noAudit, submission, prepared, null);
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "SERVICE_UNAVAILABLE") throw error;
    failure ??= error;
  }
  return { size, judgement, failure };
}

async function parsed({ parsing }: Pick<Service, "parsing">, { userId }: Caller, raw: Uint8Array) {
  return await parsing.parse({ userId, size: raw.length, load: () => Promise.resolve(raw) });
}

/** Throws NOT_FOUND if the mailbox of the sender was deleted or renamed meanwhile. */
export async function requireMailbox(tx: Tx, { mailbox }: Submission): Promise<void> {
  const { userId, mailboxId, address } = mailbox;
  const current = await tx.get<Mailbox>(keys.mailbox(userId, mailboxId));
  if (current?.address !== address) throw notFound("mailbox");
}

/** The account of the sender. Throws NOT_FOUND as `requireMailbox`, DOMAIN_NOT_ALLOWED if its domain is not proved. */
export async function requireSender(
  tx: Tx,
  service: Service,
  submission: Submission,
): Promise<User> {
  const { userId, domain } = submission.mailbox;
  await requireMailbox(tx, submission);
  const user = await readUser(tx, userId);
  await requireSendingDomain(tx, service, userId, domain);
  return user;
}

interface Prepared {
  draft: Email;
  body: MessageBody;
  /** null: nothing is stored. */
  blob: FinishedBlob | null;
  approved: boolean;
  user: User;
}

async function commit(
  tx: Tx,
  service: Service,
  call: Audit,
  submission: Submission,
  { draft, body, blob, approved, user }: Prepared,
  of: DraftToSend | null,
): Promise<SendOutput> {
  const { userId, mailboxId, emailId, receivedAt: now, envelope: { to } } = draft;
  const { mailbox, answers, idempotencyKey } = submission;
  if (answers?.autoSubmitted && !approved) {
    await pauseAutomaticReplies(tx, userId, answers.parentThreadId, now);
  }
  // Before the message is counted as storage, because it has their bytes.
  await useUploads(tx, service, userId, submission.uploadIds ?? []);
  const exceeded = await spend(tx, user, service.plans[user.plan], now, "sends", draft.size);
  if (exceeded) throw overQuota(exceeded, user.plan);
  const addresses = uniqueAddresses(to);
  // Reads without a check are enough: each attempt looks its recipients up again.
  const local = await localAddresses(withoutChecks(tx), service, addresses);
  const { isOutbox } = service.mailer;
  const leaves = !isOutbox && addresses.some((each) => !local.has(each));
  const returnPath = leaves
    ? await writeReturnPath(tx, service, { userId, emailId, mailboxId }, mailbox.domain)
    : undefined;
  const facts = { userId, emailId, addresses, local, isOutbox, returnPath, now };
  const accepted = sending(null, { type: "accept", ...facts });
  const status = sendStatus(accepted.next);
  await blob?.attach(tx);
  const email = await storeEmail(tx, service, { ...draft, status }, body);
  if (!approved) {
    const isReply = answers !== undefined || draft.references.length > 0;
    await countInThread(tx, userId, email.threadId, to, now, { isReply, mailboxId });
  }
  const output = { ...outputOf(email, status), ...of && { draft_id: of.draft.draftId } };
  const answer = { remember: output, under: idempotencyKey };
  await acceptSend(tx, service, call, email, accepted, answer);
  if (of) {
    const { hash, kept, event, job } = of;
    const sent = { output, recipients: recipientsOf(submission), kept };
    await moveDraft(tx, service, noAudit, of.draft, { ...event, now, hash, sent });
    if (job) service.jobs.complete(tx, job);
  }
  return output;
}

function outputOf(email: Email, status: SendOutput["status"]): SendOutput {
  return {
    email_id: email.emailId,
    message_id: email.messageId,
    thread_id: email.threadId,
    mailbox_id: email.mailboxId,
    status,
    from: email.from.address,
    to: bare(email.to),
    cc: bare(email.cc),
    subject: email.subject,
    created_at: isoTime(email.receivedAt),
  };
}
