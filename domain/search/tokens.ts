import { stemmer } from "stemmer";
import { hash48 } from "./term_key.ts";

/** A searchable word; one object stands for all places where it is met. */
export interface Word {
  /** As compared: lower case, no accents. */
  readonly text: string;
  /** What it shares with its inflections ("shipped", "shipping": "ship"). */
  readonly stem: string;
  /** An order number, a code, an address: what somebody who types it means to the letter. */
  readonly identifier: boolean;
  /** The numbers that an index keeps in place of `text` and `stem`. */
  readonly key: number;
  readonly stemKey: number;
}

/** One place of a text where a word stands, in UTF-16 units. */
export interface Token {
  word: Word;
  start: number;
  end: number;
}

/** Longer runs of letters are not words (base64, hashes); what is kept of one still finds it. */
const MAX_WORD_LENGTH = 64;

/** A compound of more parts is a path or a list, found by its parts. */
const MAX_COMPOUND_PARTS = 5;

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ASCII = /^[a-z0-9]*$/;
const LETTERS_THEN_DIGITS = /^[a-z]{1,6}(\d{3,})$/;

/**
 * The words of a text in order. A word with a hyphen, a dot, an @ or the like gives its parts
 * and, where it may be an identifier, the whole without them: `ORD-2024-8817` is found by
 * `8817`, by `ord 2024 8817` and by `ORD20248817`. Scripts without spaces give pairs of
 * characters.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length;) {
    if (kindOf(text, start) !== WORD) {
      start++;
      continue;
    }
    const parts: Part[] = [];
    let next = start;
    let joint = 0;
    for (;;) {
      let end = next;
      while (end < text.length && kindOf(text, end) === WORD) end++;
      addPart(parts, { raw: text.slice(next, end), start: next, end }, joint);
      next = end;
      joint = text.charCodeAt(end);
      if (kindOf(text, end) !== JOINT || kindOf(text, end + 1) !== WORD) break;
      next = end + 1;
    }
    for (const part of parts) addWord(tokens, part);
    if (parts.length > 1 && parts.length <= MAX_COMPOUND_PARTS) {
      addCompound(tokens, parts, text.slice(start, next));
    }
    start = next;
  }
  return tokens;
}

interface Part {
  raw: string;
  start: number;
  end: number;
}

/** "don't" is one word, "Ada's" is Ada. */
function addPart(parts: Part[], part: Part, joint: number) {
  const before = parts.at(-1);
  if (!before || (joint !== 0x27 && joint !== 0x2019)) parts.push(part);
  else if (part.raw.toLowerCase() !== "s") {
    before.raw += part.raw;
    before.end = part.end;
  }
}

function addWord(tokens: Token[], { raw, start, end }: Part) {
  const known = lexicon.get(raw);
  if (known) {
    for (const word of known) tokens.push({ word, start, end });
    return;
  }
  const text = fold(raw);
  if (text === "") return;
  if (!ASCII.test(text) && UNSPACED.test(raw)) return addPairs(tokens, raw, start);
  const whole = wordOf(text.slice(0, MAX_WORD_LENGTH));
  const digits = LETTERS_THEN_DIGITS.exec(text)?.[1];
  const words = digits ? [whole, wordOf(digits)] : [whole];
  if (lexicon.size >= MAX_WORDS) lexicon.clear();
  lexicon.set(raw, words);
  for (const word of words) tokens.push({ word, start, end });
}

function addPairs(tokens: Token[], raw: string, start: number) {
  const characters = [...raw];
  let at = start;
  for (let n = 0; n < Math.max(1, characters.length - 1); n++) {
    const pair = characters[n] + (characters[n + 1] ?? "");
    tokens.push({ word: wordOf(fold(pair.normalize("NFKC"))), start: at, end: at + pair.length });
    at += characters[n].length;
  }
}

function addCompound(tokens: Token[], parts: Part[], run: string) {
  const text = fold(parts.map(({ raw }) => raw).join(""));
  if (text.length > MAX_WORD_LENGTH || !/[\d\-@_]/.test(run)) return;
  tokens.push({ word: wordOf(text), start: parts[0].start, end: parts[parts.length - 1].end });
}

/** What each run of letters and digits, as it stands in texts, says: most have been met before. */
const lexicon = new Map<string, Word[]>();
const words = new Map<string, Word>();
const MAX_WORDS = 50_000;

function wordOf(text: string): Word {
  let word = words.get(text);
  if (!word) {
    const stem = /^[a-z]{3,}$/.test(text) ? stemmer(text) : text;
    const key = hash48(text);
    const stemKey = stem === text ? key : hash48(stem);
    word = { text, stem, identifier: isIdentifier(text), key, stemKey };
    if (words.size >= MAX_WORDS) words.clear();
    words.set(text, word);
  }
  return word;
}

/** Something with a digit in it that is more than a small number. */
function isIdentifier(word: string): boolean {
  return word.length >= 4 && /\d/.test(word);
}

const OTHER = 1, WORD = 2, JOINT = 3;
const JOINTS = "-_./@:+#'’&";

/** What each UTF-16 unit is, found out when it is first met. */
const kinds = new Uint8Array(65536);

function kindOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return kinds[unit] || (unit !== unit ? OTHER : findKind(text, at, unit));
}

function findKind(text: string, at: number, unit: number): number {
  const paired = unit >= 0xd800 && unit < 0xe000;
  const first = unit >= 0xdc00 && paired ? at - 1 : at;
  const character = String.fromCodePoint(text.codePointAt(first) ?? 0);
  const kind = /[\p{L}\p{M}\p{N}]/u.test(character)
    ? WORD
    : JOINTS.includes(character)
    ? JOINT
    : OTHER;
  if (!paired) kinds[unit] = kind;
  return kind;
}

const UNFOLDED: Record<string, string> = {
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
  if (ASCII.test(lower)) return lower;
  return lower.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[ßøæœłđı]/g, (c) => UNFOLDED[c]);
}
