import { type AccountWork, CallQueue } from "./call_queue.ts";
import type { FillRandom } from "./index/hashing/key_hash.ts";
import type { IndexAnswer, OpenIndex, ReaderCall } from "./protocol.ts";
import { IndexReader } from "./reader.ts";

/** The id of the answer to the first message: the worker has started. */
export const startedId = 0;

/**
 * Answers calls that come through `port`, one after another, from the file that its first message names. Accounts take
 * turns.
 */
export function serveReader(
  port: {
    onmessage: ((event: MessageEvent<OpenIndex | ReaderCall>) => void) | null;
    postMessage(answer: IndexAnswer): void;
  },
  { fillRandom, elapsed, work, worked = () => {} }: {
    fillRandom: FillRandom;
    elapsed(): number;
    work: AccountWork;
    worked?: () => void;
  },
): void {
  let path = "";
  let reader: IndexReader | null = null;
  const queue = new CallQueue<ReaderCall>({
    ...{ work, elapsed, answer },
    accountOf: ({ query }) => typeof query === "string" ? query : query.userId,
  });
  port.onmessage = ({ data }) => {
    if ("path" in data) {
      path = data.path ?? "";
      return port.postMessage({ callId: startedId, value: null });
    }
    queue.push(data);
  };

  function answer({ callId, method, query }: ReaderCall) {
    worked();
    try {
      reader ??= new IndexReader(path, fillRandom);
      const run = reader[method] as (query: unknown) => unknown;
      port.postMessage({ callId, value: run.call(reader, query) });
    } catch (error) {
      port.postMessage({ callId, error: (error as Error).message });
    }
  }
}
