import { coverageScore, literalScore } from "../analysis/coverage_score.ts";
import { monotone } from "../analysis/monotone.ts";
import type { Ranked } from "./ranking.ts";

/** Share of a score that depends on BM25, so that of two emails with all words the better match scores higher. */
const strengthShare = 0.1;
/** Similarity to the first hits adds at most this share of the rest up to 1. */
const likenessShare = 0.25;

/**
 * The scores of ranked documents, 0..1, never ascending. A score is the weighted share of the query that a document
 * has, plus a little for its similarity to the first hits. About 0.9 means every word that matters, or an identifier;
 * 0.7 two of three words, 0.55 half, 0.3 one of four.
 */
export function sparseScores(ranked: Ranked[]): number[] {
  const scores = new Array<number>(ranked.length);
  let first = 0;
  for (let n = 0; n < ranked.length; n++) {
    const { coverage, strength, likeness, literal } = ranked[n];
    const held = coverageScore(coverage) * (1 - strengthShare + strengthShare * strength);
    if (n === 0) first = held;
    const score = held + (1 - held) * likenessShare * likeness * first;
    scores[n] = Math.min(1, literal ? Math.max(literalScore, score) : score);
  }
  return monotone(scores);
}
