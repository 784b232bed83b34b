import { isUnspaced } from "./pieces.ts";
import { tokenize, type Word } from "./tokens.ts";

/** Characters: about three lines of a screen. */
const passageLength = 240;

/** Characters of a text that are searched. */
const maxLookedAt = 200_000;

/** Words with less than this share of the highest weight are not searched, because they are in every text. */
const leastShare = 0.2;

/** The words of a query with their weights. */
export interface WantedWords {
  /** Weights by the key of the stem. */
  weights: Map<number, number>;
  /** Finds places at which one of the words may begin; null without words. */
  beginnings: RegExp | null;
}

/** The words of a query with the weights that `weightOf` returns. */
export function wantedWords(query: string, weightOf: (word: Word) => number): WantedWords {
  const all = tokenize(query).map(({ word }) => ({ word, weight: weightOf(word) }));
  const most = all.reduce((most, { weight }) => Math.max(most, weight), 0);
  const telling = all.filter(({ weight }) => weight >= leastShare * most);
  return {
    weights: new Map(telling.map(({ word, weight }) => [word.stemKey, weight])),
    beginnings: telling.length > 0 ? beginningsOf(telling.map(({ word }) => word)) : null,
  };
}

/**
 * The passage of a text, of about 240 characters on one line, with the highest weight of wanted stems, each counted
 * once; the beginning of the text if it has none. Only words that begin like a wanted one are tokenised, about one in a
 * hundred.
 */
export function bestPassage(text: string, { weights, beginnings }: WantedWords): string {
  const looked = text.slice(0, maxLookedAt);
  let all = 0;
  for (const weight of weights.values()) all += weight;
  const hits: { stem: number; start: number; end: number; weight: number }[] = [];
  let best = { from: 0, until: 0, weight: 0 };
  let from = 0;
  for (const { stem, start, end } of places(looked, beginnings, weights)) {
    const until = hits.push({ stem, start, end, weight: weights.get(stem)! }) - 1;
    while (end - hits[from].start > passageLength - 40 && from < until) from++;
    const seen = new Set<number>();
    let weight = 0;
    for (let n = from; n <= until; n++) {
      if (!seen.has(hits[n].stem)) weight += hits[n].weight;
      seen.add(hits[n].stem);
    }
    if (weight > best.weight) best = { from, until, weight };
    if (weight > 0.999 * all) break; // This passage has all the words: none is better.
  }
  if (hits.length === 0) return cut(looked, 0, passageLength, 0);
  const start = hits[best.from].start;
  const end = hits[best.until].end;
  const room = Math.max(0, passageLength - (end - start));
  const begin = start < room ? 0 : start - Math.floor(room / 3);
  return cut(looked, begin, Math.max(end, begin + passageLength), start);
}

/** The places of the wanted stems in a text, in order. */
function* places(text: string, beginnings: RegExp | null, weights: Map<number, number>) {
  if (!beginnings) return;
  beginnings.lastIndex = 0;
  for (let found = beginnings.exec(text); found; found = beginnings.exec(text)) {
    if (isInsideWord(text, found.index)) {
      beginnings.lastIndex = found.index + 1;
      continue;
    }
    wordRun.lastIndex = found.index;
    wordRun.exec(text);
    const end = Math.max(wordRun.lastIndex, found.index + 1);
    for (const token of tokenize(text.slice(found.index, end))) {
      const stem = token.word.stemKey;
      if (!weights.has(stem)) continue;
      yield { stem, start: found.index + token.start, end: found.index + token.end };
    }
    beginnings.lastIndex = end;
  }
}

/**
 * Whether a letter or digit outside ASCII is directly before a place and belongs to its word; the expression itself looks
 * for those of ASCII.
 */
function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || text.charCodeAt(at - 1) < 0x80) return false;
  if (isUnspaced(text, at) || isUnspaced(text, at - 1)) return false;
  return wordEnd.test(text.slice(Math.max(0, at - 2), at));
}

const wordEnd = /[\p{L}\p{M}\p{N}]$/u;

/** A run of letters and digits with the characters that join them in addresses and numbers. */
const wordRun = /[\p{L}\p{M}\p{N}\-_./@:+#'’&]+/uy;

/**
 * An expression for the first two characters of the words, with or without accents; stems keep these. If a number is
 * wanted, also for letters before it ("AX4417" for 4417). It names both cases and no class of Unicode: with the flag `i`
 * and such a class, V8 takes 1 ms to compile it, twice as long as the search of ten texts takes.
 */
function beginningsOf(words: Word[]): RegExp {
  const inside = new Set<string>();
  const starts = new Set<string>();
  for (const { text } of words) {
    const [first, second = ""] = text;
    if (isUnspaced(first, 0)) inside.add(first);
    else if (/[a-z0-9]/.test(second)) {
      // The second character may be another one that folds to it, or one that joins both.
      starts.add(spellings(first, `[${second}${second.toUpperCase()}\\W_]`));
    } else starts.add(spellings(first, ""));
  }
  if (words.some(({ text }) => /^\d/.test(text))) starts.add("[a-zA-Z]{1,6}(?=\\d{3})");
  const patterns: string[] = [];
  if (starts.size > 0) patterns.push(`(?<![a-zA-Z0-9])(?:${[...starts].join("|")})`);
  if (inside.size > 0) patterns.push(`[${[...inside].join("")}]`);
  return new RegExp(patterns.join("|"), "gu");
}

/** Letters of Latin, Greek and Cyrillic by the letter that they fold to, and ligatures by their two letters. */
const accented = new Map<string, string>();
const ligatures = new Map<string, string>();

/** An expression for a letter in all its spellings, followed by `second`. */
function spellings(letter: string, second: string): string {
  if (accented.size === 0) {
    for (let unit = 0xc0; unit < 0x530; unit++) {
      const character = String.fromCharCode(unit);
      const plain = tokenize(character)[0]?.word.text ?? "";
      const kept = plain.length > 1 ? ligatures : accented;
      if (plain !== character) kept.set(plain, (kept.get(plain) ?? "") + character);
    }
  }
  const upper = letter.toUpperCase();
  const capital = upper.length === letter.length ? upper : "";
  const single = `[${letter}${capital}${accented.get(letter) ?? ""}]${second}`;
  const ligature = [...ligatures].filter(([plain]) => plain.startsWith(letter))
    .map(([, characters]) => characters).join("");
  return ligature ? `${single}|[${ligature}]` : single;
}

/**
 * A piece of a text on one line, cut between words, with dots for what is left out. Its start is never after `keep`.
 */
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
