import { notFound, unavailable } from "../../../core/errors.ts";
import { type Call, requireScope } from "../../../core/operation.ts";
import type { Reads } from "../reads.ts";
import type { Email } from "../../record/email.ts";
import type { AttachmentPart } from "../../../../mime/body/parse_body.ts";
import { readBody } from "../parsing/parsed_bodies.ts";
import { storedMessage } from "../parsing/stored_message.ts";
import { getFullEmail } from "../get_email.ts";
import { readEmail } from "../shown_rows.ts";
import type { Caller } from "../../../core/caller.ts";

/** An attachment as it is served. */
export interface OpenAttachment {
  /** As it is served: one of a fixed list. */
  contentType: string;
  /** One line, without folders; null if it has none. */
  filename: string | null;
  content: Uint8Array;
}

/**
 * The decoded bytes of an attachment, with the authorization of its email. Throws NOT_FOUND if the email or the attachment
 * does not exist, SERVICE_UNAVAILABLE if it was not decoded in time.
 */
export async function openAttachment(
  service: Reads,
  caller: Caller,
  { emailId, attachmentId }: { emailId: string; attachmentId: string },
  reserve?: Call["reserve"],
): Promise<OpenAttachment> {
  requireScope(caller, getFullEmail.scope);
  const audited = service.audit.begin(caller, "get_attachment", { surface: "rest" });
  const { email, part } = await findAttachment(service, caller, emailId, attachmentId);
  await reserve?.(part.size);
  const content = await contentOf(service, email, attachmentId);
  audited?.note({ emailId: email.emailId, mailboxId: email.mailboxId });
  audited?.end(1);
  return { contentType: shownType(part.contentType), filename: part.filename, content };
}

/** An attachment and its email. Throws NOT_FOUND if either does not exist. */
export async function findAttachment(
  service: Reads,
  caller: Caller,
  emailId: string,
  attachmentId: string,
): Promise<{ email: Email; part: AttachmentPart }> {
  const email = await readEmail(service, caller, emailId);
  const part = (await readBody(service, email)).attachments
    .find((each) => each.attachmentId === attachmentId);
  if (!part) throw notFound("attachment");
  return { email, part };
}

/** Its decoded bytes, at most the first `maxBytes`. Throws SERVICE_UNAVAILABLE if it was not decoded in time. */
export async function contentOf(
  service: Reads,
  email: Email,
  attachmentId: string,
  maxBytes?: number,
): Promise<Uint8Array> {
  const source = storedMessage(service, email);
  const [content] = await service.parsing.attachments(source, [attachmentId], maxBytes);
  if (!content) throw unavailable("The attachment could not be decoded in time.");
  return content;
}

/** Media types that are served as they are. The header has a name of this list, never the text of the sender. */
const knownTypes = new Set([
  "application/gzip",
  "application/json",
  "application/msword",
  "application/pdf",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/zip",
  "audio/mpeg",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
  "message/rfc822",
  "text/calendar",
  "text/csv",
  "text/plain",
  "video/mp4",
]);

/** The media type that a file is served with. */
export function shownType(contentType: string): string {
  return knownTypes.has(contentType) ? contentType : "application/octet-stream";
}
