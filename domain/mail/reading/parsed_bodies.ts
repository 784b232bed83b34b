import { LRUCache } from "lru-cache";
import type { Service } from "../../core/service.ts";
import { readWholeBlob } from "../../store/blobs.ts";
import type { Email } from "../record/email.ts";
import { type MessageBody, unreadBody } from "../../../mime/body/parse_body.ts";

/** Characters of parsed bodies kept for the reads that follow the first: a thread, its messages, their attachments. */
const cachedCharacters = 4 * 1024 * 1024;
/** What a body without a word takes. */
const bodyCharacters = 500;

/** Bodies of one service that were parsed lately, and those that are being parsed. */
interface Bodies {
  parsed: LRUCache<string, MessageBody>;
  parsing: Map<string, Promise<MessageBody>>;
}
const bodiesOf = new WeakMap<Service, Bodies>();

/**
 * The parsed body of an email, from its raw bytes: parsed at the first read after a start, once for all who
 * ask meanwhile, out of a small cache after that (not with `remember: false`: a job that goes through all
 * mail would push out what people read). What could not be read once is not tried again. Never throws for
 * what a message holds; throws where its bytes are gone.
 */
export async function readBody(
  service: Service,
  email: Email,
  options: { remember?: boolean; inWorker?: boolean } = {},
): Promise<MessageBody> {
  if (email.parsed?.problem) return unreadBody(email.parsed.problem);
  let bodies = bodiesOf.get(service);
  if (!bodies) bodiesOf.set(service, bodies = emptyBodies());
  const { parsed, parsing } = bodies;
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

function emptyBodies(): Bodies {
  const weigh = ({ text, html, newText, attachments }: MessageBody) =>
    bodyCharacters + text.length + (html?.length ?? 0) + newText.length +
    attachments.length * bodyCharacters;
  return {
    parsed: new LRUCache({ maxSize: cachedCharacters, sizeCalculation: weigh }),
    parsing: new Map(),
  };
}

/** What the record keeps of a parsed body. */
export function parsedFields(body: MessageBody): NonNullable<Email["parsed"]> {
  return {
    snippet: body.snippet,
    excerpt: body.excerpt,
    attachmentIds: body.attachments.map((each) => each.attachmentId),
    problem: body.problem,
  };
}
