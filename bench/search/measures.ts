/** nDCG of the first ten hits: all relevant documents have the same gain, which is smaller at later places. */
export function ndcg(hits: string[], relevant: ReadonlySet<string>): number {
  let gain = 0;
  let ideal = 0;
  for (let n = 0; n < 10; n++) {
    if (n < hits.length && relevant.has(hits[n])) gain += 1 / Math.log2(n + 2);
    if (n < relevant.size) ideal += 1 / Math.log2(n + 2);
  }
  return gain / ideal;
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The number of random draws of signs: with it a p of 0.05 is exact within 0.004. */
const permutations = 10_000;

/**
 * The probability that two equally good systems differ as much as these, by the paired randomisation test over the
 * questions, two-sided. Each difference keeps its size and gets a random sign.
 */
export function pairedTest(ours: number[], theirs: number[], random: () => number): number {
  const differences = ours.map((value, n) => value - theirs[n]).filter((value) => value !== 0);
  const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  let asLarge = 0;
  for (let n = 0; n < permutations; n++) {
    let sum = 0;
    for (const value of differences) sum += random() < 0.5 ? value : -value;
    if (Math.abs(sum) >= seen - 1e-12) asLarge++;
  }
  return (asLarge + 1) / (permutations + 1);
}
