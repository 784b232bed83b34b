import type { IndexAnswer, IndexCall, IndexEmpty, IndexMethod } from "../../fulltext/protocol.ts";
import type { Found } from "../../fulltext/index/search.ts";
import type { PassageQuery, SearchQuery } from "../../fulltext/types.ts";
import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import { Pulse } from "./pulse.ts";
import type { IndexThread } from "./reader.ts";

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

interface WaitingCall {
  done(value: unknown): void;
  failed(error: Error): void;
  load: number;
}

export interface IndexWorkerOptions {
  /** The file, created if absent; null keeps the index in memory. */
  path: string | null;
  /** The module of the worker, for tests. */
  worker?: URL;
  /** The time without an answer after which a worker hangs, for tests. */
  silentMs?: number;
}

/**
 * The worker of the embedded index, and the calls that wait for it. A worker that dies or hangs is replaced at the next
 * call, on the same file. A read that was lost is repeated; a write that was lost fails, and its job repeats it.
 */
export class IndexWorker implements IndexThread {
  private worker: Worker | null;
  private readonly waiting = new Map<number, WaitingCall>();
  /** The sum of the loads of the waiting calls. */
  private waitingLoad = 0;
  private lastCall = 0;
  private closed: Error | null = null;
  private alarm: ReturnType<typeof setTimeout> | undefined;
  private readonly pulse = new Pulse();
  /** The error of the last check. */
  private fault: Error | null = null;
  private checking: Promise<void> | null = null;
  private hasAnswered = true;
  /** The worker has answered: it has opened the file. */
  private isUp = false;
  private startAgainAt = 0;

  constructor(
    private readonly options: IndexWorkerOptions,
    private readonly on: {
      /** The file may be another one from now on. */
      fileChanged(): void;
      /** An empty file was opened: it is new, or was damaged and replaced. */
      emptied(): void;
    },
  ) {
    this.worker = this.start();
    // Now, so that the first health check knows of a file that cannot be opened.
    this.startCheck();
  }

  search(query: SearchQuery): Promise<Found> {
    return this.read("search", query);
  }

  passages(query: PassageQuery): Promise<string[]> {
    return this.read("passages", query);
  }

  /** null before the first answer: the file may still be that of another version, or damaged. */
  load(): number | null {
    return this.worker && this.isUp ? this.waitingLoad : null;
  }

  /** Calls a method. Rejects if the call is lost. */
  ask<Value>(method: IndexMethod, ...args: unknown[]): Promise<Value> {
    return new Promise((done, failed) => {
      if (this.closed) return failed(this.closed);
      if (!this.worker && performance.now() < this.startAgainAt) {
        return failed(new Stopped("it has just died", false));
      }
      this.worker ??= this.start();
      const callId = ++this.lastCall;
      this.pulse.asked(callId, performance.now());
      const load = changes.has(method) ? loadOfChange : 1;
      this.waiting.set(callId, { done: (value) => done(value as Value), failed, load });
      this.waitingLoad += load;
      this.worker.postMessage({ callId, method, args } satisfies IndexCall);
      if (this.alarm === undefined) this.watch();
    });
  }

  /**
   * Calls a method that only reads. If the worker dies it is called once more, not more often: the call may have killed
   * the worker.
   */
  read<Value>(method: IndexMethod, ...args: unknown[]): Promise<Value> {
    return this.ask<Value>(method, ...args).catch((error) => {
      if (!(error instanceof Stopped && error.died) || this.closed) throw error;
      return this.ask<Value>(method, ...args);
    });
  }

  /** Reports the last known state at once: health must not wait for earlier calls. Rejects if it is not well. */
  check(): Promise<void> {
    if (this.closed) return Promise.reject(this.closed);
    this.startCheck();
    const silentMs = this.pulse.silentMs(performance.now());
    if (silentMs > downMs) {
      const seconds = Math.round(silentMs / 1_000);
      return Promise.reject(new Error(`the search index has not answered for ${seconds} s`));
    }
    return this.fault ? Promise.reject(this.fault) : Promise.resolve();
  }

  /** Ends the worker after the calls that wait. */
  async close(): Promise<void> {
    if (this.closed) return;
    await this.ask("close").catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
    this.closed = new Error("the search index is closed");
    this.worker?.terminate();
  }

  /** Starts a check of the worker, unless one is running. */
  private startCheck(): void {
    this.checking ??= this.read<void>("check").then(() => {
      this.fault = null;
    }, (error) => {
      this.fault = error;
    }).finally(() => {
      this.checking = null;
    });
  }

  private start(): Worker {
    if (!hasSpareDescriptors()) throw new Stopped("too many open files", false);
    const module = this.options.worker ?? new URL("./index_thread.ts", import.meta.url);
    const made = new Worker(module, { type: "module" });
    this.isUp = false;
    made.onmessage = ({ data }: MessageEvent<IndexAnswer | IndexEmpty>) => {
      if ("isEmpty" in data) {
        this.on.fileChanged();
        return this.on.emptied();
      }
      this.pulse.answered(data.callId, performance.now());
      const call = this.waiting.get(data.callId);
      this.waiting.delete(data.callId);
      this.waitingLoad -= call?.load ?? 0;
      this.hasAnswered = this.isUp = true;
      this.watch();
      if ("error" in data) call?.failed(new Error(data.error));
      else call?.done(data.value);
    };
    made.onerror = (event) => {
      event.preventDefault();
      this.stopped(made, new Stopped(event.message, true));
    };
    made.postMessage({ path: this.options.path });
    return made;
  }

  private stopped(made: Worker, error: Stopped): void {
    if (made !== this.worker) return;
    made.terminate();
    this.worker = null;
    this.on.fileChanged();
    // A worker that cannot start is not started again with every call.
    this.startAgainAt = this.hasAnswered ? 0 : performance.now() + restartDelayMs;
    this.hasAnswered = false;
    // The next call opens a file again; an index in memory is lost.
    if (this.options.path === null) this.closed = error;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.waitingLoad = 0;
    this.pulse.stopped();
    this.fault = error;
    this.watch();
    for (const { failed } of lost) failed(error);
  }

  /** Restarts the alarm. To be called after each answer, and after the first call. */
  private watch(): void {
    clearTimeout(this.alarm);
    const watched = this.worker;
    this.alarm = this.waiting.size === 0 || !watched ? undefined : setTimeout(
      () => this.stopped(watched, new Stopped("no answer", false)),
      this.options.silentMs ?? maxSilentMs,
    );
  }
}
