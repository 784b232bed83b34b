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
  if (count <= few) return fewBest(scores, ages, count);
  let highest = 0;
  for (let n = 0; n < scores.length; n++) if (scores[n] > highest) highest = scores[n];
  if (highest === 0) return [];
  // The highest score falls into the last bucket.
  const scale = (buckets - 1) / highest;
  const held = new Uint32Array(buckets);
  for (let n = 0; n < scores.length; n++) {
    if (scores[n] > 0) held[(scores[n] * scale) | 0]++;
  }
  let lowest = buckets;
  let above = 0;
  while (above < count && lowest > 0) above += held[--lowest];
  const atLeast = Math.fround(lowest / scale) * 0.9999;
  const kept: number[] = [];
  for (let n = 0; n < scores.length; n++) {
    if (scores[n] >= atLeast && scores[n] > 0) kept.push(n);
  }
  sortByScore(kept, scores, ages);
  if (kept.length > count) kept.length = count;
  return kept;
}

/** So many documents are found in one pass, by insertion. */
const few = 16;

function fewBest(scores: Float32Array, ages: Ages, count: number): number[] {
  const compare = byScore(scores, ages);
  const best: number[] = [];
  let least = 0;
  for (let n = 0; n < scores.length; n++) {
    if (scores[n] < least || scores[n] === 0) continue;
    if (best.length < count) best.push(n);
    else if (compare(n, best[count - 1]) < 0) best[count - 1] = n;
    else continue;
    for (let at = best.length - 1; at > 0 && compare(best[at], best[at - 1]) < 0; at--) {
      [best[at], best[at - 1]] = [best[at - 1], best[at]];
    }
    if (best.length === count) least = scores[best[count - 1]];
  }
  return best;
}

/** A number has 53 bits: 31 for the score, these for the place. */
const placeBits = 22;
const places = 2 ** placeBits;
/** The bits of the greatest float32. Bits of positive numbers have the order of the numbers. */
const greatestBits = 0x7f800000;

/**
 * Sorts documents with scores above 0 as `byScore` does, in a fifth of the time: one number a document, sorted without
 * calls of a function, and then the documents with equal scores among themselves.
 */
function sortByScore(documents: number[], scores: Float32Array, ages: Ages): void {
  const compare = byScore(scores, ages);
  const { length } = documents;
  if (length > places) return void documents.sort(compare);
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
  const numbers = new Float64Array(length);
  for (let n = 0; n < length; n++) {
    numbers[n] = (greatestBits - bits[documents[n]]) * places + n;
  }
  numbers.sort();
  const unsorted = documents.slice();
  for (let n = 0; n < length; n++) documents[n] = unsorted[numbers[n] % places];
  for (let first = 0; first < length;) {
    const score = scores[documents[first]];
    let end = first + 1;
    while (end < length && scores[documents[end]] === score) end++;
    if (end - first > 1) {
      const equals = documents.slice(first, end).sort(compare);
      for (let n = 0; n < equals.length; n++) documents[first + n] = equals[n];
    }
    first = end;
  }
}

/** The places of the `count` highest weights, the highest first; of equal ones that of the lowest key. */
export function highest(weights: Float64Array, keys: Float64Array, count: number): number[] {
  const best: number[] = [];
  const isBefore = (a: number, b: number) =>
    weights[a] > weights[b] || weights[a] === weights[b] && keys[a] < keys[b];
  for (let place = 0; place < weights.length; place++) {
    if (best.length === count && !isBefore(place, best[count - 1])) continue;
    let at = best.length === count ? count - 1 : best.length;
    for (; at > 0 && isBefore(place, best[at - 1]); at--) best[at] = best[at - 1];
    best[at] = place;
  }
  return best;
}
