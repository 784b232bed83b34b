import { Backlog } from "./backlog.ts";
import type { Embedder } from "../ports/embeddings.ts";
import type { VectorIndex } from "../ports/vector_index.ts";
import { ModelScale } from "./closeness.ts";

/** The longest time between two tries while the provider is down: a backlog drains within 20 s of recovery. */
const maxProbeMs = 15_000;
const minProbeMs = 1_000;
/**
 * The longest `Retry-After` that is followed. The limits of providers count by the minute, but Azure OpenAI asks for a day
 * when such a limit is reached.
 */
const maxAskedMs = 60_000;

/**
 * Whether the embedding provider is down, as this process last saw it. While it is down, one job at a time tries it and
 * the others are put off: a backlog loads neither the provider nor the database.
 */
export class Outage {
  private failures = 0;
  private probeAt = 0;

  get isOver(): boolean {
    return this.failures === 0;
  }

  /** The time of the next try, ms since 1970: now, or a later time while the provider is down. */
  nextTry(now: number): number {
    // A later time was set by a clock that was ahead.
    const isWrong = this.probeAt > now + maxAskedMs;
    return this.failures === 0 || isWrong ? now : Math.max(now, this.probeAt);
  }

  /**
   * Records a failure and returns when to try again. The wait counts from the start of the try, because a try that hung
   * for 15 s has waited already. The provider can ask for a longer wait.
   */
  failed(now: number, begunAt: number, retryAfterMs: number | null): number {
    this.failures++;
    const backoffMs = Math.min(1_000 * 2 ** (this.failures - 1), maxProbeMs);
    const askedMs = Math.min(retryAfterMs ?? 0, maxAskedMs);
    this.probeAt = Math.max(begunAt + backoffMs, now + Math.max(minProbeMs, askedMs));
    return this.probeAt;
  }

  /** Records a success and returns whether it ended an outage. */
  succeeded(): boolean {
    const ended = this.failures > 0;
    this.failures = 0;
    return ended;
  }
}

/** Semantic search: the provider that makes the vectors, and the index that stores them. */
export class Semantic {
  readonly outage = new Outage();
  readonly scale: ModelScale;
  /** Mail without vectors of a model of this machine; null with a provider. */
  readonly backlog: Backlog | null;

  constructor(readonly embedder: Embedder, readonly vectors: VectorIndex) {
    this.scale = new ModelScale(embedder);
    this.backlog = embedder.inBackground && vectors.lacking
      ? new Backlog(vectors.lacking, embedder.model)
      : null;
  }

  /** How many emails of an account wait for a model of this machine; null with a provider. */
  async waiting(userId: string): Promise<number | null> {
    if (!this.backlog) return null;
    return await this.vectors.lacking!.count({ userId, model: this.embedder.model });
  }

  /** The same of all accounts. */
  async waitingInAll(): Promise<number | null> {
    if (!this.backlog) return null;
    const accounts = await this.vectors.lacking!.accounts(this.embedder.model);
    return accounts.reduce((sum, { count }) => sum + count, 0);
  }
}
