import { type Bounce, readBounce } from "./delivery_report.ts";
import { attachmentContent, type MessageBody, parseBody } from "./parse_body.ts";

/** What is asked of a message: its body, the bytes of one of its attachments, or what it reports. */
export type Ask = { what: "body" | "report" } | { what: "attachment"; attachmentId: string };
export type ParseQuestion = { raw: Uint8Array } & Ask;

/** The answer, by what was asked. */
export type ParseAnswer =
  | { body: MessageBody }
  | { content: Uint8Array | null }
  | { bounce: Bounce | null };

/** Answers on the thread that asks. Never throws. */
export function answerOf(question: ParseQuestion): ParseAnswer {
  const { raw } = question;
  if (question.what === "attachment") {
    return { content: attachmentContent(raw, question.attachmentId) };
  }
  return question.what === "body" ? { body: parseBody(raw) } : { bounce: readBounce(raw) };
}

/**
 * From this size on a message is parsed in a Worker. What is smaller takes the main thread a millisecond, and
 * 50 ms where it is made for that.
 */
export const largeMessageBytes = 32 * 1024;
