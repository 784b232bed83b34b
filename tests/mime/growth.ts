/** Less is the noise of the machine. What is quadratic takes seconds on four times 20,000 characters. */
const leastMs = 10;
/** Four lengths may take this many times what one takes; what is quadratic takes 16 times. */
const mostGrowth = 8;
/** Times are the best of so many runs: a machine that does something else meanwhile does not count. */
const mostRuns = 6;

/**
 * Runs `work` on 1, 2 and 4 lengths; answers the times in words where they grow faster than the text,
 * else null.
 */
export function slowerThanLinear<Input>(
  length: number,
  inputOf: (length: number) => Input,
  work: (input: Input) => unknown,
): string | null {
  const inputs = [4, 2, 1].map((times) => inputOf(times * length));
  const best = inputs.map(() => Infinity);
  for (let run = 0; run < mostRuns; run++) {
    for (const [n, input] of inputs.entries()) {
      const begun = performance.now();
      work(input);
      best[n] = Math.min(best[n], performance.now() - begun);
      if (best[0] <= mostGrowth * leastMs) return null;
    }
    if (best[0] <= mostGrowth * best[2]) return null;
  }
  return best.toReversed().map((ms) => `${ms.toFixed(1)} ms`).join(", ");
}
