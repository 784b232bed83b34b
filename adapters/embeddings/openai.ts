import { APIError, OpenAI } from "openai";
import { type Embedder, EmbeddingsError } from "../../domain/ports/embeddings.ts";

export interface OpenAiOptions {
  /** Local services (Ollama, LM Studio) need none. */
  apiKey?: string;
  /** A service with the interface of OpenAI's `/embeddings`; OpenAI itself if unset. */
  baseUrl?: string;
  model: string;
  /** Sent as `dimensions`; vectors of another length are an error. */
  dimensions?: number;
}

/** Texts a request: a few seconds of work for a local model. */
const batchTexts = 32;
/** A full batch is 32 vectors with about 20 bytes a number, so real answers are smaller. */
const maxAnswerBytes = 16 * 2 ** 20;

/** An embedder for OpenAI and services with its interface. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const client = new OpenAI({
    apiKey: options.apiKey ?? "none",
    baseURL: options.baseUrl,
    // The caller decides when to try again.
    maxRetries: 0,
    fetch: cappedFetch,
  });
  let length = options.dimensions;

  async function batch(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const answer: unknown = await client.embeddings.create({
      model: options.model,
      // Half of a surrogate pair is no text in UTF-8, and is refused.
      input: input.map((text) => text.toWellFormed()),
      // The client's default is base64, which not every service knows.
      encoding_format: "float",
      ...(options.dimensions ? { dimensions: options.dimensions } : {}),
    }, { signal });
    const vectors = readVectors(answer, input.length);
    for (const vector of vectors) {
      length ??= vector.length;
      if (vector.length !== length) {
        throw new EmbeddingsError(`a vector of ${vector.length} numbers in place of ${length}`);
      }
    }
    return vectors;
  }

  return {
    model: options.model,
    async embed(texts, { timeoutMs }) {
      const vectors: Float32Array[] = [];
      for (let n = 0; n < texts.length; n += batchTexts) {
        const signal = AbortSignal.timeout(timeoutMs);
        try {
          vectors.push(...await batch(texts.slice(n, n + batchTexts), signal));
        } catch (error) {
          throw error instanceof EmbeddingsError
            ? error
            : embeddingsError(error, signal, timeoutMs);
        }
      }
      return vectors;
    },
  };
}

function embeddingsError(error: unknown, signal: AbortSignal, timeoutMs: number): EmbeddingsError {
  if (signal.aborted) return new EmbeddingsError(`no answer within ${timeoutMs} ms`);
  if (error instanceof APIError && error.status) {
    const seconds = Number(error.headers?.get("retry-after") ?? NaN);
    return new EmbeddingsError(
      `answered ${error.status}`,
      seconds >= 0 ? seconds * 1000 : null,
      [400, 413, 422].includes(error.status),
    );
  }
  return new EmbeddingsError(error instanceof Error ? error.message : "no answer");
}

/** The vectors of an answer, checked. */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    throw new EmbeddingsError(`not an answer with ${count} vectors`);
  }
  const vectors = new Array<Float32Array>(count);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, n) => {
    const index = typeof item?.index === "number" ? item.index : n;
    vectors[index] = readVector(item?.embedding);
  });
  for (let n = 0; n < count; n++) {
    if (!vectors[n]) throw new EmbeddingsError(`no vector for text ${n}`);
  }
  return vectors;
}

function readVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0) {
    throw new EmbeddingsError("a vector that is not a list of numbers");
  }
  let squares = 0;
  const vector = Float32Array.from(embedding, (value: unknown) => {
    if (typeof value !== "number") {
      throw new EmbeddingsError("a vector with a value that is not a number");
    }
    squares += value * value;
    return value;
  });
  if (!Number.isFinite(squares) || squares === 0) {
    throw new EmbeddingsError("a vector without a direction");
  }
  return vector;
}

/** `fetch` whose body fails beyond `maxAnswerBytes`. */
async function cappedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  let bytes = 0;
  const capped = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) controller.error(new Error("the answer is too large"));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(capped ?? null, response);
}
