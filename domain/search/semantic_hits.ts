import { describeError } from "../core/log.ts";
import { within } from "../core/work/within.ts";
import { EmbeddingsError } from "../ports/embeddings.ts";
import type { VectorHit } from "../ports/vector_index.ts";
import type { Scale } from "./closeness.ts";
import type { SearchFilters } from "../ports/search_index.ts";
import type { Service } from "../core/service.ts";
import { nearestHits, type NearHit, noneNear, type SemanticHits } from "./fuse.ts";

/** The timeout of each of the two remote calls: a search takes at most 2 s. */
const queryTimeoutMs = 800;
/** Below this closeness an email is unrelated: unrelated pairs have 0.2. */
const leastCloseness = 0.3;

/** The emails nearest in meaning; null if the provider or the vector index does not answer. */
export async function searchSemantic(
  service: Service,
  query: { userId: string; text: string; filters: SearchFilters; window: number },
): Promise<SemanticHits | null> {
  const { semantic, log } = service;
  if (!semantic) return noneNear;
  const { embedder, vectors, scale } = semantic;
  const patienceMs = embedder.questionMs ?? queryTimeoutMs;
  try {
    const [measured, [vector]] = await Promise.all([
      // The start of the service may have begun it already, with a longer deadline.
      within(service.clock, scale.measure(patienceMs), patienceMs),
      embedder.embed([query.text], { userId: query.userId, timeoutMs: patienceMs }),
    ]);
    const { weight, places } = measured;
    if (weight === 0) {
      if (!scale.reported) {
        log.warn("search.model_useless", {
          model: embedder.model,
          meaning:
            "the model does not tell sentences that mean the same from others; words alone count",
        });
      }
      scale.reported = true;
      return noneNear;
    }
    const found = await vectors.search({
      userId: query.userId,
      model: embedder.model,
      vector,
      parts: embedder.parts,
      filters: query.filters,
      window: query.window,
      shown: nearestHits,
      timeoutMs: queryTimeoutMs,
    });
    return { hits: nearHits(found, measured), weight, places };
  } catch (error) {
    log.warn("search.degraded", {
      part: error instanceof EmbeddingsError ? "embeddings" : vectors.name,
      error: describeError(error),
    });
    return null;
  }
}

/** Those of the found emails that are not unrelated. */
export function nearHits(found: VectorHit[], { closeness, relevance }: Scale): NearHit[] {
  return found.map(({ emailId, cosine, passage }) => ({
    emailId,
    closeness: closeness(cosine),
    score: relevance(cosine),
    passage,
  })).filter(({ closeness }) => closeness >= leastCloseness);
}
