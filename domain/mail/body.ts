import { LRUCache } from "lru-cache";
import type { Service } from "../service.ts";
import { readWholeBlob } from "../store/blobs.ts";
import type { Email } from "./message.ts";
import type { MessageBody } from "./parse_body.ts";
import { parseMessage } from "./parse_pool.ts";

/** Bytes of raw mail whose parsed bodies kept for the reads that follow the first: a thread, its messages, their attachments. */
const cacheBytes = 4 * 1024 * 1024;
/** A body larger than this is not worth the place of many others. */
const maxCachedBytes = 512 * 1024;

const caches = new WeakMap<Service, LRUCache<string, MessageBody>>();

/**
 * The parsed body of an email, from its raw bytes: parsed at the first read after a start, a small cache
 * after that (not with `remember: false`: a job that goes through all mail would push out what people read).
 * Never throws for what a message holds; throws where its bytes are gone.
 */
export async function readBody(
  service: Service,
  email: Email,
  options: { remember?: boolean } = {},
): Promise<MessageBody> {
  let cache = caches.get(service);
  if (!cache) {
    caches.set(
      service,
      cache = new LRUCache({
        maxSize: cacheBytes,
        sizeCalculation: (_body, key) => Number(key.split(" ")[1]) + 500,
      }),
    );
  }
  const key = `${email.raw.blobId} ${email.size}`;
  const known = cache.get(key);
  if (known) return known;
  const load = () => readWholeBlob(service.entries, email.raw);
  const body = await parseMessage({ size: email.size, load });
  if (options.remember !== false && email.size <= maxCachedBytes) cache.set(key, body);
  return body;
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
