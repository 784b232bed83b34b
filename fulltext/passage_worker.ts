import { PassageReader } from "./passages.ts";
import type { IndexAnswer, OpenIndex, PassageCall } from "./protocol.ts";

/** The id of the answer to the first message: the worker has started. */
export const startedId = 0;

/** Answers calls for passages that come through `port`, from the file that its first message names. */
export function servePassages(
  port: {
    onmessage: ((event: MessageEvent<OpenIndex | PassageCall>) => void) | null;
    postMessage(answer: IndexAnswer): void;
  },
  { worked = () => {} }: { worked?: () => void } = {},
): void {
  let path = "";
  let reader: PassageReader | null = null;
  port.onmessage = ({ data }) => {
    if ("path" in data) {
      path = data.path ?? "";
      return port.postMessage({ callId: startedId, value: null });
    }
    worked();
    const { callId, query } = data;
    try {
      reader ??= new PassageReader(path);
      port.postMessage({ callId, value: reader.passages(query) });
    } catch (error) {
      port.postMessage({ callId, error: (error as Error).message });
    }
  };
}
