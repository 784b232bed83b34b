import { answerOf, type ParseAnswer, type ParseQuestion } from "./parse_question.ts";

/** A Worker sends "begun" before it parses, because the deadline counts from there, and then the answer. */
export type ParseMessage = "begun" | ParseAnswer;

/** The members of a Worker's scope that are used here; the default library types lack them. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ParseQuestion>) => void) | null;
  postMessage(message: ParseMessage, transfer: Transferable[]): void;
}

declare const self: WorkerScope;

self.onmessage = async ({ data }) => {
  self.postMessage("begun", []);
  const answer = await answerOf(data);
  self.postMessage(answer, "contents" in answer ? buffersOf(answer.contents) : []);
};

/** Parts that were not encoded are views of the same message; an empty one may share its buffer. */
function buffersOf(contents: readonly (Uint8Array | null)[]): ArrayBuffer[] {
  return [...new Set(contents.flatMap((each) => each ? [each.buffer as ArrayBuffer] : []))];
}
