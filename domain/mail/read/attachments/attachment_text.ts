import { z } from "zod";
import { emailId } from "../../../core/email_id.ts";
import { ServiceError } from "../../../core/errors.ts";
import { type Call, operation } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import type { Reads } from "../reads.ts";
import type { Email } from "../../record/email.ts";
import type { AttachmentPart } from "../../../../mime/body/parse_body.ts";
import { textKindOf } from "../../../../mime/body/attachment_kinds.ts";
import { characterStart, maxCharsField } from "../budget.ts";
import { downloadLink } from "./attachment_link.ts";
import { contentOf, findAttachment, shownType } from "./get_attachment.ts";
import { showImage } from "./show_image.ts";
import { emailIdInput, untrusted } from "../get_email.ts";
import { jsonBeginning, jsonChars } from "../shorten.ts";

/** `get_attachment`: the text of a file (docs/specification.md "Attachments"). */
export const getAttachmentText = operation({
  name: "get_attachment",
  title: "Get the text of an attachment",
  description:
    "The text of an attachment: PDF, DOCX, XLSX, PPTX, OpenDocument, RTF, HTML, CSV, ICS, plain text or a mail; or with as: image a PNG, JPEG, GIF or WebP of at most 1 MiB, to look at. " +
    "attachment_id stands in the email's attachments. A file without a text that can be read (a scan, an encrypted or broken file) is an error NO_TEXT. If the answer has next_offset, the " +
    "text goes on: call again with that as offset, if you need the rest. download_url has the bytes of any file for 15 minutes, without a key; as: link answers it for every file, and it is in the details of NO_TEXT too. " +
    untrusted,
  audit: "read",
  scope: "emails:read",
  input: emailIdInput.extend({
    attachment_id: z.string().min(1).max(100).describe("attachment_id of the email's attachments"),
    as: z.enum(["text", "image", "link"]).default("text").describe(
      "image: the file as an image, if it is one; link: download_url alone, of any file; text: its text",
    ),
    max_chars: maxCharsField,
    offset: z.int().min(0).default(0).describe(
      "Position in the text to begin at: next_offset of the answer before",
    ),
  }),
  output: z.object({
    attachment_id: z.string(),
    filename: z.string().nullable(),
    text: z.string().describe(
      "In reading order; the cells of a table are separated by tabs",
    ),
    truncated: z.boolean().describe("true if text follows"),
    next_offset: z.int().nullable().describe("The offset at which the rest begins, else null"),
    download_url: z.string().describe(
      "Answers the bytes of the file for 15 minutes, without a key, to whoever has it",
    ),
    email_id: emailId,
  }).meta({ id: "AttachmentText", description: "The text of an attachment" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "NO_TEXT"],
  fit(output, maxChars, { offset }) {
    if (jsonChars(output) <= maxChars) return output;
    const frame = jsonChars({
      ...output,
      text: "",
      truncated: true,
      next_offset: offset + output.text.length,
    });
    const text = jsonBeginning(output.text, maxChars - frame + '""'.length);
    return { ...output, text, truncated: true, next_offset: offset + text.length };
  },
  async run(service, caller, { email_id, attachment_id, as, offset }, call) {
    const { email, part } = await findAttachment(service, caller, email_id, attachment_id);
    call.audit({ emailId: email_id, mailboxId: email.mailboxId });
    const { url: download_url } = await downloadLink(service, caller, email_id, attachment_id);
    const text = as === "link"
      ? showLink(part, download_url, call)
      : as === "image"
      ? await showImage(service, email, part, call) ? "" : null
      : await textOfFile(service, email, part);
    if (text === null) {
      const message = as === "image"
        ? "The attachment is no PNG, JPEG, GIF or WebP of at most 1 MiB."
        : undefined;
      throw new ServiceError("NO_TEXT", message, { download_url });
    }
    return {
      email_id,
      attachment_id,
      filename: part.filename,
      text: text.slice(characterStart(text, offset)),
      truncated: false,
      next_offset: null,
      download_url,
    };
  },
});

function showLink(
  { attachmentId, filename, contentType, size }: AttachmentPart,
  url: string,
  { link }: Pick<Call, "link">,
): string {
  link?.({ url, name: filename ?? attachmentId, contentType: shownType(contentType), size });
  return "";
}

/** null if the file has no text that can be read. */
async function textOfFile(
  service: Reads & Pick<Service, "attachmentTexts">,
  email: Email,
  part: AttachmentPart,
): Promise<string | null> {
  const { attachmentTexts } = service;
  const kind = textKindOf(part);
  if (!kind) return null;
  const maxBytes = attachmentTexts.usedBytes(kind);
  return await attachmentTexts.read({
    userId: email.userId,
    kind,
    charset: part.charset,
    load: () => contentOf(service, email, part.attachmentId, maxBytes),
  });
}
