import { setImmediate } from "node:timers";
import { z } from "zod";
import { readUser } from "../../accounts/user.ts";
import { overQuota, spend } from "../../billing/usage.ts";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import type { AuditFacts, OperationCall } from "../../core/operation.ts";
import { requireSendingDomain } from "../../custom_domains/sending_domain.ts";
import type { Service } from "../../core/service.ts";
import { BlobWriter, type FinishedBlob } from "../../store/blobs.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import { emitSent } from "../record/email_events.ts";
import { truncatedField } from "../reading/budget.ts";
import { sendStatusField } from "../record/email_record.ts";
import { writeReturnPath } from "../inbound/return_path.ts";
import { rememberedOutput, rememberOutput } from "./idempotency.ts";
import { keptInOutbox, localAddresses } from "./local_delivery.ts";
import { bare, type Email } from "../record/email.ts";
import { judgedAddresses, sentEmail, type Submission, writtenMessage } from "./outgoing_message.ts";
import { leastBytes, requireContentSize, requireSize } from "./message_size.ts";
import { type Writers, writersOf } from "./provenance.ts";
import { newOutgoing, queuedAddresses, sendStatus } from "./recipient_states.ts";
import { judge, type Judgement, requireSendable } from "./send_rules.ts";
import { countInThread, pauseAutomaticReplies } from "./thread_pace.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { storeEmail } from "../store_email.ts";
import type { Caller } from "../../core/caller.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";

/** Messages of more bytes are composed in turn. */
const largeBytes = 2 ** 20;

/** What the commit of a send contains besides the mail. */
export interface Commission {
  /** A person has approved exactly this content. */
  approved?: boolean;
  /** Runs first, and throws if the mail must no longer be sent. */
  begin?(tx: Tx): Promise<void>;
  /** Runs last. */
  end?(tx: Tx, email: Email, output: SendOutput): Promise<void>;
}

/** The output of `send_email` and `reply_email`. */
export const sendOutput = z.object({
  email_id: emailId.describe("Id of the sent email, for get_email"),
  message_id: z.string().describe("The Message-ID header, <left@right>"),
  thread_id: z.string().describe("For get_email_thread"),
  mailbox_id: z.string(),
  status: sendStatusField.describe(
    "queued: retried for up to 24 hours, and the email shows its status later; stored: kept, but not sent to other " +
      "hosts, because the service has no relay",
  ),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  created_at: timestampField,
  draft_id: z.string().optional().describe("Present if it was a draft"),
  truncated: truncatedField,
}).meta({ id: "SentEmail", description: "An email that was sent or waits to be sent" });
export type SendOutput = z.output<typeof sendOutput>;

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
 * Throws SendRefused or ApprovalWanted by the rules, which decide in the commit; then nothing is stored.
 */
export async function submit(
  service: Service,
  caller: Caller,
  call: Pick<OperationCall, "audit">,
  submission: Submission,
  commission: Commission = {},
): Promise<SendOutput> {
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
  const writer = new BlobWriter(service);
  let attached = false;
  let blob: FinishedBlob | null = null;
  try {
    await writer.write(raw);
    blob = await writer.finish();
    const finished = blob = blob.under(emailId);
    const { output, isNew } = await service.database.transact(async (tx) => {
      const earlier = await rememberedOutput<SendOutput>(tx, submission.idempotencyKey, now);
      if (earlier) {
        call.audit(factsOf(earlier));
        return { output: earlier, isNew: false };
      }
      await commission.begin?.(tx);
      const draft = sentEmail(submission, emailId, finished.ref, body, now);
      const { output, email } = await commit(tx, service, submission, {
        ...{ draft, body, writers, blob: finished },
        approved: commission.approved ?? false,
      });
      await commission.end?.(tx, email, output);
      call.audit(factsOf(output), tx);
      return { output, isNew: true };
    });
    attached = isNew;
    return output;
  } finally {
    if (!attached) await (blob ?? writer).discard();
  }
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

function factsOf({ email_id, mailbox_id }: SendOutput): AuditFacts {
  return { emailId: email_id, mailboxId: mailbox_id, count: 1 };
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
    await service.database.transact(async (tx) => {
      judgement = await judge(tx, service, judgedMail(submission, writers, false), { all: true });
      if (judgement.failure) throw judgement.failure;
      if (!draft || !body) throw new Rehearsed();
      if (keeping.isLater || judgement.wanted.length > 0) await keeping.require(tx);
      else {
        const prepared = { draft, body, writers, blob: null, approved: null };
        await commit(tx, service, submission, prepared);
      }
      throw new Rehearsed();
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code !== "SERVICE_UNAVAILABLE") failure ??= error;
    else if (!(error instanceof Rehearsed)) throw error;
  }
  return { size, judgement, failure };
}

class Rehearsed extends Error {}

async function parsed({ parsing }: Service, { userId }: Caller, raw: Uint8Array) {
  return await parsing.parse({ userId, size: raw.length, load: () => Promise.resolve(raw) });
}

/** Which recipients of a reply wrote in its thread. Read before the commit, which checks their emails again. */
export async function knownWriters(
  service: Service,
  submission: Submission,
  { always = false }: { always?: boolean } = {},
): Promise<Writers> {
  const { mailbox: { userId, mailboxId }, answers } = submission;
  if (!answers) return new Map();
  // An out-of-date policy does no harm: the commit uses the one that it reads itself.
  const rows = service.database;
  const early = { get: async <T>(key: Deno.KvKey) => (await rows.prefetch<T>([key]))[0] };
  const { approval } = await readPolicy(early, userId, mailboxId);
  if (approval === "never" && !always) return new Map();
  const { parentThreadId, parentId } = answers;
  return await writersOf(service, userId, parentThreadId, parentId, judgedAddresses(submission));
}

function judgedMail(submission: Submission, writers: Writers, approved: boolean) {
  const { userId, mailboxId } = submission.mailbox;
  return { userId, mailboxId, recipients: judgedAddresses(submission), writers, approved };
}

interface Prepared {
  draft: Email;
  body: MessageBody;
  writers: Writers;
  /** null: nothing is stored. */
  blob: FinishedBlob | null;
  /** null: the rules were applied already. */
  approved: boolean | null;
}

async function commit(
  tx: Tx,
  service: Service,
  submission: Submission,
  { draft, body, writers, blob, approved }: Prepared,
): Promise<{ output: SendOutput; email: Email }> {
  const { userId, mailboxId, receivedAt: now } = draft;
  const mailbox = await tx.get<Mailbox>(keys.mailbox(userId, mailboxId));
  if (!mailbox || mailbox.address !== draft.from.address) throw notFound("mailbox");
  const user = await readUser(tx, userId);
  await requireSendingDomain(tx, service, userId, mailbox.domain);
  if (approved !== null) {
    requireSendable(await judge(tx, service, judgedMail(submission, writers, approved)));
  }
  if (submission.answers?.autoSubmitted && !approved) {
    await pauseAutomaticReplies(tx, userId, submission.answers.parentThreadId, now);
  }
  const exceeded = await spend(tx, user, service.plans[user.plan], now, "sends", draft.size);
  if (exceeded) throw overQuota(exceeded, user.plan);
  const queued = newOutgoing(draft.emailId, draft.envelope.to, now);
  // Reads without a check are enough: each attempt looks its recipients up again.
  const store = withoutChecks(tx);
  const local = await localAddresses(store, service, queuedAddresses(queued));
  const outgoing = service.mailer.isOutbox ? keptInOutbox(queued, local) : queued;
  if (queuedAddresses(outgoing).some((each) => !local.has(each))) {
    const { emailId } = draft;
    const sent = { userId, emailId, mailboxId };
    outgoing.returnPath = await writeReturnPath(tx, service, sent, mailbox.domain);
  }
  const status = sendStatus(outgoing);
  await blob?.attach(tx);
  const email = await storeEmail(tx, service, { ...draft, status }, body);
  if (!approved) {
    const isReply = submission.answers !== undefined;
    const { threadId } = email;
    await countInThread(tx, userId, threadId, draft.envelope.to, now, { isReply, mailboxId });
  }
  tx.set(keys.outgoing(userId, email.emailId), outgoing);
  if (status === "queued") {
    const kind = queuedAddresses(outgoing).every((one) => local.has(one))
      ? "send_within"
      : "send_email";
    service.jobs.add(tx, kind, { userId, emailId: email.emailId });
  } else if (status === "sent") await emitSent(tx, service, email);
  const output = outputOf(email, status);
  rememberOutput(tx, submission.idempotencyKey, output, now);
  return { output, email };
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
