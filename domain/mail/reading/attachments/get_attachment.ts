import { notFound, unavailable } from "../../../core/errors.ts";
import { requireScope } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
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
  /** As the sender wrote it. */
  mediaType: string;
  /** As the sender declares it; null if absent. */
  charset: string | null;
  /** One line, without folders; null if it has none. */
  filename: string | null;
  content: Uint8Array;
}

/**
 * The decoded bytes of an attachment, with the authorization of its email. Throws NOT_FOUND if the email or the attachment
 * does not exist, SERVICE_UNAVAILABLE if it was not decoded in time.
 */
export async function openAttachment(
  service: Service,
  caller: Caller,
  emailId: string,
  attachmentId: string,
): Promise<OpenAttachment> {
  requireScope(caller, getFullEmail.scope);
  const audited = service.audit.begin(caller, "get_attachment", { surface: "rest" });
  const { email, ...attachment } = await findAttachment(service, caller, emailId, attachmentId);
  audited?.note({ emailId: email.emailId, mailboxId: email.mailboxId });
  audited?.end(1);
  return attachment;
}

/**
 * The same with its email, for a caller that notes the call itself. `maxBytes` returns how many of the first bytes the
 * caller needs; absent: all.
 */
export async function findAttachment(
  service: Service,
  caller: Caller,
  emailId: string,
  attachmentId: string,
  maxBytes?: (attachment: AttachmentPart) => number | undefined,
): Promise<OpenAttachment & { email: Email }> {
  const email = await readEmail(service, caller, emailId);
  const known = (await readBody(service, email)).attachments
    .find((each) => each.attachmentId === attachmentId);
  if (!known) throw notFound("attachment");
  const source = storedMessage(service, email);
  const [content] = await service.parsing.attachments(source, [attachmentId], maxBytes?.(known));
  if (!content) throw unavailable("The attachment could not be decoded in time.");
  const { contentType: mediaType, charset, filename } = known;
  return { contentType: shownType(mediaType), mediaType, charset, filename, content, email };
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
