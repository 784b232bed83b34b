import type { Reads } from "../reads.ts";
import type { Email } from "../../record/email.ts";
import { type MessageBody, unreadBody } from "../../../../mime/body/parse_body.ts";
import { growingCache } from "../../../core/work/growing_cache.ts";
import { DamagedBlob } from "../../../store/blobs/chunk_form.ts";
import { KeptBodies } from "./kept_bodies.ts";
import { storedMessage } from "./stored_message.ts";

/** What an email has for those who expect a code or a link. */
export interface Proof {
  code: string | null;
  link: string | null;
}

/** An email without code takes about 400 bytes. */
const maxProofs = 20_000;

/** The bodies that a Service parsed lately, and those that it is parsing now, by the id of the raw message. */
export class ParsedBodies {
  private readonly bodies = new KeptBodies();
  readonly parsing = new Map<string, Promise<MessageBody>>();
  /** Emails of which the quote was compared with the mail that they name, and has no answers inside. */
  readonly plainQuotes = growingCache<string, { answers: 0 }>(maxProofs);
  /** What was found in emails that somebody expected, by its id; null: it proves nothing. */
  readonly proofs = growingCache<string, Promise<Proof | null>>(maxProofs);

  /**
   * Keeps a body for its job and its readers, until bodies that were used later take its room. A message that could not
   * be read is kept too: it would take its deadline again.
   */
  keep({ raw }: Pick<Email, "raw">, body: MessageBody): void {
    this.bodies.set(raw.blobId, body);
  }

  /** The body if it is kept. */
  get({ raw }: Pick<Email, "raw">): MessageBody | undefined {
    return this.bodies.get(raw.blobId);
  }

  /** Whether `readBody` needs no parse of its own: the body is kept, or somebody parses it now. */
  isAtHand({ raw }: Pick<Email, "raw">): boolean {
    return this.bodies.has(raw.blobId) || this.parsing.has(raw.blobId);
  }

  /** Drops all bodies, as the end of the process does. For tests. */
  clear(): void {
    this.bodies.clear();
    this.proofs.clear();
    this.plainQuotes.clear();
  }
}

/**
 * The parsed body of an email: one that is kept, or parsed from the raw message, once for all simultaneous callers. With
 * `remember: false` the body is not kept: a job that reads all mail would evict what people read. A message that
 * could not be read once is not tried again. Never throws because of the content of a message, or because its bytes are
 * lost. Throws NOT_FOUND if the email was deleted meanwhile.
 */
export async function readBody(
  service: Reads,
  email: Email,
  options: { remember?: boolean; inWorker?: boolean } = {},
): Promise<MessageBody> {
  if (email.parsed?.problem) return unreadBody(email.parsed.problem);
  const { parsing } = service.parsedBodies;
  const key = email.raw.blobId;
  const known = service.parsedBodies.get(email) ?? parsing.get(key);
  if (known instanceof Promise) return await known.catch(lostBody);
  if (known) return known;
  const source = { ...storedMessage(service, email), inWorker: options.inWorker };
  const work = service.parsing.parse(source);
  parsing.set(key, work);
  try {
    const body = await work.catch(lostBody);
    if (body.problem === lost) return body;
    if (options.remember !== false) service.parsedBodies.keep(email, body);
    return body;
  } finally {
    parsing.delete(key);
  }
}

const lost = "The stored bytes of the message are damaged.";

/** One email whose bytes are lost must not take those beside it from a list, a claim or a job: it is one with a problem. */
function lostBody(error: unknown): MessageBody {
  if (error instanceof DamagedBlob) return unreadBody(lost);
  throw error;
}
