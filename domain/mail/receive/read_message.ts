import { concatBytes } from "../../core/bytes.ts";
import { ServiceError } from "../../core/errors.ts";
import { largestEmailBytes } from "../../core/plans.ts";
import type { Receives } from "./delivery.ts";
import type { Delivery } from "./delivery.ts";
import { BlobWriter, type FinishedBlob } from "../../store/blobs.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { messageHeaderLimits } from "../../../mime/headers/header_fields.ts";
import { type MessageHead, parseHead } from "../../../mime/headers/parse_head.ts";
import { newestReceived } from "../../../mime/headers/received_field.ts";

/**
 * The body is larger than any plan allows, or than its recipients take. `size` is its declared size; without one, the
 * number of bytes that were read.
 */
export class TooLarge extends Error {
  constructor(readonly limit: number, readonly size: number) {
    super(`larger than ${limit} bytes`);
  }
}

/** A message that was read to its end. */
export interface ReadMessage {
  blob: FinishedBlob;
  head: MessageHead;
  /** Of an imported message: when a host last took it, ms since 1970; null if it does not say. */
  tookAt: number | null;
  /** The bytes of a small message, which is parsed before its commit; null if a job parses it. */
  raw: Uint8Array | null;
  /** The beginning of a message from the null sender, by which a delivery report is known; null of another. */
  notice: Uint8Array | null;
}

/** A report is read up to here: its status comes before the returned message. */
export const maxReportBytes = 256 * 1024;

/**
 * Reads the body once: all of it into a blob, its beginning into the header parser. A body that is declared too large
 * is not read.
 */
export async function readMessage(
  service: Receives,
  { body, declaredSize, maxBytes = Infinity, imported, sender }: Pick<
    Delivery,
    "body" | "declaredSize" | "maxBytes" | "imported" | "sender"
  >,
): Promise<ReadMessage> {
  const limit = Math.min(maxBytes, largestEmailBytes(service.plans));
  if (declaredSize && declaredSize > limit) throw new TooLarge(limit, declaredSize);
  const writer = new BlobWriter(service);
  const start: Uint8Array[] = [];
  const pieces = body[Symbol.asyncIterator]();
  let size = 0, startSize = 0;
  try {
    for (;;) {
      const { value: piece, done } = await pieces.next().catch(badRequest);
      if (done) break;
      size += piece.length;
      if (size > limit) throw new TooLarge(limit, size);
      if (startSize < messageHeaderLimits.scanBytes) {
        start.push(piece);
        startSize += piece.length;
      }
      await writer.write(piece);
    }
    if (size === 0) {
      throw new ServiceError("BAD_REQUEST", "The body is empty: it must be the message.");
    }
    const blob = await writer.finish();
    const front = concatBytes(start, startSize);
    return {
      blob,
      head: parseHead(front),
      tookAt: imported ? newestReceived(front) : null,
      raw: size < largeMessageBytes ? front : null,
      notice: sender === "" && !imported ? front.slice(0, maxReportBytes) : null,
    };
  } catch (error) {
    await pieces.return?.().catch(() => {});
    await writer.discard();
    throw error;
  }
}

/** If a body breaks off, the sender has failed: BAD_REQUEST. */
function badRequest(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  throw new ServiceError("BAD_REQUEST", "The message ended before it was complete.");
}

/** The body of a small message, so that its first commit has everything; null if a job is to parse it. */
export async function parseSmall(
  { parsing }: Receives,
  userId: string,
  { raw }: ReadMessage,
): Promise<MessageBody | null> {
  return raw && await parsing.parse({ userId, size: raw.length, load: () => Promise.resolve(raw) });
}
