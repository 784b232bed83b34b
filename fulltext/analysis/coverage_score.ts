/** Half of the words are a moderate hit, not a weak one. */
const coveragePower = 0.85;

/** What an email is worth that holds this share (0..1) of what a query asks for: 0.55 for half of it, 1 for all. */
export function coverageScore(share: number): number {
  return Math.min(1, share) ** coveragePower;
}

/** What an email is worth at least that holds an identifier of the query. */
export const literalScore = 0.9;
