import { stemmer } from "stemmer";
import {
  compoundOf,
  eachPiece,
  joinedRun,
  partsAndWords,
  partsOf,
  type PieceKind,
  plainRun,
  unspacedPair,
  wordOfPair,
  wordsOfRun,
} from "./pieces.ts";
import { GroupedNumbers } from "./grouped_numbers.ts";
import { hash48 } from "./term_hash.ts";

/** A searchable word. */
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

/**
 * The words of a text in order, with their places. A word with joints (hyphen, dot, @ and the like) gives its parts and,
 * if it may be an identifier, the whole without joints: `ORD-2024-8817` is found by `8817`, `ord 2024 8817` and
 * `ORD20248817`. A number in groups gives the whole too. Scripts without spaces give pairs of characters; a word or
 * number between them stands alone.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const numbers = new GroupedNumbers(text);
  eachPiece(text, (kind, start, end) => {
    const number = numbers.at(kind, start, end);
    if (number) tokens.push({ ...number, word: wordOf(number.word) });
    const piece = text.slice(start, end);
    if (kind === joinedRun) {
      const parts = partsOf(piece);
      for (const { raw, start: from, end: to } of partsAndWords(parts)) {
        add(plainRun, raw, start + from, start + to);
      }
      const compound = compoundOf(parts, piece);
      if (compound !== null) {
        const [first] = parts, last = parts[parts.length - 1];
        tokens.push({ word: wordOf(compound), start: start + first.start, end: start + last.end });
      }
    } else add(kind, piece, start, end);
  });
  return tokens;

  function add(kind: PieceKind, raw: string, start: number, end: number) {
    for (const word of wordsOf(kind, raw)) tokens.push({ word, start, end });
  }
}

/** The words of a piece without joints. */
function wordsOf(kind: PieceKind, raw: string): Word[] {
  let found = pieces.get(raw);
  if (!found) {
    const texts = kind === unspacedPair
      ? [wordOfPair(raw)]
      : wordsOfRun(raw).filter((text) => text !== "");
    found = texts.map(wordOf);
    if (pieces.size >= maxWords) pieces.clear();
    if (raw.length <= maxPieceLength) pieces.set(ownCopy(raw), found);
  }
  return found;
}

/** A string cut from a text keeps the whole text in memory; this copy does not. */
function ownCopy(cut: string): string {
  return cut.split("").join("");
}

const maxWords = 50_000;
/** Longer pieces hardly repeat. */
const maxPieceLength = 200;
const pieces = new Map<string, Word[]>();
const words = new Map<string, Word>();

function wordOf(found: string): Word {
  let word = words.get(found);
  if (!word) {
    const text = ownCopy(found);
    const stem = stemOf(text);
    const key = hash48(text);
    const stemKey = stem === text ? key : hash48(stem);
    word = { text, stem, identifier: isIdentifier(text), key, stemKey };
    if (words.size >= maxWords) words.clear();
    words.set(text, word);
  }
  return word;
}

/** The stem of a word that is folded: Porter's of three or more letters a-z, else the word. */
export function stemOf(text: string): string {
  return /^[a-z]{3,}$/.test(text) ? stemmer(text) : text;
}

function isIdentifier(word: string): boolean {
  return word.length >= 4 && /\d/.test(word);
}
