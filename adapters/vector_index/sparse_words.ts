import { termWeight } from "../../fulltext/analysis/term_weights.ts";
import { tokenize, type Word } from "../../fulltext/analysis/tokens.ts";

/** Words as a sparse vector with a dimension for each stem. */
export interface SparseWords {
  indices: number[];
  values: number[];
}

/** Upstash accepts at most 1,000 numbers a sparse vector, with dimensions below 2^31. */
const maxWords = 1000;
const dimensions = 2 ** 31;
/** Term-frequency saturation: weight of one occurrence relative to infinitely many. */
const onceWeight = 0.9;

/** The words of a passage, 0.9 to 1 each: the product with a query is the share of the query that the passage has. */
export function textWords(text: string): SparseWords {
  const times = new Map<number, number>();
  for (const { word } of tokenize(text)) {
    if (termWeight(word) === 0) continue;
    times.set(dimensionOf(word), (times.get(dimensionOf(word)) ?? 0) + 1);
  }
  // An empty vector is not accepted.
  if (times.size === 0) times.set(0, 1);
  const words = [...times].slice(0, maxWords);
  return {
    indices: words.map(([dimension]) => dimension),
    values: words.map(([, count]) => 1 - (1 - onceWeight) / count),
  };
}

/** The words of a query by their weights, whose sum is 1. Empty if all are small words. */
export function queryWords(text: string): SparseWords {
  const weights = new Map<number, number>();
  for (const { word } of tokenize(text)) {
    if (termWeight(word) > 0) weights.set(dimensionOf(word), termWeight(word));
  }
  const words = [...weights].slice(0, maxWords);
  const whole = words.reduce((sum, [, value]) => sum + value, 0);
  return {
    indices: words.map(([dimension]) => dimension),
    values: words.map(([, value]) => value / whole),
  };
}

function dimensionOf({ stemKey }: Word): number {
  return stemKey % dimensions;
}
