/**
 * The nearest non-increasing numbers (pool adjacent violators): neighbours whose scores contradict their order both get
 * the mean.
 */
export function monotone(scores: readonly number[]): number[] {
  // The blocks so far: each has a mean, which none after it exceeds.
  const sums = new Float64Array(scores.length);
  const sizes = new Uint32Array(scores.length);
  let blocks = 0;
  for (const score of scores) {
    let sum = score;
    let size = 1;
    while (blocks > 0 && sums[blocks - 1] * size < sum * sizes[blocks - 1]) {
      blocks--;
      sum = sums[blocks] + sum;
      size += sizes[blocks];
    }
    sums[blocks] = sum;
    sizes[blocks++] = size;
  }
  const result = new Array<number>(scores.length);
  for (let block = 0, n = 0; block < blocks; block++) {
    const mean = sums[block] / sizes[block];
    for (const end = n + sizes[block]; n < end; n++) result[n] = mean;
  }
  return result;
}
