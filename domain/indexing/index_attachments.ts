import type { Service } from "../core/service.ts";
import { forwardedText } from "../../mime/body/stand_in_text.ts";
import { isReadApart, textKindOf } from "../../mime/body/attachment_kinds.ts";
import { readBody } from "../mail/read/parsing/parsed_bodies.ts";
import { storedMessage } from "../mail/read/parsing/stored_message.ts";
import { storedEmail } from "../mail/record/read_email.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { indexedEmail, maxIndexedCharacters } from "./indexed_email.ts";

/** Files of one email whose text is searchable. */
const maxFiles = 10;

/**
 * Gives the index the texts of an email's files that `isReadApart`, together with the mail itself. A file that has no
 * text, or costs too much, is left out.
 */
export async function indexAttachments(
  service: Service,
  job: Job<"index_attachments">,
): Promise<void> {
  const { database, parsing, attachmentTexts, searchIndex, jobs } = service;
  const { userId, emailId } = job.payload;
  const email = await storedEmail(database, userId, emailId);
  let lostVectors = false;
  if (email) {
    const body = await readBody(service, email, { remember: false });
    const files = body.attachments.slice(0, maxFiles).flatMap(({ attachmentId, ...file }) => {
      const kind = textKindOf(file);
      return kind && isReadApart(kind) ? [{ attachmentId, kind }] : [];
    });
    const contents = await parsing.attachments(
      storedMessage(service, email),
      files.map(({ attachmentId }) => attachmentId),
    );
    const texts: string[] = [];
    let left = maxIndexedCharacters;
    for (const [n, { kind }] of files.entries()) {
      const content = contents[n];
      if (left <= 0 || !content) continue;
      const text = kind === "eml"
        ? await textOfMessage(service, job, content)
        : await attachmentTexts.read({ userId, kind, load: () => Promise.resolve(content) });
      if (!text) continue;
      texts.push(text.slice(0, left));
      left -= text.length;
    }
    if (texts.length > 0) {
      const attachedTexts = [...body.attachedTexts, ...texts];
      await searchIndex.add([indexedEmail(email, { ...body, attachedTexts })]);
      lostVectors = service.semantic !== null;
    }
  }
  // An email that was deleted meanwhile has left the index already, and must not come back.
  if (await database.get(keys.email(userId, emailId)) === null) {
    await searchIndex.remove(userId, [emailId]);
  }
  await database.transact((tx) => {
    jobs.complete(tx, job);
    // The index replaces an email as a whole.
    if (lostVectors) jobs.add(tx, "embed_email", { userId, emailId });
  });
}

/**
 * The text of an attached message, which is parsed as one that arrives. "" if it was not read in time. The Worker that
 * reads other files would take 25 MB.
 */
async function textOfMessage(
  { parsing }: Service,
  { payload, deaths = 0 }: Job<"index_attachments">,
  raw: Uint8Array,
): Promise<string> {
  const { text, problem } = await parsing.parse({
    userId: payload.userId,
    size: raw.length,
    load: () => Promise.resolve(raw),
    // Reading it may have ended the process.
    inWorker: deaths > 1,
  });
  return problem === null ? forwardedText(raw, () => text).toWellFormed() : "";
}

/** The mail is found without the texts of its files, because reading one of them may have ended the process. */
export async function setFilesAside(
  { database, jobs, log }: Service,
  job: Job<"index_attachments">,
): Promise<void> {
  await database.transact((tx) => jobs.complete(tx, job));
  log.warn("mail.attachments_not_indexed", { email_id: job.payload.emailId });
}
