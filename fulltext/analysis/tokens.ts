import { stemmer } from "stemmer";
import { ownCopy, runHashNext, runHashStart, TokenCache } from "./token_cache.ts";
import { hash48 } from "./term_hash.ts";

/** A searchable word. All its occurrences share one object. */
export interface Word {
  /** Lower case, no accents. */
  readonly text: string;
  /** Shared with its inflections: "ship" of "shipped" and "shipping". */
  readonly stem: string;
  /** At least four characters with a digit: an order number, a code. */
  readonly identifier: boolean;
  /** The hashes of `text` and `stem`. */
  readonly key: number;
  readonly stemKey: number;
}

/** An occurrence of a word in a text, `[start, end)` in UTF-16 units. */
export interface Token {
  word: Word;
  start: number;
  end: number;
}

/** Longer runs (base64, hashes) are found by this many characters of their beginning. */
const maxWordLength = 64;

/** A compound of more parts is a path or a list; only its parts are indexed. */
const maxCompoundParts = 5;

/**
 * A letter of a script without spaces between words, or of Hangul, where particles follow a word directly (UAX 29, UAX
 * 24 for the marks that several scripts share). Digits are not: they are words of their own.
 */
export const unspacedLetter =
  /[[\p{L}\p{M}\p{Nl}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\uAC00-\uD7A3]]/v;
const asciiKinds = /^[a-z0-9]*$/;
const lettersThenDigits = /^[a-z]{1,6}(\d{3,})$/;

/** The words of a text in order, with their places: `eachWord` as a list. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  eachWord(text, (word, start, end) => tokens.push({ word, start, end }));
  return tokens;
}

/** Receives a word and its place. */
type Meet = (word: Word, start: number, end: number) => void;

/**
 * Calls `meet` for the words of a text in order. A word with joints (hyphen, dot, @ and the like) gives
 * its parts and, if it may be an identifier, the whole without joints: `ORD-2024-8817` is found by
 * `8817`, `ord 2024 8817` and `ORD20248817`. Scripts without spaces give pairs of characters; a word or number between
 * them stands alone.
 */
export function eachWord(text: string, meet: Meet) {
  for (let start = 0; start < text.length;) {
    const kind = kindOf(text, start);
    if (kind === unspacedKind) {
      start = meetPairs(text, start, meet);
      continue;
    }
    if (kind !== wordKind) {
      start++;
      continue;
    }
    let end = start;
    let hash = runHashStart;
    while (end < text.length && kindOf(text, end) === wordKind) {
      hash = runHashNext(hash, text.charCodeAt(end++));
    }
    if (isJoint(text, end)) start = meetJoined(text, start, meet);
    else {
      meetRun(text, start, end, hash, meet);
      start = end;
    }
  }
}

/** Whether the character at `at` joins two words. */
function isJoint(text: string, at: number): boolean {
  return kindOf(text, at) === jointKind && kindOf(text, at + 1) === wordKind;
}

/** Meets the joined words that begin at `start`; returns where they end. */
function meetJoined(text: string, start: number, meet: Meet): number {
  let end = start;
  let hash = runHashStart;
  while (kindOf(text, end) === wordKind || isJoint(text, end)) {
    hash = runHashNext(hash, text.charCodeAt(end++));
  }
  let met = joined.find(text, start, end, hash);
  if (met === undefined) {
    const run = text.slice(start, end);
    met = wordsOfJoined(run);
    if (met.length <= maxCachedParts) joined.add(run, hash, met);
  }
  for (const { word, start: from, end: to } of met) meet(word, start + from, start + to);
  return end;
}

/** The words of a run that begins and ends with a letter or digit, in order. */
function wordsOfJoined(run: string): Token[] {
  const tokens: Token[] = [];
  const parts: Part[] = [];
  for (let next = 0, joint = 0; next < run.length;) {
    let end = next;
    while (kindOf(run, end) === wordKind) end++;
    addPart(parts, { raw: run.slice(next, end), start: next, end }, joint);
    joint = run.charCodeAt(end);
    next = end + 1;
  }
  for (const { raw, start, end } of parts) {
    let hash = runHashStart;
    for (let n = 0; n < raw.length; n++) hash = runHashNext(hash, raw.charCodeAt(n));
    meetRun(raw, 0, raw.length, hash, (word, from, to) =>
      // "don't" has fewer letters than UTF-16 units.
      tokens.push({ word, start: start + from, end: to === raw.length ? end : start + to }));
  }
  if (parts.length > 1 && parts.length <= maxCompoundParts) {
    meetCompound(parts, run, (word, start, end) => tokens.push({ word, start, end }));
  }
  return tokens;
}

interface Part {
  raw: string;
  start: number;
  end: number;
}

/** "don't" is one word, "Ada's" is "Ada", and "l'hôtel" is "hôtel". */
function addPart(parts: Part[], part: Part, joint: number) {
  const before = parts.at(-1);
  if (!before || (joint !== 0x27 && joint !== 0x2019)) parts.push(part);
  else if (part.raw.toLowerCase() === "s") return;
  else if (before.raw.length <= longestElided && elided.has(before.raw.toLowerCase())) {
    Object.assign(before, part);
  } else {
    before.raw += part.raw;
    before.end = part.end;
  }
}

/** What French, Italian and Catalan shorten before a vowel. */
const elided = new Set(
  "l d j c m n s t v qu jusqu lorsqu puisqu quoiqu un gl all dall dell nell sull coll agl dagl degl negl sugl quell"
    .split(" "),
);
const longestElided = 6;

/** Meets the words of one run of letters and digits; `hash` is of these units. */
function meetRun(text: string, start: number, end: number, hash: number, meet: Meet) {
  let words = runs.find(text, start, end, hash);
  if (words === undefined) {
    const raw = text.slice(start, end);
    const folded = fold(raw);
    if (folded === "") return;
    const whole = wordOf(folded.slice(0, maxWordLength));
    const digits = lettersThenDigits.exec(folded)?.[1];
    words = digits ? [whole, wordOf(digits)] : [whole];
    runs.add(raw, hash, words);
  }
  for (const word of words) meet(word, start, end);
}

/** Meets the pairs of characters of a run of unspaced letters that begins at `start`; returns where it ends. */
function meetPairs(text: string, start: number, meet: Meet): number {
  for (let at = start;;) {
    const next = afterCharacter(text, at);
    const isLast = kindOf(text, next) !== unspacedKind;
    const end = isLast ? next : afterCharacter(text, next);
    if (!isLast || at === start) meet(wordOfPair(text.slice(at, end)), at, end);
    if (isLast) return next;
    at = next;
  }
}

function wordOfPair(pair: string): Word {
  let word = pairs.get(pair);
  if (!word) {
    word = wordOf(fold(pair.normalize("NFKC")));
    if (pairs.size >= maxWords) pairs.clear();
    pairs.set(pair, word);
  }
  return word;
}

function afterCharacter(text: string, at: number): number {
  return at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
}

function meetCompound(parts: Part[], run: string, meet: Meet) {
  const text = fold(parts.map(({ raw }) => raw).join(""));
  if (text.length > maxWordLength || !/[\d\-@_]/.test(run)) return;
  meet(wordOf(text), parts[0].start, parts[parts.length - 1].end);
}

const maxWords = 50_000;
/** A joined run of more words is not cached: 12,500 runs of 100 words each are 60 MB. */
const maxCachedParts = 16;
const runs = new TokenCache<Word[]>(maxWords);
/** For runs with joints, such as addresses and dates: fewer of these repeat. */
const joined = new TokenCache<Token[]>(maxWords / 4);
/** The words of pairs of characters as they are written: normalizing each takes 1.5 µs. */
const pairs = new Map<string, Word>();
const words = new Map<string, Word>();

function wordOf(found: string): Word {
  let word = words.get(found);
  if (!word) {
    const text = ownCopy(found);
    const stem = /^[a-z]{3,}$/.test(text) ? stemmer(text) : text;
    const key = hash48(text);
    const stemKey = stem === text ? key : hash48(stem);
    word = { text, stem, identifier: isIdentifier(text), key, stemKey };
    if (words.size >= maxWords) words.clear();
    words.set(text, word);
  }
  return word;
}

function isIdentifier(word: string): boolean {
  return word.length >= 4 && /\d/.test(word);
}

const otherKind = 1, wordKind = 2, jointKind = 3, unspacedKind = 4;
const joints = "-_./@:+#'’&";

/** Whether the letter at `at` is an `unspacedLetter`. */
export function isUnspaced(text: string, at: number): boolean {
  return kindOf(text, at) === unspacedKind;
}

/** The kind of each UTF-16 unit, or 0 until it first occurs. */
const kinds = new Uint8Array(65536);

function kindOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return kinds[unit] || (unit !== unit ? otherKind : findKind(text, at, unit));
}

function findKind(text: string, at: number, unit: number): number {
  const paired = unit >= 0xd800 && unit < 0xe000;
  const first = unit >= 0xdc00 && paired ? at - 1 : at;
  const character = String.fromCodePoint(text.codePointAt(first) ?? 0);
  const kind = unspacedLetter.test(character)
    ? unspacedKind
    : /[\p{L}\p{M}\p{N}]/u.test(character)
    ? wordKind
    : joints.includes(character)
    ? jointKind
    : otherKind;
  if (!paired) kinds[unit] = kind;
  return kind;
}

const unfoldedLetters: Record<string, string> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ı: "i",
};

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (asciiKinds.test(lower)) return lower;
  // Hangul is composed again, so that its words begin with the characters of the text.
  return lower.normalize("NFKD").replace(/\p{M}/gu, "").replace(
    /[ßøæœłđı]/g,
    (c) => unfoldedLetters[c],
  ).replace(/[^\P{Nd}0-9]/gu, asciiDigit).normalize("NFC");
}

/** The ASCII digit of a decimal digit: each script has its ten in a row (UAX 44, `Nd`). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
