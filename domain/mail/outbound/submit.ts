import { z } from "zod";
import { readUser } from "../../accounts/user.ts";
import { overQuota, spend } from "../../billing/usage.ts";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import { maySendFrom, signingKey } from "../../custom_domains/sending_domain.ts";
import type { AuditFacts, OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { BlobWriter, type FinishedBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { emitSent } from "../record/email_events.ts";
import { sendStatusField } from "../record/email_record.ts";
import type { MailAddress } from "../../../mime/headers/address_list.ts";
import { parsedFields } from "../reading/parsed_bodies.ts";
import { composeMessage, type DraftAttachment } from "../../../mime/compose/compose.ts";
import { signMessage } from "../../../mime/compose/dkim.ts";
import { type IdempotencyKey, rememberedOutput, rememberOutput } from "./idempotency.ts";
import { writeReturnPath } from "../inbound/return_path.ts";
import { keptInOutbox, localAddresses } from "./local_delivery.ts";
import { type Address, bare, type Email, fitted } from "../record/email.ts";
import { refuseRecipients } from "./refused_recipients.ts";
import { newOutgoing, queuedAddresses, sendStatus } from "./recipient_states.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { storeEmail } from "../store_email.ts";
import type { Caller } from "../../core/caller.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";

/** A message that is ready to be composed and sent. */
export interface Submission {
  mailbox: Mailbox;
  fromName?: string;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  attachments: readonly DraftAttachment[];
  /** Only in a reply. */
  answers?: Answered;
  idempotencyKey: IdempotencyKey;
}

/** What a reply takes from the email that it answers. */
export interface Answered {
  inReplyTo: string | null;
  references: string[];
  /** The Message-ID of the parent as threads know it, even if it is not safe in a header. */
  parentMessageId: string;
  parentThreadId: string;
  parentDateMs: number;
  /** The parent was automatic mail, and so is the reply (RFC 3834). */
  autoSubmitted: boolean;
  /** Further checks and writes of the reply, in its commit. */
  inCommit(tx: Tx): Promise<void>;
}

/** The output of `send_email` and `reply_email`. */
export const sendOutput = z.object({
  email_id: emailId.describe("Id of the sent email, for get_email"),
  message_id: z.string().describe("The Message-ID header, <left@right>"),
  thread_id: z.string().describe("For get_email_thread"),
  mailbox_id: z.string(),
  status: sendStatusField.describe(
    "queued: retried for up to 24 hours. The email shows its status later.",
  ),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  created_at: timestampField,
}).meta({ id: "SentEmail", description: "An email that was sent or waits to be sent" });
export type SendOutput = z.output<typeof sendOutput>;

/** The error codes of a send or a reply besides the general ones. */
export const sendErrors = [
  "VALIDATION_ERROR",
  "FORBIDDEN",
  "EMAIL_NOT_VERIFIED",
  "NOT_FOUND",
  "CONFLICT",
  "EMAIL_TOO_LARGE",
  "DOMAIN_NOT_ALLOWED",
  "RECIPIENT_SUPPRESSED",
] as const;

/**
 * Stores a message to be sent, in one commit: bytes, record, indexes, quota, recipients' states, the job that sends, and the
 * answer under its idempotency key. After this returns, the message is tried for up to 24 hours. Concurrent requests with
 * the same idempotency key store one message.
 */
export async function submit(
  service: Service,
  caller: Caller,
  call: OperationCall,
  submission: Submission,
): Promise<SendOutput> {
  const now = service.clock.now();
  const known = await rememberedOutput<SendOutput>(
    service.database,
    submission.idempotencyKey,
    now,
  );
  if (known) {
    call.audit(factsOf(known));
    return known;
  }
  const emailId = service.ids.timed(now);
  const raw = await writtenMessage(service, caller, submission, emailId, now);
  const limit = service.plans[caller.plan].maxEmailBytes;
  if (limit !== null && raw.length > limit) {
    throw new ServiceError("EMAIL_TOO_LARGE", "The message is larger than the plan allows.", {
      limit,
      size: raw.length,
    });
  }
  const body = await service.parsing.parse({
    userId: caller.userId,
    size: raw.length,
    load: () => Promise.resolve(raw),
  });
  const writer = new BlobWriter(service.database, service.ids, service.clock);
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
      const email = sentEmail(submission, emailId, finished, body, now);
      const output = await commit(tx, service, submission, email, finished, body);
      call.audit(factsOf(output), tx);
      return { output, isNew: true };
    });
    attached = isNew;
    return output;
  } finally {
    if (!attached) await (blob ?? writer).discard();
  }
}

function factsOf({ email_id, mailbox_id }: SendOutput): AuditFacts {
  return { emailId: email_id, mailboxId: mailbox_id, count: 1 };
}

async function writtenMessage(
  service: Service,
  caller: Caller,
  submission: Submission,
  emailId: string,
  now: number,
): Promise<Uint8Array> {
  const { mailbox, fromName, answers } = submission;
  const raw = await composeMessage({
    ...submission,
    messageId: messageIdOf(mailbox, emailId),
    dateMs: headerDate(now, answers?.parentDateMs),
    from: { ...(fromName ? { name: fromName } : {}), address: mailbox.address },
    inReplyTo: answers?.inReplyTo ?? undefined,
    references: answers?.references,
    autoSubmitted: answers?.autoSubmitted,
  });
  const key = await signingKey(service, caller.userId, mailbox.domain);
  return key ? await signMessage(raw, mailbox.domain, key) : raw;
}

/**
 * The time in whole seconds, as a Date header has it. Threads are ordered by date. A reply within the second of its parent,
 * whose date may have milliseconds, gets the next second.
 */
function headerDate(now: number, parentDateMs = 0): number {
  const second = now - now % 1_000;
  return parentDateMs > second && parentDateMs <= now ? second + 1_000 : second;
}

/** Contains the email id, so that no two are equal; the domain is the sender's (RFC 5322 3.6.4). */
function messageIdOf(mailbox: Mailbox, emailId: string): string {
  return `<${emailId}@${mailbox.domain}>`;
}

async function commit(
  tx: Tx,
  service: Service,
  submission: Submission,
  draft: Email,
  blob: FinishedBlob,
  body: MessageBody,
): Promise<SendOutput> {
  const { userId, mailboxId, receivedAt: now } = draft;
  const mailbox = await tx.get<Mailbox>(keys.mailbox(userId, mailboxId));
  if (!mailbox || mailbox.address !== draft.from.address) throw notFound("mailbox");
  const user = await readUser(tx, userId);
  if (!await maySendFrom(tx, service, userId, mailbox.domain)) {
    throw new ServiceError("DOMAIN_NOT_ALLOWED", "The mailbox's domain is not verified.", {
      domain: mailbox.domain,
      plan: user.plan,
    });
  }
  await refuseRecipients(tx, service, user, draft.envelope.to);
  await submission.answers?.inCommit(tx);
  const exceeded = await spend(tx, user, service.plans[user.plan], now, "sends", draft.size);
  if (exceeded) throw overQuota(exceeded, user.plan);
  const queued = newOutgoing(draft.emailId, draft.envelope.to, now);
  // Reads without a check are enough: each attempt looks its recipients up again.
  const store = { get: <T>(key: Deno.KvKey) => tx.peek<T>(key) };
  const local = await localAddresses(store, service, queuedAddresses(queued));
  const outgoing = service.mailer.isOutbox ? keptInOutbox(queued, local) : queued;
  if (queuedAddresses(outgoing).some((each) => !local.has(each))) {
    const { emailId } = draft;
    const sent = { userId, emailId, mailboxId };
    outgoing.returnPath = await writeReturnPath(tx, service, sent, mailbox.domain);
  }
  const status = sendStatus(outgoing);
  blob.attach(tx);
  const email = await storeEmail(tx, service, { ...draft, status }, body);
  tx.set(keys.outgoing(userId, email.emailId), outgoing);
  if (status === "queued") {
    const kind = queuedAddresses(outgoing).every((one) => local.has(one))
      ? "send_within"
      : "send_email";
    service.jobs.add(tx, kind, { userId, emailId: email.emailId });
  } else if (status === "sent") await emitSent(tx, service, email);
  const output = outputOf(email, status);
  rememberOutput(tx, submission.idempotencyKey, output, now);
  return output;
}

function sentEmail(
  { mailbox, fromName, to, cc, bcc, replyTo, subject, answers }: Submission,
  emailId: string,
  { ref }: FinishedBlob,
  body: MessageBody,
  now: number,
): Email {
  return fitted({
    emailId,
    userId: mailbox.userId,
    mailboxId: mailbox.mailboxId,
    threadId: answers?.parentThreadId ?? "",
    direction: "outbound",
    isRead: true,
    labels: [],
    auth: null,
    automated: answers?.autoSubmitted ?? false,
    messageId: messageIdOf(mailbox, emailId),
    inReplyTo: answers ? [answers.parentMessageId] : [],
    references: answers?.references ?? [],
    from: { address: mailbox.address, name: fromName ?? "" },
    replyTo: replyTo.map(withName),
    to: to.map(withName),
    cc: cc.map(withName),
    bcc: bcc.map(withName),
    subject,
    date: headerDate(now, answers?.parentDateMs),
    receivedAt: now,
    size: ref.size,
    raw: ref,
    envelope: {
      from: mailbox.address,
      to: [...to, ...cc, ...bcc].map(({ address }) => address),
    },
    truncated: false,
    // Parsed already: the event has `has_attachments`, and lists show the snippet.
    parsed: parsedFields(body),
  });
}

function withName({ name = "", address }: MailAddress): Address {
  return { name, address };
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
