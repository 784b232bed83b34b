import { coverageScore, literalScore } from "../analysis/coverage_score.ts";
import { monotone } from "../analysis/monotone.ts";
import type { Ranked } from "./ranking.ts";

/** Of two emails with all words the one that is about them is worth more. */
const strengthShare = 0.1;
/** What likeness to good first hits adds at most. */
const likenessShare = 0.25;

/**
 * The scores of ranked documents, 0..1, never rising. With the embedded index a score says how
 * much of the query an email holds: small words nothing, others the more the rarer they are
 * (alike where there is too little mail to tell), and a little how like the first hits it is.
 * So SPEC.md's bands read: 0.9 and more, every word that matters or the very number; 0.7, most
 * of them; 0.5, half of them; below, one among several, or the subject at most.
 */
export function sparseScores(ranked: Ranked[]): number[] {
  const held = ranked.map(({ coverage, strength }) =>
    coverageScore(coverage) * (1 - strengthShare + strengthShare * strength)
  );
  const [first = 0] = held;
  return monotone(ranked.map(({ likeness, literal }, n) => {
    const score = held[n] + (1 - held[n]) * likenessShare * likeness * first;
    return Math.min(1, literal ? Math.max(literalScore, score) : score);
  }));
}
