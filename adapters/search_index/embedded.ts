import type { IndexAnswer, IndexCall, IndexEmpty, IndexMethod } from "../../fulltext/protocol.ts";
import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import type { VectorIndex } from "../../domain/ports/vector_index.ts";
import type { SearchIndex } from "../../domain/ports/search_index.ts";
import { Pulse } from "./pulse.ts";
import { type IndexThread, ReaderThread } from "./reader.ts";

/** The full-text index, together with one of vectors, which needs an embedding provider. */
export interface EmbeddedIndex extends SearchIndex {
  readonly vectors: VectorIndex;
  /** Whether it holds no email, as after its file was lost, damaged or of another version. */
  isEmpty(): Promise<boolean>;
  /** Calls `refill` each time an empty file is opened from now on: the one before was lost or damaged while the service ran. */
  whenEmptied(refill: () => void): void;
}

/** A worker without an answer for this time hangs; a batch of the largest mail takes seconds. */
const maxSilentMs = 60_000;

/** Health reports the index as down if it gives no answer for this time; nearly every call is shorter. */
const downMs = 5_000;

/** Pause after a worker that died without an answer. */
const restartDelayMs = 1_000;

/** Changes take longer than searches: one counts as so many in the choice of a thread. */
const loadOfChange = 4;
const changes = new Set<IndexMethod>([
  "add",
  "remove",
  "removeMailbox",
  "removeAccount",
  "addVectors",
  "removeVectors",
  "reset",
  "resetVectors",
]);

/** A call was lost: its worker died, or was ended because it hung (`died` false). */
class Stopped extends Error {
  constructor(why: string, readonly died: boolean) {
    super(`the search index has stopped: ${why}`);
  }
}

/**
 * The search index without a provider: SQLite in a Web Worker, so that neither indexing nor a search
 * delays the thread that answers requests. A worker that dies or hangs is replaced at the next call, on
 * the same file. A read that was lost is repeated; a write that was lost fails, and its job repeats it.
 *
 * @param options.path the file, created if absent; null keeps the index in memory.
 * @param options.worker the module of the worker, for tests.
 * @param options.silentMs the time without an answer after which a worker hangs, for tests.
 */
export function openEmbeddedIndex(
  options: { path: string | null; worker?: URL; silentMs?: number },
): EmbeddedIndex {
  const module = options.worker ?? new URL("./index_thread.ts", import.meta.url);
  const waiting = new Map<
    number,
    { done(value: unknown): void; failed(error: Error): void; load: number }
  >();
  /** The sum of the loads of the waiting calls. */
  let load = 0;
  let worker: Worker | null = null;
  let lastCall = 0;
  let closed: Error | null = null;
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const pulse = new Pulse();
  /** The error of the last check. */
  let fault: Error | null = null;
  let checking: Promise<void> | null = null;
  let hasAnswered = true;
  /** The worker has answered: it has opened the file. */
  let isUp = false;
  let startAgainAt = 0;
  let refill = () => {};

  function start(): Worker {
    if (!hasSpareDescriptors()) throw new Stopped("too many open files", false);
    const made = new Worker(module, { type: "module" });
    isUp = false;
    made.onmessage = ({ data }: MessageEvent<IndexAnswer | IndexEmpty>) => {
      if ("isEmpty" in data) {
        // It may have the file before open.
        reader?.stop();
        return refill();
      }
      pulse.answered(data.callId, performance.now());
      const call = waiting.get(data.callId);
      waiting.delete(data.callId);
      load -= call?.load ?? 0;
      hasAnswered = isUp = true;
      watch();
      if ("error" in data) call?.failed(new Error(data.error));
      else call?.done(data.value);
    };
    made.onerror = (event) => {
      event.preventDefault();
      stopped(made, new Stopped(event.message, true));
    };
    made.postMessage({ path: options.path });
    return made;
  }

  function stopped(made: Worker, error: Stopped) {
    if (made !== worker) return;
    made.terminate();
    worker = null;
    // The next worker may open another file.
    reader?.stop();
    // A worker that cannot start is not started again with every call.
    startAgainAt = hasAnswered ? 0 : performance.now() + restartDelayMs;
    hasAnswered = false;
    // The next call opens a file again; an index in memory is lost.
    if (options.path === null) closed = error;
    const lost = [...waiting.values()];
    waiting.clear();
    load = 0;
    pulse.stopped();
    fault = error;
    watch();
    for (const { failed } of lost) failed(error);
  }

  /** Restarts the alarm. To be called after each answer, and after the first call. */
  function watch() {
    clearTimeout(alarm);
    const watched = worker;
    alarm = waiting.size === 0 || !watched ? undefined : setTimeout(
      () => stopped(watched, new Stopped("no answer", false)),
      options.silentMs ?? maxSilentMs,
    );
  }

  const ask = <Value>(method: IndexMethod, ...args: unknown[]): Promise<Value> =>
    new Promise((done, failed) => {
      if (closed) return failed(closed);
      if (!worker && performance.now() < startAgainAt) {
        return failed(new Stopped("it has just died", false));
      }
      worker ??= start();
      const callId = ++lastCall;
      pulse.asked(callId, performance.now());
      const call = {
        done: (value: unknown) => done(value as Value),
        failed,
        load: changes.has(method) ? loadOfChange : 1,
      };
      waiting.set(callId, call);
      load += call.load;
      worker.postMessage({ callId, method, args } satisfies IndexCall);
      if (alarm === undefined) watch();
    });
  /**
   * Calls a method that only reads. If the worker dies it is called once more, not more often: the call may have killed
   * the worker.
   */
  const read = <Value>(method: IndexMethod, ...args: unknown[]): Promise<Value> =>
    ask<Value>(method, ...args).catch((error) => {
      if (!(error instanceof Stopped && error.died) || closed) throw error;
      return ask<Value>(method, ...args);
    });
  const index: IndexThread = {
    search: (query) => read("search", query),
    passages: (query) => read("passages", query),
    // Before its first answer the file may still be that of another version, or damaged.
    load: () => worker && isUp ? load : null,
  };
  // An index in memory has no file for another thread to read.
  const reader = options.path === null ? null : new ReaderThread(options.path, index);
  worker = start();

  /** Starts a check of the worker, unless one is running. */
  const startCheck = (): Promise<void> =>
    checking ??= read<void>("check").then(() => {
      fault = null;
    }, (error) => {
      fault = error;
    }).finally(() => {
      checking = null;
    });
  // Now, so that the first health check knows of a file that cannot be opened.
  startCheck();

  /** Reports the last known state at once: health must not wait for earlier calls. */
  function check(): Promise<void> {
    if (closed) return Promise.reject(closed);
    startCheck();
    const silentMs = pulse.silentMs(performance.now());
    if (silentMs > downMs) {
      const seconds = Math.round(silentMs / 1_000);
      return Promise.reject(new Error(`the search index has not answered for ${seconds} s`));
    }
    return fault ? Promise.reject(fault) : Promise.resolve();
  }

  return {
    name: "embedded",
    exact: true,
    complete: true,
    add: (emails) => emails.length === 0 ? Promise.resolve() : ask("add", emails),
    remove: (userId, emailIds) => ask("remove", userId, emailIds),
    removeMailbox: (userId, mailboxId) => ask("removeMailbox", userId, mailboxId),
    removeAccount: (userId) => ask("removeAccount", userId),
    async search(query) {
      const { hits, total } = await (reader ?? index).search(query);
      return { hits, total };
    },
    passages: (query) => (reader ?? index).passages(query),
    reset: () => ask("reset"),
    isEmpty: () => read("isEmpty"),
    whenEmptied(then) {
      refill = then;
    },
    vectors: {
      name: "embedded",
      exact: true,
      add: (emails) => emails.length === 0 ? Promise.resolve() : ask("addVectors", emails),
      remove: (userId, emailIds) => ask("removeVectors", userId, emailIds),
      // The full-text index removes the vectors together with the emails.
      removeMailbox: () => Promise.resolve(),
      search: (query) => read("searchVectors", query),
      reset: () => ask("resetVectors"),
      check,
    },
    check,
    async close() {
      if (closed) return;
      reader?.stop();
      await ask("close").catch((error) => {
        if (!(error instanceof Stopped)) throw error;
      });
      closed = new Error("the search index is closed");
      worker?.terminate();
    },
  };
}
