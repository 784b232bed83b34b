import { isUnspaced, joints, unseenInWords } from "./pieces.ts";
import { tokenize, type Word } from "./tokens.ts";

/** Characters: about three lines of a screen. */
const passageLength = 240;

/** Characters of a text that are searched. */
const maxLookedAt = 200_000;

/** Words with less than this share of the highest weight are not searched, because they are in every text. */
const leastShare = 0.2;

/**
 * Words that are tokenised: of one text, and for one query. Of ordinary mail it is one word in a hundred; if it is each
 * word, these take 0.2 s.
 */
const maxWordsOfText = 2_000;
const maxWords = 20_000;

/** The words of a query with their weights. */
export interface WantedWords {
  /** Weights by the key of the stem. */
  weights: Map<number, number>;
  /** Finds places at which one of the words may begin; null without words. */
  beginnings: RegExp | null;
  /** How many words of texts may still be tokenised for this query. */
  left: number;
}

/** The words of a query with the weights that `weightOf` returns. */
export function wantedWords(query: string, weightOf: (word: Word) => number): WantedWords {
  const all = tokenize(query).map(({ word }) => ({ word, weight: weightOf(word) }));
  const most = all.reduce((most, { weight }) => Math.max(most, weight), 0);
  const telling = all.filter(({ weight }) => weight >= leastShare * most);
  return {
    weights: new Map(telling.map(({ word, weight }) => [word.stemKey, weight])),
    beginnings: telling.length > 0 ? beginningsOf(telling.map(({ word }) => word)) : null,
    left: maxWords,
  };
}

/**
 * The passage of a text, of about 240 characters on one line, with the highest weight of wanted stems, each counted
 * once; the beginning of the text if it has none. Only words that begin like a wanted one are tokenised, about one in a
 * hundred; if there are too many, the rest of the text is not searched.
 */
export function bestPassage(text: string, wanted: WantedWords): string {
  const { weights } = wanted;
  const looked = text.slice(0, maxLookedAt);
  let all = 0;
  for (const weight of weights.values()) all += weight;
  const hits: { stem: number; start: number; end: number; weight: number }[] = [];
  let best = { from: 0, until: 0, weight: 0 };
  let from = 0;
  for (const { stem, start, end } of places(looked, wanted)) {
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
function* places(text: string, wanted: WantedWords) {
  const { beginnings, weights } = wanted;
  if (!beginnings) return;
  const last = Math.max(0, wanted.left - maxWordsOfText);
  beginnings.lastIndex = 0;
  for (let found = beginnings.exec(text); found; found = beginnings.exec(text)) {
    const start = beforeDigits(text, found.index);
    if (isInsideWord(text, start)) {
      beginnings.lastIndex = found.index + 1;
      continue;
    }
    wordRun.lastIndex = start;
    wordRun.exec(text);
    const end = Math.max(wordRun.lastIndex, start + 1);
    if (wanted.left-- <= last) return;
    for (const token of tokenize(text.slice(start, end))) {
      const stem = token.word.stemKey;
      if (!weights.has(stem)) continue;
      yield { stem, start: start + token.start, end: start + token.end };
    }
    beginnings.lastIndex = end;
  }
}

/** Where a word begins of which the expression has found a digit: at the letters before it, if there are any. */
function beforeDigits(text: string, at: number): number {
  if (isBetween(text, at, "0", "9")) {
    while (isBetween(text, at - 1, "a", "z") || isBetween(text, at - 1, "A", "Z")) at--;
  }
  return at;
}

function isBetween(text: string, at: number, first: string, last: string): boolean {
  const unit = text.charCodeAt(at);
  return unit >= first.charCodeAt(0) && unit <= last.charCodeAt(0);
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
const wordRun = new RegExp(`[${joints}\\p{L}\\p{M}\\p{N}${unseenInWords}]+`, "uy");

/** No letter or digit of ASCII is before the character that was matched. */
const beginsWord = "(?<![a-zA-Z0-9].)";
/** The same for letters before three digits that were matched. */
const afterLetters = "(?<=(?<![a-zA-Z0-9])[a-zA-Z]{1,6}...)";

/**
 * An expression for the first two characters of the words, with or without accents; stems keep these. If a number is
 * wanted, also for three digits after letters ("AX4417" for 4417).
 *
 * V8 skips what cannot begin a match if each alternative begins with few characters: so each looks behind itself after its
 * first one, and what is outside of ASCII is apart. That takes a third of the time. The expression names both cases and no
 * class of Unicode: with the flag `i` and such a class, V8 takes 1 ms to compile it, as long as the search of thirty texts.
 */
function beginningsOf(words: Word[]): RegExp {
  const inside = new Set<string>();
  /** By the first character, what may be second; null for anything. */
  const starts = new Map<string, Set<string> | null>();
  for (const { text } of words) {
    const [first, second = ""] = text;
    if (isUnspaced(first, 0)) inside.add(first);
    // The second character may be another one that folds to it, or one that joins both.
    else if (!/[a-z0-9]/.test(second)) starts.set(first, null);
    else if (!starts.has(first)) starts.set(first, new Set(second));
    else starts.get(first)?.add(second);
  }
  const patterns = [...starts].flatMap(([first, seconds]) =>
    spellings(first, seconds === null ? "" : secondOf([...seconds].join("")))
  );
  if (words.some(({ text }) => /^\d/.test(text))) {
    patterns.push(`\\d{3}${afterLetters}`);
  }
  if (inside.size > 0) patterns.push(`[${[...inside].join("")}]`);
  return new RegExp(patterns.join("|"), "gu");
}

function secondOf(letters: string): string {
  return `[${letters}${letters.toUpperCase()}\\W_]`;
}

/** Letters of Latin, Greek and Cyrillic by the letter that they fold to, and ligatures by their two letters. */
const accented = new Map<string, string>();
const ligatures = new Map<string, string>();

/** Expressions for a letter in all its spellings, followed by `second`. */
function spellings(letter: string, second: string): string[] {
  if (accented.size === 0) {
    for (let unit = 0xc0; unit < 0x530; unit++) {
      const character = String.fromCharCode(unit);
      const plain = tokenize(character)[0]?.word.text ?? "";
      const kept = plain.length > 1 ? ligatures : accented;
      if (plain !== character) kept.set(plain, (kept.get(plain) ?? "") + character);
    }
  }
  const upper = letter.toUpperCase();
  const capital = upper.length === letter.length && upper !== letter ? upper : "";
  const others = accented.get(letter);
  const ligature = [...ligatures].filter(([plain]) => plain.startsWith(letter))
    .map(([, characters]) => characters).join("");
  return [
    `[${letter}${capital}]${beginsWord}${second}`,
    ...others ? [`[${others}]${beginsWord}${second}`] : [],
    ...ligature ? [`[${ligature}]${beginsWord}`] : [],
  ];
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
