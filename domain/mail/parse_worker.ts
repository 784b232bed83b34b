import { answerOf, type ParseAnswer, type ParseQuestion } from "./parse_question.ts";

/** What a Worker says: that it has begun, for the deadline is one of work, and then the answer. */
export type ParseMessage = "begun" | ParseAnswer;

/** The part of a Worker's own scope that is used here; the page's library types do not have it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ParseQuestion>) => void) | null;
  postMessage(message: ParseMessage, transfer: Transferable[]): void;
}

declare const self: WorkerScope;

self.onmessage = ({ data }) => {
  self.postMessage("begun", []);
  const answer = answerOf(data);
  const content = "content" in answer ? answer.content : null;
  self.postMessage(answer, content ? [content.buffer as ArrayBuffer] : []);
};
