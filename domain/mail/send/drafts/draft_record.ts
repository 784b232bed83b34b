import { z } from "zod";
import { isoTime, timestampField } from "../../../core/clock.ts";
import { emailId } from "../../../core/email_id.ts";
import { notFound } from "../../../core/errors.ts";
import type { Call } from "../../../core/operation.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Service } from "../../../core/service.ts";
import { TimeSlices } from "../../../core/work/time_slices.ts";
import { bodyLimits } from "../../../../mime/body/parse_body.ts";
import { cutText } from "../../../../mime/text/cut_text.ts";
import type { MailAddress } from "../../../../mime/headers/address_list.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import * as keys from "../../../store/keys.ts";
import { markedLine, markedText } from "../../../../mime/text/unseen_characters.ts";
import { approvalUrl, draftStatuses } from "../../../core/draft_events.ts";
import type { Draft } from "../../record/draft.ts";
import { readDraft, untilUnchanged } from "./draft.ts";
import { type DraftHead, endedBytes, hashOfHead, readHead } from "./draft_content.ts";
import { provenances, type Reason } from "../../record/send_output.ts";

export const reasonRecord = z.object({
  recipient: z.string().describe("Bare; of to, cc, bcc or reply_to"),
  provenance: z.enum(provenances).describe(
    "own: a mailbox of the account; known: a person approved a mail to it, or it wrote in the answered thread; " +
      "listed: the policy allows it; new: none of these",
  ),
  code: z.string().optional().describe(
    "Why it is refused; absent: a person must approve the mail to it",
  ),
}).meta({
  id: "SendReason",
  description: "A recipient, or an address of reply_to, because of which a mail is not sent",
});

export const contentHashOutput = z.string().describe(
  "SHA-256 of the content: approve, and send with it, send exactly this or answer CONFLICT",
);

export const approvalUrlOutput = z.string().optional().describe(
  "Where a person decides about it; only while it waits for approval",
);

/** docs/specification.md "Drafts". */
export const draftRecord = z.object({
  draft_id: z.string(),
  mailbox_id: z.string(),
  status: z.enum(draftStatuses),
  from: z.string().describe("Bare, or Name <address>; so are to, cc, bcc and reply_to"),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string(),
  body_text: z.string().nullable(),
  body_html: z.string().nullable(),
  attachments: z.array(
    z.object({
      filename: z.string(),
      content_type: z.string(),
      size: z.number().int().describe("Bytes"),
      sha256: z.string().describe("Of its bytes"),
      content_id: z.string().optional().describe("Present if the HTML shows it by cid:"),
    }).meta({ id: "DraftAttachment" }),
  ),
  headers: z.record(z.string(), z.string()).nullable().describe(
    "Header fields beyond the usual ones; null: none",
  ),
  metadata: z.record(z.string(), z.string()).nullable(),
  automatic: z.boolean(),
  as_it_came: z.literal(true).optional().describe(
    "Present of a message that came by SMTP: it goes out as it came, and cannot be changed",
  ),
  reply_to_email_id: emailId.nullable().describe("The email that it replies to"),
  send_at: timestampField.nullable(),
  content_hash: contentHashOutput,
  reasons: z.array(reasonRecord).describe("Why it waits for a person, or was not sent"),
  approval_url: approvalUrlOutput,
  reject_reason: z.string().nullable(),
  decided_by: z.object({ member_id: z.string(), name: z.string() }).nullable().describe(
    "The person who approved or rejected it, with the name at that time; null: nobody yet, or an API key",
  ),
  email_id: emailId.nullable().describe("The sent email"),
  created_at: timestampField,
  updated_at: timestampField,
  truncated: z.boolean().optional().describe("Present and true if texts or lists were cut"),
}).meta({ id: "Draft", description: "A message that is not sent yet, or was" });

export type DraftRecord = z.output<typeof draftRecord>;

export function reasonsOf(reasons: readonly Reason[]): z.input<typeof reasonRecord>[] {
  return reasons.map((each) => ({ ...each }));
}

/** The `approval_url` of a draft that waits for approval; nothing of any other. */
export function approvalLink(
  { settings }: Pick<Service, "settings">,
  { status, draftId }: Draft,
): { approval_url?: string } {
  return status === "pending_approval" ? { approval_url: approvalUrl(settings, draftId) } : {};
}

export function draftRecordOf(
  service: Pick<Service, "settings">,
  draft: Draft,
  head: DraftHead,
  address: string,
  maxChars = Infinity,
): DraftRecord {
  const written = ({ name, address }: MailAddress) =>
    name ? named(markedLine(name), address) : address;
  const text = shownText(head.text, maxChars), html = shownText(head.html, maxChars);
  const isCut = head.cut || text.cut || html.cut;
  return {
    draft_id: draft.draftId,
    mailbox_id: draft.mailboxId,
    status: draft.status,
    from: written({ ...(head.fromName ? { name: head.fromName } : {}), address }),
    to: head.to.map(written),
    cc: head.cc.map(written),
    bcc: head.bcc.map(written),
    reply_to: head.replyTo.map(written),
    // A person approves what this says: what is not seen is marked here, and sent as it is.
    subject: markedLine(head.subject),
    body_text: text.shown,
    body_html: html.shown,
    attachments: head.attachments.map(({ filename, contentType, size, sha256, contentId }) => ({
      filename: markedLine(filename),
      content_type: contentType,
      size,
      sha256,
      ...contentId && { content_id: contentId },
    })),
    headers: head.headers ? markedValues(head.headers) : null,
    metadata: head.metadata ?? null,
    automatic: head.automatic,
    ...head.written && { as_it_came: true as const },
    reply_to_email_id: draft.replyToEmailId,
    send_at: draft.sendAt === null ? null : isoTime(draft.sendAt),
    content_hash: draft.endedHash ?? hashOfHead(head, address),
    reasons: reasonsOf(draft.reasons),
    ...approvalLink(service, draft),
    reject_reason: draft.rejectReason,
    decided_by: draft.decidedBy
      ? { member_id: draft.decidedBy.memberId, name: draft.decidedBy.name }
      : null,
    email_id: draft.sent?.email_id ?? null,
    created_at: isoTime(draft.createdAt),
    updated_at: isoTime(draft.updatedAt),
    ...(isCut ? { truncated: true } : {}),
  };
}

/** Values with marks for what is not seen. */
function markedValues(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, markedLine(value)]),
  );
}

/**
 * The first million characters, as of a mail that is read, with marks for what is not seen. Mail that waits for its time or
 * for approval can have more. An answer of `maxChars` shows no more of it: marking the rest took 40 ms of each request.
 */
function shownText(
  text: string | undefined,
  maxChars: number,
): { shown: string | null; cut: boolean } {
  if (text === undefined) return { shown: null, cut: false };
  const maxTextChars = Math.min(bodyLimits.maxTextChars, maxChars);
  // A mark is longer than what it stands for.
  const marked = markedText(cutText(text, maxTextChars));
  return {
    shown: cutText(marked, maxTextChars),
    cut: text.length > maxTextChars || marked.length > maxTextChars,
  };
}

/** `Name <address>` as it is read back: a name with other characters than letters, digits and spaces is quoted. */
export function named(name: string, address: string): string {
  const shown = /^[\p{L}\p{N} _-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
  return `${shown} <${address}>`;
}

/** The record of the caller's draft. Throws NOT_FOUND as `readDraft`. */
export async function shownDraft(
  service: Service,
  caller: Caller,
  draftId: string,
  { reserve, maxChars }: { reserve?: Call["reserve"]; maxChars?: number } = {},
): Promise<DraftRecord> {
  let isReserved = false;
  return await untilUnchanged(async () => {
    const draft = await readDraft(service.database, caller, draftId);
    if (!isReserved) await reserve?.(bodyBytes(draft));
    isReserved = true;
    return await recordFor(service, draft, { maxChars });
  });
}

/** How many bytes are read for the record of a draft. */
export function bodyBytes({ content }: Draft): number {
  return content?.headBytes ?? endedBytes;
}

/**
 * The record of a draft. Throws StaleRevision if it has changed or is gone since it was read. A long one takes 50 ms, in
 * turns of `slices`.
 */
export async function recordFor(
  service: Service,
  draft: Draft,
  { slices = new TimeSlices(service.clock, draft.userId), maxChars }: {
    slices?: TimeSlices;
    /** The budget of the answer, if it has one. */
    maxChars?: number;
  } = {},
): Promise<DraftRecord> {
  const { userId, mailboxId } = draft;
  const [head, mailbox] = await Promise.all([
    readHead(service, draft, slices),
    service.database.get<Mailbox>(keys.mailbox(userId, mailboxId)),
  ]);
  if (!mailbox) throw notFound("draft");
  await slices.next();
  return draftRecordOf(service, draft, head, draft.sent?.from ?? mailbox.address, maxChars);
}
