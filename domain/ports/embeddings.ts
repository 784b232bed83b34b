/** What search needs from an embedding service: texts in, one vector each out. */
export interface Embedder {
  /** Kept with each vector: vectors of different models are never compared. */
  readonly model: string;
  /**
   * One vector a text, in the same order, all of one length, every number finite and not all
   * of them zero. What the service answers otherwise is an error, never a vector.
   */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>;
}

export interface EmbedOptions {
  /** For each request to the service; many texts are several. */
  timeoutMs: number;
}

/** The service did not give vectors: down, slow, over its rate, or nonsense. Worth another try. */
export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  /**
   * @param retryAfterMs how long the service asked to be left alone; null where it did not.
   * @param refused whether it is up and will not take these texts (400, 413, 422).
   */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly refused = false,
  ) {
    super(message);
  }
}
