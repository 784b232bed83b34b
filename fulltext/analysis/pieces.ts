/**
 * A piece of a text, whose words do not depend on the text around it: a run of letters and digits, several runs with
 * joints between them (`ORD-2024-8817`), or a pair of characters of a script without spaces.
 */
export type PieceKind = typeof plainRun | typeof joinedRun | typeof unspacedPair;
export const plainRun = 0, joinedRun = 1, unspacedPair = 2;

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

const otherKind = 1, wordKind = 2, jointKind = 3, unspacedKind = 4;
const apostrophes = "'’‘ʼ＇`´′";
/** What joins letters and digits in words, addresses and numbers; the hyphen is first, as a class of characters needs it. */
export const joints = "-_./@:+#&" + apostrophes;
/** Signs that nobody sees, in a word: soft hyphens, and what joins or parts letters or permits a break. */
export const unseenInWords = "\u00ad\u200b-\u200d\u2060\ufeff";
export const unseen = new RegExp(`[${unseenInWords}]`, "g");
const inWord = new RegExp(`[\\p{L}\\p{M}\\p{N}${unseenInWords}]`, "u");

/** The kind of each UTF-16 unit, or 0 until it first occurs. */
const kinds = new Uint8Array(65536);

/** A run is hashed while it is read: the hash starts here and takes in one UTF-16 unit after another. */
const hashStart = 0x811c9dc5 | 0;
const hashNext = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/** A hash of the UTF-16 units of a piece, as `eachPiece` gives it. */
export function hashOfPiece(piece: string): number {
  let hash = hashStart;
  for (let n = 0; n < piece.length; n++) hash = hashNext(hash, piece.charCodeAt(n));
  return hash;
}

/** Calls `meet` for the pieces of a text in order; `hash` is of the units from `start` to before `end`. */
export function eachPiece(
  text: string,
  meet: (kind: PieceKind, start: number, end: number, hash: number) => void,
) {
  const { length } = text;
  for (let at = 0; at < length;) {
    let unit = text.charCodeAt(at);
    const first = kinds[unit] || findKind(text, at, unit);
    if (first !== wordKind) {
      at = first === unspacedKind ? eachPair(text, at, meet) : at + 1;
      continue;
    }
    const start = at;
    let kind: PieceKind = plainRun;
    let hash = hashStart;
    for (;;) {
      hash = hashNext(hash, unit);
      if (++at === length) break;
      unit = text.charCodeAt(at);
      const next = kinds[unit] || findKind(text, at, unit);
      if (next === wordKind) continue;
      if (next !== jointKind || kindOf(text, at + 1) !== wordKind) break;
      kind = joinedRun;
    }
    meet(kind, start, at, hash);
  }
}

/** Meets the pairs of characters of a run of unspaced letters that begins at `start`; returns where it ends. */
function eachPair(text: string, start: number, meet: Parameters<typeof eachPiece>[1]): number {
  for (let at = start;;) {
    const next = afterCharacter(text, at);
    const isLast = kindOf(text, next) !== unspacedKind;
    const end = isLast ? next : afterCharacter(text, next);
    if (!isLast || at === start) {
      let hash = hashStart;
      for (let n = at; n < end; n++) hash = hashNext(hash, text.charCodeAt(n));
      meet(unspacedPair, at, end, hash);
    }
    if (isLast) return next;
    at = next;
  }
}

function afterCharacter(text: string, at: number): number {
  return at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
}

/** A run of a joined piece, `[start, end)` in it; `raw` may have fewer letters. */
export interface Part {
  raw: string;
  start: number;
  end: number;
  /** What an apostrophe joins, if it is a word too: "Harbottle" of "O'Harbottle". */
  inner?: Part[];
}

/** The runs of a joined piece, and the words that apostrophes join in them. */
export function partsAndWords(parts: Part[]): Part[] {
  if (parts.every((part) => part.inner === undefined)) return parts;
  return parts.flatMap((part) => {
    const { inner } = part;
    // "don't" and "we'll" are one word.
    return inner && isWord(inner[inner.length - 1]) ? [part, ...inner.filter(isWord)] : [part];
  });
}

const isWord = ({ raw }: Part) => raw.length > 2 || /^\d\d/.test(raw);

/** The runs of a joined piece. "don't" is one, "Ada's" is "Ada", and "l'hôtel" is "hôtel". */
export function partsOf(piece: string): Part[] {
  const parts: Part[] = [];
  for (let next = 0, joint = 0; next < piece.length;) {
    let end = next;
    while (kindOf(piece, end) === wordKind) end++;
    addPart(parts, { raw: piece.slice(next, end), start: next, end }, joint);
    joint = piece.charCodeAt(end);
    next = end + 1;
  }
  return parts;
}

function addPart(parts: Part[], part: Part, joint: number) {
  const before = parts.at(-1);
  if (!before || !isApostrophe(joint)) parts.push(part);
  else if (part.raw.toLowerCase() === "s") return;
  else if (before.raw.length <= longestElided && elided.has(before.raw.toLowerCase())) {
    Object.assign(before, part);
  } else {
    before.inner ??= [{ ...before }];
    before.inner.push({ ...part });
    before.raw += part.raw;
    before.end = part.end;
  }
}

function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit > 0x5f && apostrophes.includes(String.fromCharCode(unit));
}

/** What French, Italian and Catalan shorten before a vowel. */
const elided = new Set(
  "l d j c m n s t v qu jusqu lorsqu puisqu quoiqu un gl all dall dell nell sull coll agl dagl degl negl sugl quell"
    .split(" "),
);
const longestElided = 6;

/** The word without joints of a joined piece with these parts, if it may be an identifier; else null. */
export function compoundOf(parts: Part[], piece: string): string | null {
  if (parts.length < 2 || parts.length > maxCompoundParts || !/[\d\-@_]/.test(piece)) return null;
  const text = fold(parts.map(({ raw }) => raw).join(""));
  return text.length > maxWordLength ? null : text;
}

const lettersThenDigits = /^[a-z]{1,6}(\d{3,})$/;

/** The word of a run, and the digits after its letters ("AX4417"); both "" if it has none. */
export function wordsOfRun(raw: string): [whole: string, digits: string] {
  const folded = fold(raw);
  return [folded.slice(0, maxWordLength), lettersThenDigits.exec(folded)?.[1] ?? ""];
}

export function wordOfPair(pair: string): string {
  return fold(pair.normalize("NFKC"));
}

/** Whether the letter at `at` is an `unspacedLetter`. */
export function isUnspaced(text: string, at: number): boolean {
  return kindOf(text, at) === unspacedKind;
}

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
    : joints.includes(character)
    ? jointKind
    : inWord.test(character)
    ? wordKind
    : otherKind;
  if (!paired) kinds[unit] = kind;
  return kind;
}

const asciiWord = /^[a-z0-9]*$/;

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
  if (asciiWord.test(lower)) return lower;
  // Hangul is composed again, so that its words begin with the characters of the text.
  return lower.replace(unseen, "").normalize("NFKD").replace(/\p{M}/gu, "").replace(
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
