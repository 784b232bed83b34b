import { describeError } from "../core/log.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { SearchFilters } from "../ports/search_index.ts";
import type { Service } from "../core/service.ts";

/** The timeout of each of the two remote calls: a search takes at most 2 s. */
const queryTimeoutMs = 800;
/** Below this score an email is unrelated: unrelated pairs have 0.2. */
const minScore = 0.3;

/** The emails nearest in meaning; null if the provider or the vector index does not answer. */
export async function searchSemantic(
  service: Service,
  query: { userId: string; text: string; filters: SearchFilters; window: number },
): Promise<{ emailId: string; score: number; passage: string }[] | null> {
  const { semantic, log } = service;
  if (!semantic) return [];
  const { embedder, vectors, scale } = semantic;
  try {
    const [closeness, [vector]] = await Promise.all([
      scale.closeness(queryTimeoutMs),
      embedder.embed([query.text], { timeoutMs: queryTimeoutMs }),
    ]);
    const hits = await vectors.search({
      userId: query.userId,
      model: embedder.model,
      vector,
      filters: query.filters,
      window: query.window,
      timeoutMs: queryTimeoutMs,
    });
    return hits.map(({ emailId, cosine, passage }) => ({
      emailId,
      score: closeness(cosine),
      passage,
    })).filter(({ score }) => score >= minScore);
  } catch (error) {
    log.warn("search.degraded", {
      part: error instanceof EmbeddingsError ? "embeddings" : vectors.name,
      error: describeError(error),
    });
    return null;
  }
}
