/** Scores are counted in this many buckets; only those of the highest buckets are sorted. */
const buckets = 1024;

/** The fields that order documents with equal scores. */
interface Ages {
  arrivedMs: Float64Array;
  emailId: readonly string[];
}

/** Orders documents: the highest score first, of equals the newest, of one millisecond by their ids. */
export function byScore(scores: Float32Array, { arrivedMs, emailId }: Ages) {
  return (a: number, b: number) =>
    scores[b] - scores[a] || arrivedMs[b] - arrivedMs[a] || (emailId[a] < emailId[b] ? 1 : -1);
}

/**
 * The documents with the highest scores above 0, best first. Of equal scores the newest is first; of equal times ids
 * decide, so that the order does not depend on the order of indexing. Two passes over 100,000 scores take a twentieth
 * of the time of sorting them.
 */
export function topDocuments(scores: Float32Array, ages: Ages, count: number): number[] {
  let highest = 0;
  for (let n = 0; n < scores.length; n++) if (scores[n] > highest) highest = scores[n];
  if (highest === 0) return [];
  // The highest score falls into the last bucket.
  const scale = (buckets - 1) / highest;
  const held = new Uint32Array(buckets);
  for (let n = 0; n < scores.length; n++) held[(scores[n] * scale) | 0]++;
  let lowest = buckets;
  for (let above = 0; above < count && lowest > 0;) above += held[--lowest];
  const atLeast = Math.fround(lowest / scale) * 0.9999;
  const kept: number[] = [];
  for (let n = 0; n < scores.length; n++) {
    if (scores[n] >= atLeast && scores[n] > 0) kept.push(n);
  }
  kept.sort(byScore(scores, ages));
  return kept.slice(0, count);
}
