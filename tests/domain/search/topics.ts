import { knownPairs } from "../../../domain/search/closeness.ts";

/**
 * A vector for each word, for a tiny encoder: the known sentences that mean the same have the same topic, and so have
 * the words of each text of `meant`.
 */
export function topics(...meant: string[]): Record<string, number[]> {
  const topics = 40;
  const found: Record<string, number[]> = {};
  const add = (text: string, topic: number) => {
    for (const word of text.toLowerCase().match(/\w+/g)!) {
      found[word] ??= new Array(topics).fill(0.01);
      found[word][topic] += 1;
    }
  };
  knownPairs.same.forEach((pair, row) => pair.forEach((text) => add(text, row)));
  knownPairs.related.forEach(([, text], row) => add(text, 10 + row));
  knownPairs.unrelated.forEach(([, text], row) => add(text, 20 + row));
  meant.forEach((text, n) => add(text, 30 + n));
  return found;
}
