import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { senderOf } from "../bodies/body.ts";
import type { Env } from "../env.ts";
import { freeBytes } from "../memory_share.ts";
import type { AnswerShare } from "./answer_budget.ts";
import { pacedBody } from "./paced_body.ts";

const encoder = new TextEncoder();

/** The share of this request's answer. */
export function answerShareOf(c: Context<Env>): AnswerShare {
  const share = c.get("answerShare") ?? c.get("intake").answers.open(senderOf(c));
  c.set("answerShare", share);
  return share;
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
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  countAnswer(c, bytes.length, changed);
  c.header("Content-Length", String(bytes.length));
  return c.body(counted(c, bytes), status, headers);
}

function counted(c: Context<Env>, bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  const share = answerShareOf(c);
  share.isSending = true;
  return pacedBody(bytes, c.get("intake").answers.clock, () => share.release());
}
