import { stemmer } from "stemmer";

/** One searchable word of a text. */
export interface Token {
  /** The word as compared: lower case, no accents. */
  word: string;
  /** What it shares with its inflections ("shipped", "shipping": "ship"). */
  stem: string;
  /** Where it stands in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** An order number, a code, an address: what somebody who types it means to the letter. */
  identifier: boolean;
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
  const word = fold(raw);
  if (word === "") return;
  if (!ASCII.test(word) && UNSPACED.test(raw)) return addPairs(tokens, raw, start);
  const short = word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
  const identifier = isIdentifier(short);
  tokens.push({ word: short, stem: stemOf(short), start, end, identifier });
  const digits = identifier ? LETTERS_THEN_DIGITS.exec(short)?.[1] : undefined;
  if (digits) {
    tokens.push({ word: digits, stem: digits, start, end, identifier: digits.length > 3 });
  }
}

function addPairs(tokens: Token[], raw: string, start: number) {
  const characters = [...raw];
  let at = start;
  for (let n = 0; n < Math.max(1, characters.length - 1); n++) {
    const text = characters[n] + (characters[n + 1] ?? "");
    const pair = fold(text.normalize("NFKC"));
    tokens.push({ word: pair, stem: pair, start: at, end: at + text.length, identifier: false });
    at += characters[n].length;
  }
}

function addCompound(tokens: Token[], parts: Part[], run: string) {
  const word = fold(parts.map(({ raw }) => raw).join(""));
  if (word.length > MAX_WORD_LENGTH || !/[\d\-@_]/.test(run)) return;
  const { start } = parts[0];
  tokens.push({
    word,
    stem: stemOf(word),
    start,
    end: parts[parts.length - 1].end,
    identifier: isIdentifier(word),
  });
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

/** A word is met thousands of times; the table is emptied when it is full of what is not. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}
