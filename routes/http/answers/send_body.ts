import { Buffer } from "node:buffer";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Call } from "../../../domain/core/operation.ts";
import type { Service } from "../../../domain/core/service.ts";
import { TimeSlices } from "../../../domain/core/work/time_slices.ts";
import { senderOf } from "../bodies/body.ts";
import type { Env } from "../env.ts";
import { freeBytes } from "../memory_share.ts";
import type { AnswerShare } from "./answer_budget.ts";
import { pacedBody, piecesOf, piecesOfTexts } from "./paced_body.ts";

/** The share of this request's answer. */
export function answerShareOf(c: Context<Env>): AnswerShare {
  const isGone = () => c.req.raw.signal.aborted;
  const share = c.get("answerShare") ?? c.get("intake").answers.open(senderOf(c), isGone);
  c.set("answerShare", share);
  return share;
}

/**
 * Counts bytes of this request's answer before they are read or made: see `AnswerShare.reserve`. The first 64 KiB are free,
 * and most answers have no more: they open no share.
 */
export async function reserveAnswer(c: Context<Env>, bytes: number): Promise<void> {
  if (bytes > freeBytes) await answerShareOf(c).reserve(bytes);
}

/**
 * What an operation knows of a request: whether its client has left, and the room and the turn that its answer needs. The
 * JSON of a million characters takes 20 ms: thirty answers that are made at once would take their turns together.
 */
export function callOf(
  c: Context<Env>,
  { clock }: Pick<Service, "clock">,
): Required<Pick<Call, "signal" | "confirm" | "reserve" | "turn">> {
  return {
    signal: () => c.req.raw.signal,
    confirm: () => c.get("confirmCaller")({ fresh: true }),
    reserve: (bytes) => reserveAnswer(c, bytes),
    async turn() {
      if (!c.get("answerShare")) return;
      await new TimeSlices(clock, c.get("caller")?.userId ?? "guests").turn();
    },
  };
}

/** Counts an answer that is made, before it is compressed. See `AnswerShare.made`. */
export function countAnswer(c: Context<Env>, chars: number, changed = false): void {
  if (chars > freeBytes) answerShareOf(c).made(chars, changed);
}

/**
 * Answers with a body. One above 64 KiB is counted in the budget of answers and sent as fast as its client reads. Throws
 * SERVICE_UNAVAILABLE as `AnswerShare.made`.
 */
export function sendBody(
  c: Context<Env>,
  body: string | Uint8Array<ArrayBuffer>,
  status: ContentfulStatusCode = 200,
  { headers, changed = false }: { headers?: Record<string, string>; changed?: boolean } = {},
): Response {
  // The server drops the body of a HEAD's answer, and sends its length.
  if (body.length <= freeBytes || c.req.method === "HEAD") return c.body(body, status, headers);
  // The text is encoded piece by piece: its bytes would be as much garbage again.
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  countAnswer(c, size, changed);
  c.header("Content-Length", String(size));
  return c.body(paced(c, piecesOf(body)), status, headers);
}

/** Memory of a stream whose client does not read: ten chunks of a blob. */
const streamBytes = 640 * 1024;

/** Answers with a stream of `size` bytes. One above 64 KiB is counted with what is read ahead of the client. */
export async function sendStream(
  c: Context<Env>,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  size: number,
): Promise<Response> {
  c.header("Content-Length", String(size));
  if (size <= freeBytes || c.req.method === "HEAD") return c.body(stream);
  await reserveAnswer(c, Math.min(size, streamBytes));
  return c.body(paced(c, stream[Symbol.asyncIterator]()));
}

/**
 * Answers with texts of an unknown length, as fast as the client reads them; they are sent in pieces of about 64 KiB.
 * `ended` is called once they are sent, or the client has left.
 */
export async function sendTexts(
  c: Context<Env>,
  texts: AsyncGenerator<string>,
  contentType: string,
  ended: () => void,
): Promise<Response> {
  c.header("Content-Type", contentType);
  try {
    if (c.req.method !== "HEAD") {
      await reserveAnswer(c, streamBytes);
      return c.body(paced(c, piecesOfTexts(texts), ended));
    }
  } catch (error) {
    ended();
    throw error;
  }
  ended();
  // A stream, because the length of GET's answer is not known.
  return c.body(ReadableStream.from([]));
}

function paced(
  c: Context<Env>,
  pieces: Parameters<typeof pacedBody>[0],
  ended: () => void = () => {},
) {
  const share = answerShareOf(c);
  share.isSending = true;
  return pacedBody(pieces, c.get("intake").answers.clock, () => {
    share.release();
    ended();
  });
}
