import { type AccountWork, CallQueue } from "./call_queue.ts";
import { isDamage, removeFile } from "./index/database.ts";
import { IndexEngine } from "./index/engine.ts";
import type { FillRandom } from "./index/hashing/key_hash.ts";
import type { IndexAnswer, IndexCall, IndexMethod, IndexPort } from "./protocol.ts";

/** Calls whose caller waits: they run before earlier writes. The first argument of a search names its account. */
const searches = new Set<IndexMethod>(["search", "passages", "searchVectors", "countLacking"]);
/** Health is nobody's: it has no work, so it comes first. */
const ofNobody = "";

/** What the thread of an index gives it. */
export interface ThreadParts {
  /** ms of a clock that never goes back. */
  elapsed: () => number;
  /** Keys the tables in memory, against mail whose words are chosen to collide. */
  fillRandom: FillRandom;
  /** Accounts take turns by it. */
  work: AccountWork;
  /** Is called after each call was answered. */
  worked?: () => void;
}

/**
 * Answers the calls that come through `port`, one at a time; accounts that search take turns. If none waits, segments are
 * merged in steps of 8 ms. A file that could not be opened, as on a full disk, is opened again at the next call; one that
 * turns out to be damaged is removed, and the next call creates it anew.
 */
export function serveIndex(
  port: IndexPort,
  { elapsed, fillRandom, work, worked }: ThreadParts,
): void {
  const queue = new CallQueue<IndexCall>({
    ...{ work, elapsed },
    accountOf: ({ method, args }) =>
      searches.has(method)
        ? (args[0] as { userId: string }).userId
        : method === "check"
        ? ofNobody
        : null,
    answer(call) {
      port.postMessage(answerTo(call));
      worked?.();
    },
    rest: merge,
  });
  let path: string | null = null;
  let engine: IndexEngine | null = null;
  let openError = "the search index is not open";

  port.onmessage = ({ data }) => {
    if ("path" in data) {
      path = data.path;
      return open();
    }
    queue.push(data);
  };

  function open() {
    try {
      engine = new IndexEngine(path, elapsed, fillRandom);
      if (engine.isEmpty()) port.postMessage({ isEmpty: true });
    } catch (error) {
      openError = `the search index cannot be opened: ${(error as Error).message}`;
      removeIfDamaged(error);
    }
  }

  function removeIfDamaged(error: unknown) {
    if (path === null || !isDamage(error)) return;
    try {
      engine?.close();
    } catch { /* The damage again. */ }
    engine = null;
    removeFile(path);
  }

  /** The next write meets the same error as the merge, and reports it. */
  function merge(): boolean {
    try {
      return engine?.work() ?? false;
    } catch (error) {
      removeIfDamaged(error);
      return false;
    }
  }

  function answerTo({ callId, method, args }: IndexCall): IndexAnswer {
    try {
      if (!engine && method === "close") return { callId, value: undefined };
      if (!engine) open();
      if (!engine) throw new Error(openError);
      const run = engine[method] as (...args: unknown[]) => unknown;
      return { callId, value: run.apply(engine, args) };
    } catch (error) {
      removeIfDamaged(error);
      return { callId, error: (error as Error).message };
    }
  }
}
