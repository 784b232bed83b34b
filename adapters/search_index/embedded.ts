import type { IndexAnswer, IndexCall, IndexMethod } from "../../fulltext/protocol.ts";
import type { VectorIndex } from "../../domain/ports/vector_index.ts";
import type { SearchIndex } from "../../domain/ports/search_index.ts";
import { Pulse } from "./pulse.ts";

/** The index of words, and beside it, where there is an embedding provider, that of vectors. */
export interface EmbeddedIndex extends SearchIndex {
  readonly vectors: VectorIndex;
  /** Whether it holds no email at all, as after its file was lost, damaged or of another version. */
  isEmpty(): Promise<boolean>;
}

/** A worker that leaves calls waiting and says nothing for so long hangs: a batch of the largest mail takes seconds. */
const maxSilentMs = 60_000;

/** Longer than nearly any one call: health says of what is silent for so long that it is down. */
const downMs = 5_000;

/** Between two workers that have died without an answer. */
const restMs = 1_000;

/** The worker is gone and a call with it: `died`, or was ended because it hung. */
class Stopped extends Error {
  constructor(why: string, readonly died: boolean) {
    super(`the search index has stopped: ${why}`);
  }
}

/**
 * The search index that needs nothing: SQLite in a Web Worker, so that neither indexing nor a
 * search ever holds up the thread that answers requests. A worker that dies or hangs is replaced
 * at the next call, on the same file: what reads is asked again, what writes fails and is for
 * its job to repeat.
 *
 * @param options.path the file, made when it is not there; null keeps the index in memory.
 * @param options.worker the module of the worker, where a test has one of its own.
 */
export function openEmbeddedIndex(
  options: { path: string | null; worker?: URL; silentMs?: number },
): EmbeddedIndex {
  const module = options.worker ?? new URL("./index_thread.ts", import.meta.url);
  const waiting = new Map<number, { done(value: unknown): void; failed(error: Error): void }>();
  let worker: Worker | null = null;
  let lastCall = 0;
  let closed: Error | null = null;
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const pulse = new Pulse();
  /** What was wrong when it was last looked at. */
  let fault: Error | null = null;
  let looking: Promise<void> | null = null;
  let hasAnswered = true;
  let startAgainAt = 0;

  function start(): Worker {
    const made = new Worker(module, { type: "module" });
    made.onmessage = ({ data }: MessageEvent<IndexAnswer>) => {
      pulse.answered(data.callId, performance.now());
      const call = waiting.get(data.callId);
      waiting.delete(data.callId);
      hasAnswered = true;
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
    // One that cannot even begin is not started with every call.
    startAgainAt = hasAnswered ? 0 : performance.now() + restMs;
    hasAnswered = false;
    // A file is opened again by the next call; what was only in memory is gone.
    if (options.path === null) closed = error;
    const lost = [...waiting.values()];
    waiting.clear();
    pulse.stopped();
    fault = error;
    watch();
    for (const { failed } of lost) failed(error);
  }

  /** To be called whenever something was heard of the worker. */
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
      waiting.set(callId, { done: (value) => done(value as Value), failed });
      worker.postMessage({ callId, method, args } satisfies IndexCall);
      if (alarm === undefined) watch();
    });
  /** What only reads is asked again of a new worker, once: it may be what killed the first. */
  const read = <Value>(method: IndexMethod, ...args: unknown[]): Promise<Value> =>
    ask<Value>(method, ...args).catch((error) => {
      if (!(error instanceof Stopped && error.died) || closed) throw error;
      return ask<Value>(method, ...args);
    });
  worker = start();

  /** Asks the worker how it is, where nobody is asking yet. */
  const look = (): Promise<void> =>
    looking ??= read<void>("check").then(() => {
      fault = null;
    }, (error) => {
      fault = error;
    }).finally(() => {
      looking = null;
    });
  // Begun here, so that a file that cannot be opened is known to the first who asks.
  look();

  /** Says what is known, at once: health must not wait behind the work that the worker has before it. */
  function check(): Promise<void> {
    if (closed) return Promise.reject(closed);
    look();
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
    search: (query) => read("search", query),
    passages: (query) => read("passages", query),
    reset: () => ask("reset"),
    isEmpty: () => read("isEmpty"),
    vectors: {
      name: "embedded",
      exact: true,
      add: (emails) => emails.length === 0 ? Promise.resolve() : ask("addVectors", emails),
      remove: (userId, emailIds) => ask("removeVectors", userId, emailIds),
      // Vectors go with the emails of the index.
      removeMailbox: () => Promise.resolve(),
      search: (query) => read("searchVectors", query),
      reset: () => ask("resetVectors"),
      check,
    },
    check,
    async close() {
      if (closed) return;
      await ask("close").catch((error) => {
        if (!(error instanceof Stopped)) throw error;
      });
      closed = new Error("the search index is closed");
      worker?.terminate();
    },
  };
}
