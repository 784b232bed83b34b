import { z } from "zod";
import { safeContentId } from "./attached_part.ts";
import { emailId } from "../../../core/email_id.ts";
import { contentTypeField, filenameField } from "../../../uploads/file_fields.ts";

/** Bounds the parts of a message; the plan limits its size. */
const maxAttachments = 100;

/** One object with optional fields: of a choice of objects an error would not name the wrong field. */
const fields = z.object({
  filename: filenameField().optional().describe(
    "Name of the file; required with content, else the file has one",
  ),
  content_type: contentTypeField().optional().describe(
    "Media type, for example application/pdf; without it that of the upload, or the usual one of the filename.",
  ),
  content: base64Bytes().optional().describe(
    "The file's bytes in base64. Instead of it: upload_id, or email_id and attachment_id.",
  ),
  upload_id: z.string().min(1).max(100).optional().describe(
    "An upload whose bytes were sent; used up by this message.",
  ),
  email_id: emailId.optional().describe("With attachment_id: a file of this email, copied here."),
  attachment_id: z.string().min(1).max(100).optional().describe("attachment_id of that email."),
  content_id: z.string().regex(safeContentId, "must be visible ASCII without < and >").optional()
    .describe(
      "For a picture: body_html shows the file at a cid: link with this id.",
    ),
});

/** Base64 in lines too, in the alphabet of URLs, and without padding (RFC 4648, RFC 2045 section 6.8). */
function base64Bytes() {
  return z.string().transform((text, context) => {
    const alphabet = /[-_]/.test(text) ? "base64url" : "base64";
    try {
      return Uint8Array.fromBase64(text, { alphabet, lastChunkHandling: "loose" });
    } catch {
      const message = text.slice(0, 20).trim().toLowerCase().startsWith("data:")
        ? "must be base64, without the data: URL before it"
        : "must be base64";
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  });
}

/** One file of a message as it was given: its bytes, an upload, or a file of an email. */
export type GivenFile = z.output<typeof fields>;

const attachment = fields.superRefine(checkSource).meta({
  id: "NewAttachment",
  description: "A file to attach: content, upload_id, or email_id and attachment_id",
});

/** `attachments` of every input that has it. */
export function attachmentsField() {
  return z.array(attachment).max(maxAttachments).superRefine((files, context) => {
    const seen = new Set<string>();
    for (const [n, { content_id }] of files.entries()) {
      if (content_id === undefined) continue;
      if (seen.has(content_id)) {
        context.addIssue({ code: "custom", path: [n, "content_id"], message: "is given twice" });
      }
      seen.add(content_id);
    }
  });
}

function checkSource(file: GivenFile, context: z.RefinementCtx): void {
  const refuse = (field: keyof GivenFile, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  const { filename, content_type, content, upload_id, email_id, attachment_id } = file;
  const isOfEmail = email_id !== undefined || attachment_id !== undefined;
  const ways = [content !== undefined, upload_id !== undefined, isOfEmail].filter(Boolean).length;
  if (ways === 0) refuse("content", "is required");
  if (ways > 1) {
    const field = upload_id === undefined ? "email_id" : "upload_id";
    refuse(
      field,
      "is another way to give the file: give content, upload_id, or email_id and attachment_id",
    );
  }
  if (content !== undefined && filename === undefined) refuse("filename", "is required");
  if (!isOfEmail) return;
  if (email_id === undefined) refuse("email_id", "is required with attachment_id");
  if (attachment_id === undefined) refuse("attachment_id", "is required with email_id");
  if (content_type !== undefined) refuse("content_type", "is that of the file in its email");
}
