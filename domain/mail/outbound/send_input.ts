import { z } from "zod";
import { emailId } from "../../core/email_id.ts";
import {
  hasLineBreakOrControl,
  type MailAddress,
  parseAddressList,
} from "../../../mime/headers/address_list.ts";

/** To, cc and bcc together (DECISIONS.md 5). */
export const maxSendRecipients = 50;
/** More parts than anybody attaches by hand; the size of the whole is the plan's limit. */
const maxAttachments = 100;
/** RFC 2045 5.1, without comments; parameters as tokens or quoted text. */
const contentType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s?;\s?[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\r\n]*"))*$/;

/** The input of `send_email` and `POST /v1/api/emails/send` (DECISIONS.md 5). */
export const sendInputSchema = z.object({
  mailbox_id: z.string().min(1).optional().describe(
    "The mailbox to send from (see list_mailboxes). Give this or from.",
  ),
  from: z.string().min(1).optional().transform(oneAddress).describe(
    "Instead of mailbox_id: the address of one of your mailboxes, bare or as Name <address>.",
  ),
  to: recipients().describe(
    "Recipient or recipients, each bare or as Name <address>. To, cc and bcc together: at most 50.",
  ),
  cc: recipients().optional().describe("Recipients of a visible copy."),
  bcc: recipients().optional().describe("Recipients of a copy that the others do not see."),
  reply_to: recipients().optional().describe("Where answers shall go, if not to the sender."),
  subject: headerText("subject", 1_000).default("").describe("Subject line, plain text."),
  ...content(),
}).superRefine(checkBodies).superRefine((input, context) => {
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
    "true also answers everybody the email went to; your own addresses are left out.",
  ),
  cc: recipients().optional().describe("Further recipients of a visible copy."),
  bcc: recipients().optional().describe("Further recipients of a hidden copy."),
  ...content(),
}).superRefine(checkBodies);

export type SendInput = z.output<typeof sendInputSchema>;
export type ReplyInput = z.output<typeof replyInputSchema>;

/** The attachments of either input, as a draft has them. */
export function attachmentsOf({ attachments = [] }: Pick<SendInput, "attachments">) {
  return attachments.map(({ filename, content_type, content }) => ({
    filename,
    contentType: content_type,
    content,
  }));
}

function content() {
  return {
    body_text: z.string().optional().describe("The body as plain text."),
    body_html: z.string().optional().describe("The body as HTML; give body_text too if you can."),
    attachments: z.array(attachment()).max(maxAttachments).optional().describe("Files to attach."),
    idempotency_key: z.string().min(1).max(255).optional().describe(
      "Any unique text of yours. The same key within 24 hours sends once and answers the same.",
    ),
  };
}

function attachment() {
  return z.object({
    filename: headerText("filename", 255).min(1).describe("Name of the file."),
    content_type: z.string().max(255).regex(contentType, "must be a media type such as text/csv")
      .refine((type) => !/^multipart\//i.test(type), "must not be a multipart type")
      .default("application/octet-stream").describe("Media type, for example application/pdf."),
    content: z.base64().transform((text) => Uint8Array.fromBase64(text)).describe(
      "The file's bytes in base64.",
    ),
  });
}

function headerText(field: string, maxLength: number) {
  return z.string().max(maxLength).refine(
    (text) => !hasLineBreakOrControl(text),
    `${field} must not hold line breaks or control characters`,
  );
}

function recipients() {
  return z.union([z.string(), z.array(z.string()).min(1)]).transform((value, context) => {
    const found: MailAddress[] = [];
    for (const text of [value].flat()) {
      const verdict = parseAddressList(text);
      if (verdict.ok) found.push(...verdict.addresses);
      else context.addIssue({ code: "custom", message: verdict.reason, input: value });
    }
    return found;
  });
}

/** A sender's name that holds an address would show another sender than the true one. */
function oneAddress(text: string | undefined, context: z.RefinementCtx): MailAddress | undefined {
  if (text === undefined) return undefined;
  const verdict = parseAddressList(text);
  if (!verdict.ok) context.addIssue({ code: "custom", message: verdict.reason, input: text });
  else if (verdict.addresses.length > 1) {
    context.addIssue({ code: "custom", message: "must be one address", input: text });
  } else if (verdict.addresses[0].name?.includes("@")) {
    context.addIssue({ code: "custom", message: "the name must not hold an address", input: text });
  } else return verdict.addresses[0];
}

function checkBodies(
  input: { body_text?: string; body_html?: string },
  context: z.RefinementCtx,
): void {
  if (input.body_text === undefined && input.body_html === undefined) {
    context.addIssue({
      code: "custom",
      path: ["body_text"],
      message: "body_text or body_html is required",
    });
  }
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
