import type { Caller } from "../../../core/caller.ts";
import { invalidField, notFound, unavailable } from "../../../core/errors.ts";
import { type Call, requireScope } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { readWholeBlob } from "../../../store/blobs.ts";
import { DamagedBlob } from "../../../store/blobs/chunk_form.ts";
import { readUpload, requireStillThere } from "../../../uploads/upload.ts";
import { mediaTypeOf, type OutgoingAttachment } from "../../../../mime/compose/compose.ts";
import { getFullEmail } from "../../read/get_email.ts";
import { readBody } from "../../read/parsing/parsed_bodies.ts";
import { storedMessage } from "../../read/parsing/stored_message.ts";
import { readEmail } from "../../read/shown_rows.ts";
import { requireContentSize } from "../message_size.ts";
import type { Submission } from "../outgoing_message.ts";
import { attachedAs } from "./attached_part.ts";
import type { GivenFile } from "./attachment_input.ts";

/** Each is a row that the commit of the message checks; a commit has a hundred checks. */
const maxUploads = 20;
/** An email is read whole for one of its files. These are five of the largest of the standard plans. */
const maxEmailBytes = 256 * 2 ** 20;

/** With `isForwarded` a file of the email that is forwarded, whose HTML shows it in its place. */
type FileToRead = GivenFile & { isForwarded?: true };

/** A message whose files are not read yet, except those of `attachments`. */
export interface Unread extends Omit<Submission, "uploadIds"> {
  files: readonly FileToRead[];
}

/** A file that the caller may attach. */
interface Found {
  about: Omit<OutgoingAttachment, "content">;
  size: number;
  read(): Promise<Uint8Array>;
}

/**
 * The bytes of all files of a message, and the uploads among them. Throws NOT_FOUND if the caller has no such email,
 * attachment or upload, FORBIDDEN if it may not read mail, and VALIDATION_ERROR. If the caller gave some by their ids, throws
 * EMAIL_TOO_LARGE before it reads them, also for a dry run: nothing has bounded their bytes before.
 */
export async function readFiles(
  service: Service,
  caller: Caller,
  call: Pick<Call, "reserve">,
  { files, ...message }: Pick<Unread, "text" | "html" | "attachments" | "files">,
): Promise<Pick<Submission, "attachments" | "uploadIds">> {
  const found = await findFiles(service, caller, files);
  const isById = ({ content }: FileToRead) => content === undefined;
  if (files.some((file) => isById(file) && !file.isForwarded)) {
    const sizes = found.map(({ size }) => ({ content: { length: size } }));
    const attachments = [...message.attachments, ...sizes];
    requireContentSize(service, caller, { ...message, attachments });
  }
  const byId = found.filter((_, n) => isById(files[n]));
  await call.reserve?.(byId.reduce((sum, { size }) => sum + size, 0));
  const attachments = [...message.attachments];
  for (const [n, { about, read }] of found.entries()) {
    const contentId = files[n].content_id ?? about.contentId;
    attachments.push({ ...about, ...contentId && { contentId }, content: await read() });
  }
  return { attachments, uploadIds: files.flatMap(({ upload_id }) => upload_id ?? []) };
}

/**
 * What was read; or, if that failed, the answer to an earlier request with the same idempotency key: it was at work at the
 * same time, and has used the uploads.
 */
export async function unlessAnswered<Result, Answer>(
  reading: Promise<Result>,
  firstAnswer: () => Promise<Answer | null>,
): Promise<{ result: Result } | { answer: Answer }> {
  try {
    return { result: await reading };
  } catch (error) {
    const answer = await firstAnswer();
    if (answer) return { answer };
    throw error;
  }
}

async function findFiles(
  service: Service,
  caller: Caller,
  files: readonly FileToRead[],
): Promise<Found[]> {
  const uploadIds = files.flatMap(({ upload_id }) => upload_id ?? []);
  if (uploadIds.length > maxUploads) {
    const reason = `has ${uploadIds.length} uploads, at most ${maxUploads} are allowed`;
    throw invalidField("attachments", reason);
  }
  const emails = await emailsOf(service, caller, files);
  const found: Found[] = [];
  for (const [n, file] of files.entries()) {
    const { content, upload_id, email_id = "" } = file;
    if (content !== undefined) found.push(inlineFile(file, content));
    else if (upload_id === undefined) found.push(await emails.get(email_id)!(file));
    else if (uploadIds.indexOf(upload_id) < uploadIds.lastIndexOf(upload_id)) {
      throw invalidField(`attachments.${n}.upload_id`, "is given twice");
    } else found.push(await uploadedFile(service, caller, file, upload_id, n));
  }
  return found;
}

/** A file whose bytes were given. */
export function inlineFile({ filename = "", content_type }: GivenFile, content: Uint8Array): Found {
  const contentType = content_type ?? mediaTypeOf(filename);
  const read = () => Promise.resolve(content);
  return { about: { filename, contentType }, size: content.length, read };
}

const nameless = "attachment";

async function uploadedFile(
  service: Service,
  { userId }: Caller,
  file: GivenFile,
  uploadId: string,
  n: number,
): Promise<Found> {
  const upload = await readUpload(service, userId, uploadId);
  const { content } = upload;
  if (!content) {
    const reason = "has no bytes yet: PUT them to its upload_url first";
    throw invalidField(`attachments.${n}.upload_id`, reason);
  }
  const filename = file.filename ?? upload.filename ?? nameless;
  const contentType = file.content_type ?? upload.contentType ?? mediaTypeOf(filename);
  const read = () =>
    readWholeBlob(service.database, content).catch(async (error) => {
      if (error instanceof DamagedBlob) await requireStillThere(service, userId, uploadId);
      throw error;
    });
  return { about: { filename, contentType }, size: content.size, read };
}

/** Finds the files of each email by its id. All files of an email are decoded together. */
async function emailsOf(service: Service, caller: Caller, files: readonly FileToRead[]) {
  const wanted = Map.groupBy(files.filter(({ email_id }) => email_id), (file) => file.email_id!);
  if (wanted.size > 0) requireScope(caller, getFullEmail.scope);
  const ids = [...wanted.keys()];
  const emails = await Promise.all(ids.map((id) => readEmail(service, caller, id)));
  if (emails.reduce((sum, { size }) => sum + size, 0) > maxEmailBytes) {
    const reason = `are of emails that have more than ${maxEmailBytes} bytes together`;
    throw invalidField("attachments", reason);
  }
  return new Map(emails.map((email) => {
    const asked = wanted.get(email.emailId)!.map(({ attachment_id = "" }) => attachment_id);
    const attachmentIds = [...new Set(asked)];
    let decoded: Promise<(Uint8Array | null)[]> | null = null;
    const decode = () =>
      decoded ??= service.parsing.attachments(storedMessage(service, email), attachmentIds);
    const find = async (file: FileToRead): Promise<Found> => {
      const { attachments } = await readBody(service, email);
      const part = attachments.find(({ attachmentId }) => attachmentId === file.attachment_id);
      if (!part) throw notFound("attachment");
      const read = async () => {
        const content = (await decode())[attachmentIds.indexOf(part.attachmentId)];
        if (!content) throw unavailable("An attachment could not be decoded in time.");
        return content;
      };
      return { about: attachedAs(part, file), size: part.size, read };
    };
    return [email.emailId, find] as const;
  }));
}
