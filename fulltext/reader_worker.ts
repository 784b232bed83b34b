import type { FillRandom } from "./index/hashing/key_hash.ts";
import type { IndexAnswer, OpenIndex, ReaderCall } from "./protocol.ts";
import { IndexReader } from "./reader.ts";

/** The id of the answer to the first message: the worker has started. */
export const startedId = 0;

/** Answers calls that come through `port`, one after another, from the file that its first message names. */
export function serveReader(
  port: {
    onmessage: ((event: MessageEvent<OpenIndex | ReaderCall>) => void) | null;
    postMessage(answer: IndexAnswer): void;
  },
  { fillRandom, worked = () => {} }: { fillRandom: FillRandom; worked?: () => void },
): void {
  let path = "";
  let reader: IndexReader | null = null;
  port.onmessage = ({ data }) => {
    if ("path" in data) {
      path = data.path ?? "";
      return port.postMessage({ callId: startedId, value: null });
    }
    worked();
    const { callId, method, query } = data;
    try {
      reader ??= new IndexReader(path, fillRandom);
      const run = reader[method] as (query: unknown) => unknown;
      port.postMessage({ callId, value: run.call(reader, query) });
    } catch (error) {
      port.postMessage({ callId, error: (error as Error).message });
    }
  };
}
