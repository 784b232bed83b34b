/** An embedding service: makes a vector of each text. */
export interface Embedder {
  /** Stored with each vector, because vectors of different models must not be compared. */
  readonly model: string;
  /**
   * One vector a text, in the same order. All have one length, finite numbers, and not only zeros.
   *
   * @throws EmbeddingsError for any other answer of the service.
   */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>;
  /**
   * True for a model that runs on this machine: mail counts as processed without its vectors, which it gets when no
   * mail arrives.
   */
  readonly inBackground?: boolean;
  /** The lengths of the parts of a vector that are compared each by itself; absent: it is compared whole. */
  readonly parts?: readonly number[];
  /** How long a search waits for its vector, ms; absent: as for any provider. */
  readonly questionMs?: number;
  /** What the model reads of an email: passages of so many tokens, and at most so many; absent: all, in long ones. */
  readonly passages?: { tokens: number; ofEmail: number };
  /** Its cosines, of a model whose strength is known; absent: they are measured. */
  readonly cosines?: KnownCosines;
  close?(): void;
}

/** The mean cosine of sentences that mean the same, of those about one topic, and of others. */
export interface KnownCosines {
  same: number;
  related: number;
  unrelated: number;
  /** From here on the mail nearest to a question is the one that answers it; absent: as `same`. */
  answer?: number;
}

export interface EmbedOptions {
  /** The account whose search waits: the texts are questions. On a model of this machine accounts take turns. */
  userId?: string;
  /** For each request to the service; many texts take several requests. */
  timeoutMs: number;
}

/** The service returned no vectors: it is down, slow, over its rate limit, or answers nonsense. Worth another try. */
export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  /**
   * @param retryAfterMs the service's `Retry-After`, or null.
   * @param refused true if it is up and refuses these texts (400, 413, 422).
   */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly refused = false,
  ) {
    super(message);
  }
}
