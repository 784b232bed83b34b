import { LRUCache } from "lru-cache";
import { startedId } from "../../fulltext/passage_worker.ts";
import type { IndexAnswer, PassageCall } from "../../fulltext/protocol.ts";
import type { PassageQuery, WordWeights } from "../../fulltext/types.ts";

/** A passage for each email of a query. */
type ReadPassages = (query: PassageQuery) => Promise<string[]>;

/** A thread without an answer for this time is ended; its calls go to the index. */
const maxSilentMs = 2_000;
/** After a failure the index reads all passages for this time. */
const restDelayMs = 10_000;
/** For this many searches the word weights stay in memory, for the passages that follow. */
const rememberedSearches = 500;

/**
 * Reads passages in a second thread, because that is half of the work of a search: the next search runs meanwhile. If
 * the thread fails, or has no weights, the index reads the passages.
 */
export class PassageThread {
  private worker: Worker | null = null;
  private isReady = false;
  private readonly waiting = new Map<number, PromiseWithResolvers<string[]>>();
  private readonly weights = new LRUCache<string, WordWeights>({ max: rememberedSearches });
  private lastCall = 0;
  private startAgainAt = 0;

  /** @param path the file of the index. @param index reads passages in the thread of the index. */
  constructor(private readonly path: string, private readonly index: ReadPassages) {}

  /** Remembers the weights that a search gave. */
  remember({ userId, text }: { userId: string; text: string }, weights: WordWeights): void {
    this.weights.set(keyOf(userId, text), weights);
  }

  async read(query: PassageQuery): Promise<string[]> {
    const weights = this.weights.get(keyOf(query.userId, query.text));
    if (!weights || performance.now() < this.startAgainAt) return await this.index(query);
    this.worker ??= this.start();
    // A start takes 0.1 s, longer than a search.
    if (!this.isReady) return await this.index(query);
    const callId = ++this.lastCall;
    const call = Promise.withResolvers<string[]>();
    this.waiting.set(callId, call);
    const alarm = setTimeout(() => this.fail(), maxSilentMs);
    try {
      this.worker.postMessage({ callId, query: { ...query, weights } } satisfies PassageCall);
      return await call.promise;
    } catch {
      return await this.index(query);
    } finally {
      clearTimeout(alarm);
      this.waiting.delete(callId);
    }
  }

  /** Ends the thread; the next call starts another. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    for (const { reject } of this.waiting.values()) reject(new Error("no passages"));
  }

  private fail(): void {
    this.startAgainAt = performance.now() + restDelayMs;
    this.stop();
  }

  private start(): Worker {
    const made = new Worker(new URL("./passage_thread.ts", import.meta.url), { type: "module" });
    made.onmessage = ({ data }: MessageEvent<IndexAnswer>) => {
      if (made !== this.worker) return;
      if (data.callId === startedId) this.isReady = true;
      const call = this.waiting.get(data.callId);
      if ("error" in data) call?.reject(new Error(data.error));
      else call?.resolve(data.value as string[]);
    };
    made.onerror = (event) => {
      event.preventDefault();
      if (made === this.worker) this.fail();
    };
    made.postMessage({ path: this.path });
    return made;
  }
}

function keyOf(userId: string, text: string): string {
  return `${userId}\n${text}`;
}
