import { signingKey } from "../../custom_domains/sending_domain.ts";
import type { Caller } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { composeMessage, type OutgoingAttachment } from "../../../mime/compose/compose.ts";
import { signMessage } from "../../../mime/compose/dkim.ts";
import type { MailAddress } from "../../../mime/headers/address_list.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { type Email, fitted, parsedFields } from "../record/email.ts";
import type { Address } from "../record/email_row.ts";
import { contentHash, type MessageContent, sha256Of } from "../record/content_hash.ts";
import type { IdempotencyKey } from "../lifecycle/idempotency.ts";
import { uniqueAddresses } from "../lifecycle/sending.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** A message that is ready to be composed and sent. */
export interface Submission extends MessageContent {
  mailbox: Mailbox;
  fromName?: string;
  /** Kept with the email, never sent. */
  metadata?: Readonly<Record<string, string>>;
  attachments: readonly OutgoingAttachment[];
  /** Uploads that the commit of this message uses up: its attachments have their bytes. */
  uploadIds?: readonly string[];
  /** Marked `Auto-Submitted: auto-replied` although it answers no automatic mail. */
  automatic: boolean;
  /** Only in a reply. */
  answers?: Answered;
  /** Of a message that goes out as its sender wrote it; the other fields are what it says. */
  written?: Written;
  idempotencyKey: IdempotencyKey;
}

/** A message that came with its bytes, and goes out as it came but for a DKIM signature. */
export interface Written {
  bytes: Uint8Array;
  /** Of the bytes. */
  sha256: string;
  /** Of the envelope, as given: the header may name others. */
  recipients: readonly string[];
  /** Further addresses to which an answer can go. */
  named: readonly string[];
  messageId: string;
  dateMs: number;
  inReplyTo: readonly string[];
  references: readonly string[];
  /** The mail that it answers; found only if a person may have to approve it. */
  answered?: Pick<Answered, "parentId" | "parentThreadId"> | null;
}

/** The fields of a reply that come from the email that it answers. */
export interface Answered {
  inReplyTo: string | null;
  references: string[];
  parentId: string;
  /** The Message-ID of the parent as threads know it, even if it is not safe in a header. */
  parentMessageId: string;
  parentThreadId: string;
  parentDateMs: number;
  /** The parent was automatic mail, and so is the reply (RFC 3834). */
  autoSubmitted: boolean;
}

/** All recipients of a submission, as written. */
export function recipientsOf(
  { to, cc, bcc, written }: Pick<Submission, "to" | "cc" | "bcc" | "written">,
): string[] {
  if (written) return [...written.recipients];
  return [...to, ...cc, ...bcc].map(({ address }) => address);
}

/** All addresses that the rules judge, each once: the recipients, and those to which their answers go. */
export function judgedAddresses(
  submission: Pick<Submission, "to" | "cc" | "bcc" | "replyTo" | "written">,
): string[] {
  const answers = submission.replyTo.map(({ address }) => address);
  const named = submission.written?.named ?? [];
  return uniqueAddresses([...recipientsOf(submission), ...answers, ...named]);
}

/** The hash that a person approves: docs/sending.md "The content hash". */
export function hashOf({ mailbox, fromName, attachments, ...content }: Submission): string {
  return contentHash({
    ...content,
    from: { ...(fromName ? { name: fromName } : {}), address: mailbox.address },
    attachments: attachments.map(({ content, ...about }) => ({
      ...about,
      sha256: sha256Of(content),
    })),
  });
}

/** The bytes of the message, signed if its domain has a key. */
export async function writtenMessage(
  service: Service,
  caller: Caller,
  submission: Submission,
  emailId: string,
  now: number,
): Promise<Uint8Array> {
  const { mailbox, fromName, answers, written } = submission;
  const compose = written ? written.bytes : composeMessage({
    ...submission,
    messageId: messageIdOf(mailbox, emailId),
    dateMs: headerDate(now, answers?.parentDateMs),
    from: { ...(fromName ? { name: fromName } : {}), address: mailbox.address },
    inReplyTo: answers?.inReplyTo ?? undefined,
    references: answers?.references,
    autoSubmitted: isAutomatic(submission),
  });
  const [raw, key] = await Promise.all([
    compose,
    signingKey(service, caller.userId, mailbox.domain),
  ]);
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
export function messageIdOf(mailbox: Mailbox, emailId: string): string {
  return `<${emailId}@${mailbox.domain}>`;
}

function isAutomatic({ automatic, answers }: Submission): boolean {
  return automatic || (answers?.autoSubmitted ?? false);
}

/** The record of the message. */
export function sentEmail(
  submission: Submission,
  emailId: string,
  ref: BlobRef,
  body: MessageBody,
  now: number,
): Email {
  const { mailbox, fromName, to, cc, bcc, replyTo, subject, metadata, answers, written } =
    submission;
  return fitted({
    emailId,
    userId: mailbox.userId,
    mailboxId: mailbox.mailboxId,
    threadId: answers?.parentThreadId ?? "",
    direction: "outbound",
    isRead: true,
    labels: [],
    auth: null,
    automated: isAutomatic(submission),
    messageId: written?.messageId ?? messageIdOf(mailbox, emailId),
    inReplyTo: answers ? [answers.parentMessageId] : [...written?.inReplyTo ?? []],
    references: answers?.references ?? [...written?.references ?? []],
    from: { address: mailbox.address, name: fromName ?? "" },
    replyTo: replyTo.map(withName),
    to: to.map(withName),
    cc: cc.map(withName),
    bcc: bcc.map(withName),
    subject,
    date: written?.dateMs ?? headerDate(now, answers?.parentDateMs),
    receivedAt: now,
    size: ref.size,
    ...metadata && { metadata },
    raw: ref,
    envelope: {
      from: mailbox.address,
      to: recipientsOf(submission),
    },
    truncated: false,
    // Parsed already: the event has `has_attachments`, and lists show the snippet.
    parsed: parsedFields(body),
  });
}

function withName({ name = "", address }: MailAddress): Address {
  return { name, address };
}
