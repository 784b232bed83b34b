import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { authVerdicts } from "../../core/auth_verdicts.ts";
import { recipientStates } from "../../webhooks/events.ts";
import type { AttachmentNote, EmailRow } from "./email_row.ts";
import { bare } from "./email.ts";

export const sendStatusField = z.enum(["queued", "sent", "partial", "failed", "stored"]).meta({
  id: "SendStatus",
  description:
    "queued: on its way, tried for up to 24 hours; sent: all recipients were reached; partial: some failed, at once or by a later " +
    "report; failed: all failed; stored: the service has no relay, so that only own mailboxes got it",
});

export const recipientStatusField = z.enum(recipientStates).meta({
  id: "RecipientStatus",
  description: "As SendStatus, of one recipient",
});

/** Fields of every record of an email. */
export const markFields = {
  is_read: z.boolean().describe("Only update_email sets it, not reading; true for sent mail"),
  labels: z.array(z.string()).describe("Sorted; set by update_email"),
  auth_verdict: z.enum(authVerdicts).nullable().describe(
    "Whether the author is who From says; null until that is checked, and for sent mail",
  ),
  automated: z.boolean().describe(
    "A program wrote it, or a list sent it: Auto-Submitted, Precedence, List-Id, a delivery report or a null reverse path",
  ),
};

export function marksOf(row: Pick<EmailRow, "isRead" | "labels" | "automated" | "auth">) {
  return {
    is_read: row.isRead,
    labels: row.labels,
    automated: row.automated,
    auth_verdict: row.auth?.verdict ?? null,
  };
}

/** Of sent mail alone, and only if it has some. */
export const metadataOutput = {
  metadata: z.record(z.string(), z.string()).optional().describe(
    "Sent mail only, if its sender gave some",
  ),
};

/** Of received mail alone. */
export const envelopeOutput = {
  envelope_to: z.array(z.string()).optional().describe(
    "Received mail only: the addresses to which it was delivered, as the sender's server gave them, tags included, also if To and " +
      "Cc do not name them; at most 100. Empty in lists of mail that an earlier version stored",
  ),
};

export function envelopeOf({ direction, envelopeTo }: Pick<EmailRow, "direction" | "envelopeTo">) {
  return direction === "inbound" ? { envelope_to: envelopeTo ?? [] } : {};
}

const word = z.string().describe(
  "A word of RFC 8601: pass, fail, softfail, neutral, policy, none, temperror or permerror",
);

/** `auth` of an email (docs/specification.md "Who sent it"). */
export const senderAuth = z.object({
  verdict: z.enum(authVerdicts).describe(
    "pass: the author's domain vouches for the message; fail: it says that the message is not its own; none: it says nothing; " +
      "error: the DNS did not answer",
  ),
  spf: word,
  dkim: word.describe("The best result of all signatures, a word of RFC 8601"),
  dmarc: word,
  domain: z.string().nullable().describe(
    "The domain of the author in lower-case ASCII; null if there is none or more than one",
  ),
  source: z.enum(["checked", "provider", "none"]).describe(
    "checked: by this service; provider: by the provider that delivered it; none: it is from before this field",
  ),
}).meta({ id: "SenderAuth", description: "What the checks of the sender found" });

export const attachmentNote = z.object({
  attachment_id: z.string(),
  filename: z.string().nullable(),
  content_type: z.string(),
  size: z.number().int().describe("Bytes once decoded"),
}).meta({ id: "AttachmentNote", description: "An attachment in a list" });

export function attachmentNoteOf(
  { attachmentId, filename, contentType, size }: AttachmentNote,
): z.input<typeof attachmentNote> {
  return { attachment_id: attachmentId, filename, content_type: contentType, size };
}

/** An email in lists (docs/specification.md "Record"). `from`, `to` and `cc` are addresses without names. */
export const emailRecord = z.object({
  email_id: emailId,
  message_id: z.string().describe("The Message-ID header, <left@right>, or a generated one"),
  thread_id: z.string(),
  mailbox_id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  from: z.string().describe("Sender's address"),
  from_name: z.string().describe("Sender's name, or empty"),
  to: z.array(z.string()).describe("Bare addresses"),
  cc: z.array(z.string()),
  ...envelopeOutput,
  ...markFields,
  subject: z.string(),
  date: timestampField.describe("The Date header, or the time of arrival if it does not parse"),
  received_at: timestampField,
  snippet: z.string().describe("The beginning of its text"),
  has_attachments: z.boolean(),
  attachment_ids: z.array(z.string()),
  attachments: z.array(attachmentNote).describe("In the order of attachment_ids"),
  size: z.number().int().describe("Bytes of the original message"),
  ...metadataOutput,
  processed: z.boolean().describe("True once indexing has ended, even if it failed"),
  truncated: z.boolean().optional().describe(
    "Present and true if the record alone is longer than max_chars and was cut",
  ),
}).meta({ id: "Email", description: "An email in a list, without its body" });

export type EmailRecord = z.output<typeof emailRecord>;

export function emailRecordOf(row: EmailRow, processed: boolean): EmailRecord {
  return {
    email_id: row.emailId,
    message_id: row.messageId,
    thread_id: row.threadId,
    mailbox_id: row.mailboxId,
    direction: row.direction,
    from: row.from.address,
    from_name: row.from.name,
    to: bare(row.to),
    cc: bare(row.cc),
    ...envelopeOf(row),
    ...marksOf(row),
    subject: row.subject,
    date: isoTime(row.date),
    received_at: isoTime(row.receivedAt),
    snippet: row.parsed?.snippet ?? "",
    has_attachments: (row.parsed?.attachmentIds.length ?? 0) > 0,
    attachment_ids: row.parsed?.attachmentIds ?? [],
    attachments: (row.parsed?.attachments ?? []).map(attachmentNoteOf),
    size: row.size,
    ...row.metadata && { metadata: row.metadata },
    processed,
  };
}

export const truncatedField = z.boolean().optional().describe(
  "Present and true if something was left off to keep max_chars",
);
