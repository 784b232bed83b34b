import { type Bounce, readBounce } from "./delivery_report.ts";
import { attachmentContent, type MessageBody, parseBody } from "./parse_body.ts";

/** A question about a message: its body, the bytes of an attachment, or its delivery report. */
export type Ask = { what: "body" | "report" } | { what: "attachment"; attachmentId: string };
export type ParseQuestion = { raw: Uint8Array } & Ask;

/** The answer; its member depends on the question. */
export type ParseAnswer =
  | { body: MessageBody }
  | { content: Uint8Array | null }
  | { bounce: Bounce | null };

/** Answers a question on this thread. Never throws. */
export function answerOf(question: ParseQuestion): ParseAnswer {
  const { raw } = question;
  if (question.what === "attachment") {
    return { content: attachmentContent(raw, question.attachmentId) };
  }
  return question.what === "body" ? { body: parseBody(raw) } : { bounce: readBounce(raw) };
}

/**
 * Messages of this size and larger are parsed in a Worker. A smaller one takes 1 ms; one made to be slow
 * takes 50 ms.
 */
export const largeMessageBytes = 32 * 1024;
