import { type Bounce, readBounce } from "./bounce.ts";
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
