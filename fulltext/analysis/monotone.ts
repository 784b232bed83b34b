/**
 * The nearest non-increasing numbers (pool adjacent violators): neighbours whose scores contradict their order both get
 * the mean.
 */
export function monotone(scores: number[]): number[] {
  const blocks: { sum: number; size: number }[] = [];
  for (const score of scores) {
    let block = { sum: score, size: 1 };
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (last.sum * block.size >= block.sum * last.size) break;
      block = { sum: last.sum + block.sum, size: last.size + block.size };
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, size }) => new Array<number>(size).fill(sum / size));
}
