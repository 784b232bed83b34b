import type { Ranked } from "./ranking.ts";

/** What an email that holds an identifier of the query is worth at least. */
const LITERAL_SCORE = 0.9;
const COVERAGE_SHARE = 0.7;

/**
 * The scores of ranked documents, 0..1, never rising. With the embedded index a score says how
 * much of the query an email holds, rare words counting more, and how like the first hits it
 * is: all words and like them is 1, half of the words and half as like 0.5, and an identifier of
 * the query at least 0.9. So SPEC.md's bands read: 0.9 and more, (nearly) every word that
 * matters or the very number; 0.7, most of them; 0.5, half of them; below, the subject at most.
 */
export function sparseScores(ranked: Ranked[]): number[] {
  const scores = ranked.map(({ coverage, likeness, literal }) => {
    const score = COVERAGE_SHARE * coverage + (1 - COVERAGE_SHARE) * likeness;
    return Math.min(1, literal ? Math.max(LITERAL_SCORE, score) : score);
  });
  // A hit that was put before better ones (the pinned first) is as good as the best of them.
  for (let n = scores.length - 2; n >= 0; n--) scores[n] = Math.max(scores[n], scores[n + 1]);
  return scores;
}
