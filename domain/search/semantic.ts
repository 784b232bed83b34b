import type { Embedder } from "../ports/embeddings.ts";
import type { VectorIndex } from "../ports/vector_index.ts";
import { ModelScale } from "./closeness.ts";

/** Between two tries while the provider is down, so that a backlog drains within 20 s of recovery. */
const maxProbeMs = 15_000;
const minProbeMs = 1_000;
/** The longest `Retry-After` that is believed. */
const maxRestMs = 3_600_000;

/**
 * Whether the provider is down, as this process has last seen it. While it is, one job in a
 * while tries it; the others are put off, so that neither the provider nor the database is kept
 * busy by a backlog.
 */
export class Outage {
  private failures = 0;
  private probeAt = 0;

  get isOver(): boolean {
    return this.failures === 0;
  }

  /** When the next try may be, ms since 1970: now, or later while it is down. */
  nextTry(now: number): number {
    return this.failures === 0 ? now : Math.max(now, this.probeAt);
  }

  /**
   * Notes a failure; answers when to try again. The wait counts from when the try began: one
   * that hung for 15 s has waited already. A service may ask for a longer rest.
   */
  failed(now: number, begunAt: number, retryAfterMs: number | null): number {
    this.failures++;
    const backoffMs = Math.min(1_000 * 2 ** (this.failures - 1), maxProbeMs);
    const restMs = Math.min(retryAfterMs ?? 0, maxRestMs);
    this.probeAt = Math.max(begunAt + backoffMs, now + Math.max(minProbeMs, restMs));
    return this.probeAt;
  }

  /** Notes a success; answers whether it ended an outage. */
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

  constructor(readonly embedder: Embedder, readonly vectors: VectorIndex) {
    this.scale = new ModelScale(embedder);
  }
}
