import { termWeight } from "../../fulltext/analysis/term_weights.ts";
import { tokenize, type Word } from "../../fulltext/analysis/tokens.ts";

/** Words as a sparse vector: a dimension a stem. */
export interface SparseWords {
  indices: number[];
  values: number[];
}

/** Upstash takes a sparse vector of at most a thousand numbers, its dimensions below 2^31. */
const maxWords = 1000;
const dimensions = 2 ** 31;
/** What a word counts for that is said once, beside one that is said for ever. */
const once = 0.9;

/** The words of a passage: nearly 1 each, so that the product with a query is the share of it that is held. */
export function textWords(text: string): SparseWords {
  const times = new Map<number, number>();
  for (const { word } of tokenize(text)) {
    if (termWeight(word) === 0) continue;
    times.set(dimensionOf(word), (times.get(dimensionOf(word)) ?? 0) + 1);
  }
  // A vector without a number is none.
  if (times.size === 0) times.set(0, 1);
  const words = [...times].slice(0, maxWords);
  return {
    indices: words.map(([dimension]) => dimension),
    values: words.map(([, count]) => 1 - (1 - once) / count),
  };
}

/** The words of a query, by their importance; together 1. Empty where all are small. */
export function queryWords(text: string): SparseWords {
  const importance = new Map<number, number>();
  for (const { word } of tokenize(text)) {
    if (termWeight(word) > 0) importance.set(dimensionOf(word), termWeight(word));
  }
  const words = [...importance].slice(0, maxWords);
  const whole = words.reduce((sum, [, value]) => sum + value, 0);
  return {
    indices: words.map(([dimension]) => dimension),
    values: words.map(([, value]) => value / whole),
  };
}

function dimensionOf({ stemKey }: Word): number {
  return stemKey % dimensions;
}
