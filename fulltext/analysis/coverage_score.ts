/** Below 1, so that half of the words give 0.55: a moderate hit, not a weak one. */
const coveragePower = 0.85;

/** The score (0..1) of an email that holds this weighted share (0..1) of a query: 0.55 for half of it, 1 for all. */
export function coverageScore(share: number): number {
  return Math.min(1, share) ** coveragePower;
}

/** The least score of an email that holds an identifier of the query. */
export const literalScore = 0.9;
