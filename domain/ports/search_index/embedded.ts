import type { EmbeddedEngine } from "./embedded/engine.ts";
import type { VectorIndex } from "../vector_index/port.ts";
import type { SearchIndex } from "./port.ts";

/** A call into the worker: one method of the index and its arguments. */
export interface IndexCall {
  callId: number;
  method:
    | keyof Pick<EmbeddedEngine, "add" | "remove" | "removeMailbox" | "search" | "passages">
    | keyof Pick<EmbeddedEngine, "addVectors" | "removeVectors" | "searchVectors" | "resetVectors">
    | keyof Pick<EmbeddedEngine, "reset" | "check" | "close">;
  args: unknown[];
}

/** Its answer: a value, or the message of what went wrong. */
export type IndexAnswer =
  | { callId: number; value: unknown }
  | { callId: number; error: string };

/** The index of words, and beside it, where there is an embedding provider, that of vectors. */
export interface EmbeddedIndex extends SearchIndex {
  readonly vectors: VectorIndex;
}

/**
 * The search index that needs nothing: SQLite in a Web Worker, so that neither indexing nor a
 * search ever holds up the thread that answers requests.
 *
 * @param options.path the file, made when it is not there; null keeps the index in memory.
 */
export function openEmbeddedIndex(options: { path: string | null }): EmbeddedIndex {
  const waiting = new Map<number, { done(value: unknown): void; failed(error: Error): void }>();
  let worker: Worker | null = null;
  let lastCall = 0;
  let closed: Error | null = null;

  function start(): Worker {
    const made = new Worker(new URL("./embedded_worker.ts", import.meta.url), { type: "module" });
    made.onmessage = ({ data }: MessageEvent<IndexAnswer>) => {
      const call = waiting.get(data.callId);
      waiting.delete(data.callId);
      if ("error" in data) call?.failed(new Error(data.error));
      else call?.done(data.value);
    };
    made.onerror = (event) => {
      event.preventDefault();
      const error = new Error(`the search index has stopped: ${event.message}`);
      for (const { failed } of waiting.values()) failed(error);
      waiting.clear();
      made.terminate();
      worker = null;
      // A file is opened again by the next call; what was only in memory is gone.
      if (options.path === null) closed = error;
    };
    made.postMessage({ path: options.path });
    return made;
  }

  const ask = <Value>(method: IndexCall["method"], ...args: unknown[]): Promise<Value> =>
    new Promise((done, failed) => {
      if (closed) return failed(closed);
      worker ??= start();
      const callId = ++lastCall;
      waiting.set(callId, { done: (value) => done(value as Value), failed });
      worker.postMessage({ callId, method, args } satisfies IndexCall);
    });
  worker = start();

  return {
    name: "embedded",
    exact: true,
    add: (emails) => emails.length === 0 ? Promise.resolve() : ask("add", emails),
    remove: (userId, emailIds) => ask("remove", userId, emailIds),
    removeMailbox: (userId, mailboxId) => ask("removeMailbox", userId, mailboxId),
    search: (query) => ask("search", query),
    passages: (query) => ask("passages", query),
    reset: () => ask("reset"),
    vectors: {
      name: "embedded",
      exact: true,
      add: (emails) => emails.length === 0 ? Promise.resolve() : ask("addVectors", emails),
      remove: (userId, emailIds) => ask("removeVectors", userId, emailIds),
      // Vectors go with the emails of the index.
      removeMailbox: () => Promise.resolve(),
      search: (query) => ask("searchVectors", query),
      reset: () => ask("resetVectors"),
      check: () => ask("check"),
    },
    check: () => ask("check"),
    async close() {
      if (closed) return;
      await ask("close");
      closed = new Error("the search index is closed");
      worker?.terminate();
    },
  };
}
