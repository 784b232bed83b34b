import { LRUCache } from "lru-cache";
import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import { startedId } from "../../fulltext/reader_worker.ts";
import type { IndexAnswer, ReaderCall, ReaderQuery } from "../../fulltext/protocol.ts";
import type { Found } from "../../fulltext/index/search.ts";
import type { PassageQuery, SearchQuery, WordWeights } from "../../fulltext/types.ts";

/** The thread of the index, which answers everything. */
export interface IndexThread {
  search(query: SearchQuery): Promise<Found>;
  passages(query: PassageQuery): Promise<string[]>;
  /** How many searches it could answer in the time that its waiting calls take; null if it has not started. */
  load(): number | null;
}

/** A search that finds the index busy so often since the last pause starts the reader. */
const startAfter = 8;
/** A reader without a call for this time is ended, and its memory is free again. */
const idleMs = 30_000;
/** A reader without an answer for this time is ended; its calls go to the index. To read an account takes longer. */
const maxSilentMs = 1_000;
const maxOpeningMs = 60_000;
/** After a failure the index answers everything for this time. */
const restDelayMs = 60_000;
/** For this many searches the word weights stay in memory, for the passages that follow. */
const rememberedSearches = 500;

/**
 * A second thread that reads the file of the index, while calls queue. A call goes to the thread with fewer waiting;
 * both give the same answer. The reader searches only accounts that it has in memory: until then, and if it fails, the
 * index answers.
 */
export class ReaderThread {
  private worker: Worker | null = null;
  /** The users whose accounts it has read, and whether it can search them; null until it has started. */
  private accounts: Map<string, boolean> | null = null;
  private isOpening = false;
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private readonly weights = new LRUCache<string, WordWeights>({ max: rememberedSearches });
  private lastCall = 0;
  private busyCalls = 0;
  private startAgainAt = 0;
  private alarm: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param path the file of the index.
   * @param options.worker the module of the worker, for tests.
   * @param options.idleMs the time without a call after which it is ended, for tests.
   */
  constructor(
    private readonly path: string,
    private readonly index: IndexThread,
    private readonly options: { worker?: URL; idleMs?: number } = {},
  ) {}

  /** Whether there is a thread. */
  get isRunning(): boolean {
    return this.worker !== null;
  }

  async search(query: SearchQuery): Promise<Omit<Found, "weights">> {
    const load = this.loadOfIndex();
    let found: Found | null = null;
    if (this.canSearch(query.userId) && this.waiting.size < load) {
      found = await this.ask<Found | null>({ method: "search", query }).catch(() => null);
      // It has closed the account to make room for others.
      if (!found) this.accounts?.delete(query.userId);
    }
    const { weights, ...answer } = found ?? await this.index.search(query);
    this.weights.set(keyOf(query), weights);
    return answer;
  }

  async passages(query: PassageQuery): Promise<string[]> {
    const load = this.loadOfIndex();
    const weights = this.weights.get(keyOf(query));
    // With equal queues it takes them: the index alone can take every search.
    if (weights && this.accounts && !this.isOpening && this.waiting.size <= load) {
      const asked: ReaderQuery = { method: "passages", query: { ...query, weights } };
      const passages = await this.ask<string[]>(asked).catch(() => null);
      if (passages) return passages;
    }
    return await this.index.passages(query);
  }

  /** Ends the thread; it starts again when calls queue again. */
  stop(): void {
    clearTimeout(this.alarm);
    this.worker?.terminate();
    this.worker = null;
    this.accounts = null;
    this.isOpening = false;
    this.busyCalls = 0;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new Error("the reader has stopped"));
  }

  /** The load of the index; starts the reader if it is often above 0. */
  private loadOfIndex(): number {
    const load = this.index.load();
    if (load === null || performance.now() < this.startAgainAt) return load ?? 0;
    if (load > 0) this.busyCalls++;
    if (!this.worker && this.busyCalls >= startAfter) this.start();
    return load;
  }

  /** Whether it has read an account; begins to read it if not. */
  private canSearch(userId: string): boolean {
    if (!this.accounts || this.isOpening) return false;
    const known = this.accounts.get(userId);
    if (known !== undefined) return known;
    this.isOpening = true;
    this.ask<boolean>({ method: "open", query: userId }).then((canSearch) => {
      this.isOpening = false;
      this.accounts?.set(userId, canSearch);
    }, () => {});
    return false;
  }

  private ask<Value>(query: ReaderQuery): Promise<Value> {
    const callId = ++this.lastCall;
    const call = Promise.withResolvers<unknown>();
    this.waiting.set(callId, call);
    if (this.waiting.size === 1) this.watch();
    this.worker!.postMessage({ callId, ...query } satisfies ReaderCall);
    return call.promise as Promise<Value>;
  }

  /** Sets the alarm again: after each answer, and with the first call that waits. */
  private watch(): void {
    clearTimeout(this.alarm);
    this.alarm = this.waiting.size === 0
      ? setTimeout(() => this.stop(), this.options.idleMs ?? idleMs)
      : setTimeout(() => this.fail(), this.isOpening ? maxOpeningMs : maxSilentMs);
  }

  private fail(): void {
    this.startAgainAt = performance.now() + restDelayMs;
    this.stop();
  }

  private start(): void {
    if (!hasSpareDescriptors()) return this.fail();
    const module = this.options.worker ?? new URL("./reader_thread.ts", import.meta.url);
    const made = this.worker = new Worker(module, { type: "module" });
    made.onmessage = ({ data }: MessageEvent<IndexAnswer>) => {
      if (made !== this.worker) return;
      if (data.callId === startedId) this.accounts = new Map();
      const call = this.waiting.get(data.callId);
      this.waiting.delete(data.callId);
      this.watch();
      if ("error" in data) {
        call?.reject(new Error(data.error));
        // A file that cannot be read, or a fault of the reader: the index answers for a while.
        this.fail();
      } else call?.resolve(data.value);
    };
    made.onerror = (event) => {
      event.preventDefault();
      if (made === this.worker) this.fail();
    };
    made.postMessage({ path: this.path });
    this.alarm = setTimeout(() => this.fail(), maxOpeningMs);
  }
}

function keyOf({ userId, text }: { userId: string; text: string }): string {
  return `${userId}\n${text}`;
}
