import { tokenize } from "./tokens.ts";

/** About three lines of a screen. */
const PASSAGE_LENGTH = 240;

/** Further into a text nobody needs to look for a better passage. */
const MAX_LOOKED_AT = 200_000;

/**
 * The stretch of a text that says most about the query: the window of words that holds the
 * most of the wanted stems, counted by weight, each once.
 *
 * @param weights what each stem counts for, by its key; those that are not there count nothing.
 */
export function bestPassage(text: string, weights: Map<number, number>): string {
  const looked = text.slice(0, MAX_LOOKED_AT);
  const hits = tokenize(looked).flatMap(({ word, start, end }) => {
    const weight = weights.get(word.stemKey);
    return weight ? [{ stem: word.stemKey, start, end, weight }] : [];
  });
  let best = { from: 0, until: 0, weight: 0 };
  let from = 0;
  for (let until = 0; until < hits.length; until++) {
    while (hits[until].end - hits[from].start > PASSAGE_LENGTH - 40 && from < until) from++;
    const seen = new Map<number, number>();
    for (let n = from; n <= until; n++) seen.set(hits[n].stem, hits[n].weight);
    let weight = 0;
    for (const value of seen.values()) weight += value;
    if (weight > best.weight) best = { from, until, weight };
  }
  if (hits.length === 0) return cut(looked, 0, PASSAGE_LENGTH, 0);
  const start = hits[best.from].start;
  const end = hits[best.until].end;
  const room = Math.max(0, PASSAGE_LENGTH - (end - start));
  const begin = start < room ? 0 : start - Math.floor(room / 3);
  return cut(looked, begin, Math.max(end, begin + PASSAGE_LENGTH), start);
}

/** A piece of text on one line, whole words from `keep` on, dots where something is left out. */
function cut(text: string, start: number, end: number, keep: number): string {
  let from = Math.max(0, start);
  if (from > 0) {
    const space = text.slice(from, Math.min(keep, from + 30)).search(/\s/);
    if (space >= 0) from += space + 1;
  }
  let until = Math.min(text.length, end);
  if (until < text.length) {
    const space = text.slice(until, until + 30).search(/\s/);
    if (space >= 0) until += space;
  }
  const piece = text.slice(from, until).replace(/\s+/g, " ").trim();
  return (from > 0 ? "... " : "") + piece + (until < text.length ? " ..." : "");
}
