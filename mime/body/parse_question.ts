import { type Bounce, readBounce } from "./delivery_report.ts";
import { attachmentContent, type MessageBody, parseBody } from "./parse_body.ts";
import { type Segment, segmentsOf } from "../segments/segments.ts";

/**
 * A question about a message: its body, the bytes of an attachment, its delivery report, or the segments
 * of its text (`subject` decoded).
 */
export type Ask =
  | { what: "body" | "report" }
  | { what: "attachment"; attachmentId: string }
  | { what: "segments"; subject: string };
export type ParseQuestion = { raw: Uint8Array } & Ask;

/** The answer; its member depends on the question. */
export type ParseAnswer =
  | { body: MessageBody }
  | { content: Uint8Array | null }
  | { bounce: Bounce | null }
  | { segments: Segment[] };

/** Answers a question on this thread. Never throws. */
export function answerOf(question: ParseQuestion): ParseAnswer {
  const { raw } = question;
  if (question.what === "attachment") {
    return { content: attachmentContent(raw, question.attachmentId) };
  }
  if (question.what === "segments") {
    const { text, html } = parseBody(raw);
    return { segments: segmentsOf(text, html, question) };
  }
  return question.what === "body" ? { body: parseBody(raw) } : { bounce: readBounce(raw) };
}

/**
 * Messages of this size and larger are parsed in a Worker. A smaller one takes 1 ms; one made to be slow
 * takes 50 ms.
 */
export const largeMessageBytes = 32 * 1024;
