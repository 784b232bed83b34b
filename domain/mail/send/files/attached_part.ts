import type { OutgoingAttachment } from "../../../../mime/compose/compose.ts";
import type { AttachmentPart } from "../../../../mime/body/parse_body.ts";
import { cutText } from "../../../../mime/text/cut_text.ts";

export const maxFilenameChars = 200;

/** A file of an email as a file of another one: the sender's names and types that could end a header field are not passed on. */
export function attachedAs(
  part: AttachmentPart,
  { filename, isForwarded }: { filename?: string; isForwarded?: boolean },
): Omit<OutgoingAttachment, "content"> {
  const own = cutText(oneLine(part.filename ?? part.attachmentId), maxFilenameChars);
  const contentId = part.contentId ?? "";
  return {
    filename: filename ?? (own || part.attachmentId),
    contentType: typeOf(part),
    ...(isForwarded && safeContentId.test(contentId) ? { contentId } : {}),
  };
}

/** It becomes a header field again, in which it cannot be folded. */
export const safeContentId = /^[!-;=?-~]{1,200}$/;

function typeOf({ contentType }: AttachmentPart): string {
  const isPlain = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(contentType);
  return isPlain && !contentType.startsWith("multipart/")
    ? contentType
    : "application/octet-stream";
}

export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
