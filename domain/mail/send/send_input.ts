import { z } from "zod";
import { mailboxIdField } from "../../mailboxes/mailbox_id.ts";
import { bodyLimits } from "../../../mime/body/parse_body.ts";
import { emailId } from "../../core/email_id.ts";
import { type MailAddress, parseAddressList } from "../../../mime/headers/address_list.ts";
import { headerText } from "../../uploads/file_fields.ts";
import { metadataField } from "../../mailboxes/profile.ts";
import { withoutBlank } from "./content/mailbox_words.ts";
import { headersField } from "./content/extra_headers.ts";
import { attachmentsField } from "./files/attachment_input.ts";

/** To, cc and bcc of one send together (docs/specification.md "Send"). */
export const maxSendRecipients = 50;
/** Fifty addresses with the longest names take half of it. */
const maxFieldChars = 50_000;
/** The input of `send_email` and `POST /v1/api/emails/send`. */
export const sendInputSchema = z.object({
  mailbox_id: mailboxIdField().optional().describe(
    "The mailbox to send from (see list_mailboxes). Give this or from.",
  ),
  from: z.string().min(1).optional().transform(oneAddress).describe(
    "Instead of mailbox_id: the address of one of your mailboxes, bare or as Name <address>.",
  ),
  to: recipients().describe(
    "Recipient or recipients, each bare or as Name <address>. To, cc and bcc together: at most 50.",
  ),
  cc: recipients({ least: 0 }).optional().describe("Recipients of a visible copy."),
  bcc: recipients({ least: 0 }).optional().describe(
    "Recipients of a copy that the others do not see.",
  ),
  reply_to: recipients({ least: 0 }).optional().describe("Where replies go, if not to the sender."),
  subject: headerText("subject", 1_000).default("").describe("Subject line, plain text."),
  ...content(),
  ...howToSend(),
}).superRefine(checkBodies).overwrite(withoutBlankBody).superRefine((input, context) => {
  if (!input.mailbox_id && !input.from) {
    context.addIssue({
      code: "custom",
      path: ["mailbox_id"],
      message: "mailbox_id or from is required",
    });
  }
  checkRecipientCount(input, context);
});

/** The input of `reply_email`; over REST `email_id` is the path's `{messageId}`. */
export const replyInputSchema = z.object({
  email_id: emailId.describe("The email to reply to (email_id of a list or a search)."),
  reply_all: z.boolean().default(false).describe(
    "true: also to everybody else in To and Cc, without your own addresses.",
  ),
  cc: recipients({ least: 0 }).optional().describe("Further recipients of a visible copy."),
  bcc: recipients({ least: 0 }).optional().describe("Further recipients of a hidden copy."),
  quote: quoteField(),
  ...content(),
  ...howToSend(),
}).superRefine(checkBodies).overwrite(withoutBlankBody);

/** The input of `forward_email`; over REST `email_id` is the path's `{messageId}`. */
export const forwardInputSchema = z.object({
  email_id: emailId.describe("The email to forward (email_id of a list or a search)."),
  to: recipients().describe("Recipient or recipients, each bare or as Name <address>."),
  cc: recipients({ least: 0 }).optional().describe("Recipients of a visible copy."),
  bcc: recipients({ least: 0 }).optional().describe(
    "Recipients of a copy that the others do not see.",
  ),
  body_text: bodyText().optional().describe("Your words above the forwarded email, as plain text."),
  body_html: bodyText().optional().describe("The same as HTML."),
  as: z.enum(["inline", "attachment"]).default("inline").describe(
    "inline: its text is quoted in the body; attachment: the original message is attached unchanged (message/rfc822).",
  ),
  include_attachments: z.boolean().default(true).describe(
    "Of an inline forward: whether its attachments go along.",
  ),
  attachments: attachmentsField().optional().describe("Further files to attach."),
  ...keptWith(),
  idempotency_key: idempotencyKeyField(),
  ...howToSend(),
}).overwrite(withoutBlankBodies).superRefine(checkRecipientCount);

/** The input of `create_draft`: a new email, or with `reply_to_email_id` a reply. */
export const draftInputSchema = z.object({
  reply_to_email_id: emailId.optional().describe(
    "The draft is a reply to this email: mailbox, recipients, subject and threading are set for you.",
  ),
  reply_all: z.boolean().optional().describe("Of a reply: also to everybody else in To and Cc."),
  quote: quoteField(),
  mailbox_id: mailboxIdField().optional().describe(
    "The mailbox to send from (see list_mailboxes). Give this or from, unless it is a reply.",
  ),
  from: z.string().min(1).optional().transform(oneAddress).describe(
    "Instead of mailbox_id: the address of one of your mailboxes, bare or as Name <address>.",
  ),
  to: recipients().optional().describe("Recipients; required unless it is a reply."),
  cc: recipients({ least: 0 }).optional().describe("Recipients of a visible copy."),
  bcc: recipients({ least: 0 }).optional().describe(
    "Recipients of a copy that the others do not see.",
  ),
  reply_to: recipients({ least: 0 }).optional().describe("Where replies go, if not to the sender."),
  subject: headerText("subject", 1_000).optional().describe("Subject line, plain text."),
  ...content(draftText),
  send_at: sendAtField(),
  automatic: automaticField(),
}).superRefine(checkBodies).overwrite(withoutBlankBody).superRefine((input, context) => {
  const isReply = input.reply_to_email_id !== undefined;
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (isReply) {
    for (const field of ["mailbox_id", "from", "to", "reply_to", "subject"] as const) {
      if (input[field] !== undefined) refuse(field, "is set by reply_to_email_id");
    }
    return;
  }
  for (const field of ["reply_all", "quote"] as const) {
    if (input[field] !== undefined) refuse(field, "needs reply_to_email_id");
  }
  if (!input.to) refuse("to", "is required");
  if (!input.mailbox_id && !input.from) refuse("mailbox_id", "mailbox_id or from is required");
  checkRecipientCount({ ...input, to: input.to ?? [] }, context);
});

/** The input of `update_draft`: an absent field stays as it is, null removes a field. */
export const draftChangesSchema = z.object({
  draft_id: z.string().min(1).max(100).describe("draft_id of create_draft or list_drafts."),
  to: recipients().optional().describe("Recipients in place of the former."),
  cc: recipients({ least: 0 }).nullable().optional().describe(
    "Recipients of a visible copy; null or []: none.",
  ),
  bcc: recipients({ least: 0 }).nullable().optional().describe(
    "Recipients of a hidden copy; null or []: none.",
  ),
  reply_to: recipients({ least: 0 }).nullable().optional().describe(
    "Where replies go; null or []: to the sender.",
  ),
  subject: headerText("subject", 1_000).optional().describe("Subject line, plain text."),
  body_text: draftText().nullable().optional().describe("The body as plain text; null: none."),
  body_html: draftText().nullable().optional().describe("The body as HTML; null: none."),
  attachments: attachmentsField().nullable().optional().describe(
    "Files in place of all former ones; null or []: none.",
  ),
  headers: headersField().nullable().optional().describe(
    "Header fields in place of all former ones; null: none.",
  ),
  metadata: metadataField.nullable().optional().describe("In place of the former; null: none."),
  send_at: zonedTime().nullable().optional().describe(
    "When to send it, up to 90 days ahead; null: it is a draft again, to be sent with send_draft.",
  ),
  automatic: automaticField(),
}).superRefine(({ draft_id: _, ...changes }, context) => {
  if (Object.values(changes).some((each) => each !== undefined)) return;
  context.addIssue({ code: "custom", path: ["subject"], message: "nothing to change is given" });
});
export type SendInput = z.output<typeof sendInputSchema>;

function content(text = bodyText) {
  return {
    body_text: text().optional().describe("The body as plain text."),
    body_html: text().optional().describe("The body as HTML; give body_text too if you can."),
    attachments: attachmentsField().optional().describe("Files to attach."),
    ...keptWith(),
    idempotency_key: idempotencyKeyField(),
  };
}

/** Header fields, and facts that are kept with the email. */
function keptWith() {
  return {
    headers: headersField().optional().describe(
      "Further header fields: at most 20 of X-*, List-Unsubscribe, List-Unsubscribe-Post, List-Id, Precedence, Importance, Feedback-ID.",
    ),
    metadata: metadataField.optional().describe(
      "At most 20 texts by keys of a-z, 0-9 and _; kept with the email and in its events, never sent.",
    ),
  };
}

function quoteField() {
  return z.boolean().optional().describe(
    "Of a reply, true: the answered text is quoted below yours.",
  );
}

/** The plan limits the size of a message. */
function bodyText() {
  return z.string();
}

/** A draft is read before it is sent, and no more of a text can be read. */
function draftText() {
  return bodyText().max(bodyLimits.maxTextChars);
}

function idempotencyKeyField() {
  return z.string().min(1).max(255).optional().describe(
    "Any unique text. Requests with the same key within 24 hours send once and get the same answer.",
  );
}

/** When and whether a message of a send, reply or forward is sent. */
function howToSend() {
  return {
    send_at: sendAtField(),
    dry_run: z.boolean().optional().describe(
      "true: sends and writes nothing; answers whether it would be sent, wait for a person or be refused, and content_hash.",
    ),
    content_hash: contentHashField().describe(
      "Of a dry run: sends exactly that content, else CONFLICT.",
    ),
    automatic: automaticField(),
  };
}

/** A time without a zone is another moment on each machine. Callers often forget the zone, so the error names it. */
function zonedTime() {
  const error = "must be an ISO 8601 time with Z or an offset, such as 2026-12-01T09:00:00+01:00";
  return z.iso.datetime({ offset: true, error });
}

function sendAtField() {
  return zonedTime().optional().describe(
    "Send it later: ISO 8601 time with Z or an offset, up to 90 days ahead. The answer has a draft_id; until that time, delete_draft (of the full toolset) or a person can cancel it.",
  );
}

/** SHA-256 in hex. The form is not checked: any other text is answered CONFLICT, like a wrong hash. */
export function contentHashField() {
  return z.string().max(128).optional();
}

function automaticField() {
  return z.boolean().optional().describe(
    "true: no person wrote this; it is marked Auto-Submitted, so that other programs do not answer.",
  );
}

/** Copies may be an empty list, as answers have it. */
function recipients({ least } = { least: 1 }) {
  return z.union([z.string(), z.array(z.string()).min(least)]).transform((value, context) => {
    const found: MailAddress[] = [];
    const refuse = (message: string) => context.addIssue({ code: "custom", message, input: value });
    const texts = [value].flat();
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    if (texts.length > maxFieldChars || chars > maxFieldChars) {
      refuse(`must not be longer than ${maxFieldChars} characters`);
      return found;
    }
    for (const text of texts) {
      const verdict = parseAddressList(text);
      if (verdict.ok) found.push(...verdict.addresses);
      else refuse(verdict.reason);
    }
    if (found.length > maxSendRecipients) {
      refuse(`holds ${found.length} addresses, at most ${maxSendRecipients} are allowed`);
    }
    return found;
  });
}

/** `@`, and its wide and small forms, which look like it. */
const atSigns = ["@", "\uff20", "\ufe6b"];

/** A name that contains an address is refused: mail programs would show it as the sender. */
function oneAddress(text: string | undefined, context: z.RefinementCtx): MailAddress | undefined {
  if (text === undefined) return undefined;
  const verdict = parseAddressList(text);
  if (!verdict.ok) context.addIssue({ code: "custom", message: verdict.reason, input: text });
  else if (verdict.addresses.length > 1) {
    context.addIssue({ code: "custom", message: "must be one address", input: text });
  } else if (atSigns.some((sign) => verdict.addresses[0].name?.includes(sign))) {
    context.addIssue({ code: "custom", message: "the name must not hold an address", input: text });
  } else return verdict.addresses[0];
}

interface Bodies {
  body_text?: string;
  body_html?: string;
}

function checkBodies(input: Bodies, context: z.RefinementCtx): void {
  if (input.body_text === undefined && input.body_html === undefined) {
    context.addIssue({
      code: "custom",
      path: ["body_text"],
      message: "body_text or body_html is required",
    });
  }
}

/** A blank body beside another is none: some clients fill every field. Two blank ones stay. */
function withoutBlankBody<I extends Bodies>(input: I): I {
  const { text, html } = withoutBlank({ text: input.body_text, html: input.body_html });
  const kept = { ...input };
  if (text === undefined) delete kept.body_text;
  if (html === undefined) delete kept.body_html;
  return kept;
}

/** A forward needs no words, so each blank body is none. */
function withoutBlankBodies<I extends Bodies>(input: I): I {
  const kept = { ...input };
  if (kept.body_text?.trim() === "") delete kept.body_text;
  if (kept.body_html?.trim() === "") delete kept.body_html;
  return kept;
}

function checkRecipientCount(
  input: { to: MailAddress[]; cc?: MailAddress[]; bcc?: MailAddress[] },
  context: z.RefinementCtx,
): void {
  const count = input.to.length + (input.cc?.length ?? 0) + (input.bcc?.length ?? 0);
  if (count > maxSendRecipients) {
    context.addIssue({
      code: "custom",
      path: ["to"],
      message: `to, cc and bcc hold ${count} recipients, at most ${maxSendRecipients} are allowed`,
    });
  }
}
