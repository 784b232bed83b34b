import { LRUCache } from "lru-cache";
import type { Service } from "../../../core/service.ts";
import { readWholeBlob } from "../../../store/blobs.ts";
import type { Email } from "../../record/email.ts";
import { type MessageBody, unreadBody } from "../../../../mime/body/parse_body.ts";

/** Characters of parsed bodies that are kept: a thread, its messages and their attachments are often read together. */
const cachedCharacters = 4 * 1024 * 1024;
/** Counted for a body besides its text. */
const bodyCharacters = 500;

/** Characters of bodies that wait to be indexed: those of a thousand usual emails. */
const waitingCharacters = 6 * 1024 * 1024;

/** The part of a body that the search index needs. */
export type IndexedBody = Pick<MessageBody, "text" | "attachedTexts" | "attachments">;

/** The bodies that a Service parsed lately, and those that it is parsing now, by the id of the raw message. */
export class ParsedBodies {
  private readonly waiting = new LRUCache<string, IndexedBody>({
    maxSize: waitingCharacters,
    sizeCalculation: ({ text, attachedTexts, attachments }) =>
      bodyCharacters + text.length + attachedTexts.join("").length +
      attachments.length * bodyCharacters,
  });
  readonly parsed = new LRUCache<string, MessageBody>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ text, html, newText, attachments }) =>
      bodyCharacters + text.length + (html?.length ?? 0) + newText.length +
      attachments.length * bodyCharacters,
  });
  readonly parsing = new Map<string, Promise<MessageBody>>();

  /** Keeps the body of an email that was parsed before its commit for the job that indexes it. The oldest are dropped. */
  keepForIndex(
    { raw }: Pick<Email, "raw">,
    { text, attachedTexts, attachments }: MessageBody,
  ): void {
    this.waiting.set(raw.blobId, { text, attachedTexts, attachments });
  }

  /** The body that was kept for the index, which is then dropped; undefined if there is none. */
  takeForIndex({ raw }: Pick<Email, "raw">): IndexedBody | undefined {
    const body = this.waiting.get(raw.blobId);
    this.waiting.delete(raw.blobId);
    return body;
  }
}

/**
 * The parsed body of an email: from the cache, or parsed from the raw message, once for all simultaneous callers. With
 * `remember: false` the body is not cached: a job that reads all mail would evict what people read. A message that
 * could not be read once is not tried again. Never throws because of the content of a message; throws if its bytes are
 * gone.
 */
export async function readBody(
  service: Service,
  email: Email,
  options: { remember?: boolean; inWorker?: boolean } = {},
): Promise<MessageBody> {
  if (email.parsed?.problem) return unreadBody(email.parsed.problem);
  const { parsed, parsing } = service.parsedBodies;
  const key = email.raw.blobId;
  const known = parsed.get(key) ?? parsing.get(key);
  if (known) return await known;
  const load = () => readWholeBlob(service.database, email.raw);
  const { userId, size } = email;
  const work = service.parsing.parse({ userId, size, load, inWorker: options.inWorker });
  parsing.set(key, work);
  try {
    const body = await work;
    if (options.remember !== false && body.problem === null) parsed.set(key, body);
    return body;
  } finally {
    parsing.delete(key);
  }
}

/** The fields of a parsed body that the record keeps. */
export function parsedFields(body: MessageBody): NonNullable<Email["parsed"]> {
  return {
    snippet: body.snippet,
    attachmentIds: body.attachments.map((each) => each.attachmentId),
    attachments: body.attachments.map(({ attachmentId, filename, contentType, size }) => ({
      attachmentId,
      filename,
      contentType,
      size,
    })),
    problem: body.problem,
  };
}
