import {
  compoundOf,
  eachPiece,
  hashOfPiece,
  partsAndWords,
  partsOf,
  type PieceKind,
  plainRun,
  unspacedPair,
  wordOfPair,
  wordsOfRun,
} from "../../analysis/pieces.ts";
import { GroupedNumbers } from "../../analysis/grouped_numbers.ts";
import { hash48 } from "../../analysis/term_hash.ts";
import { stemOf } from "../../analysis/tokens.ts";
import { Places } from "./places.ts";
import type { KeyHash } from "./key_hash.ts";

/** Longer pieces hardly repeat. */
const maxPieceLength = 200;

/**
 * A piece is at most this many slots behind the one that its hash names; the hash has no key, and mail whose pieces all
 * share one costs 32 comparisons a piece.
 */
const maxProbes = 32;

/** Places at the start, for pieces, their units and their terms. */
const few = 4_096;
/** After the document that reaches one of these, all is forgotten: 9 MB after 1,500 real emails. */
const maxPieces = 65_536, maxUnits = 2 ** 20, maxTerms = 2 ** 17;

/**
 * The terms of the pieces that were met lately, as numbers. Only typed arrays: 50,000 words as objects are 14 MB, which
 * every garbage collection visits. Pieces are compared in place, because a new string for each would be half of the work
 * of reading a text.
 */
export class PieceTerms {
  /** Numbers the terms. */
  private readonly numbers: Places;
  /** An open-addressing table: the hash of a piece, and its number + 1; a number of 0 is empty. */
  private slots!: Int32Array<ArrayBuffer>;
  private count!: number;
  /** Where the units and the terms of a piece begin; they end where those of the next piece begin. */
  private unitStarts!: Int32Array<ArrayBuffer>;
  private termStarts!: Int32Array<ArrayBuffer>;
  private units!: Uint16Array<ArrayBuffer>;
  /** For each word of a piece the numbers of its stem and of itself. */
  private terms!: Int32Array<ArrayBuffer>;

  constructor(hash: KeyHash) {
    this.numbers = new Places(hash);
    this.clear();
  }

  /** How many terms have a number. */
  get termCount(): number {
    return this.numbers.count;
  }

  key(term: number): number {
    return this.numbers.key(term);
  }

  /** To be called between documents: afterwards, numbers of terms may be others. */
  makeRoom() {
    const { count } = this;
    if (
      count >= maxPieces || this.unitStarts[count] >= maxUnits || this.numbers.count >= maxTerms
    ) this.clear();
  }

  /** Calls `meet` for each word of a text with the numbers of its stem and of itself. */
  eachWord(text: string, meet: (stem: number, word: number) => void) {
    const numbers = new GroupedNumbers(text);
    eachPiece(text, (kind, start, end, hash) => {
      // No number begins with a small letter, as nearly all words do.
      const number = text.charCodeAt(start) < 0x5b ? numbers.at(kind, start, end) : null;
      if (number) this.meetWord(number.word, meet);
      let piece = this.find(text, start, end, hash);
      if (piece < 0) piece = this.add(kind, text.slice(start, end), hash);
      const last = this.termStarts[piece + 1];
      for (let n = this.termStarts[piece]; n < last; n += 2) meet(this.terms[n], this.terms[n + 1]);
    });
  }

  private clear() {
    this.numbers.reset(few);
    this.slots = new Int32Array(4 * few);
    this.count = 0;
    this.unitStarts = new Int32Array(few);
    this.termStarts = new Int32Array(few);
    this.units = new Uint16Array(few);
    this.terms = new Int32Array(few);
  }

  /** The number of the piece that is `text` from `start` to before `end`, or -1. */
  private find(text: string, start: number, end: number, hash: number): number {
    const { slots, units, unitStarts } = this;
    const mask = slots.length - 1;
    const length = end - start;
    for (let probe = 0, at = 2 * hash & mask; probe < maxProbes; probe++, at = (at + 2) & mask) {
      const piece = slots[at + 1] - 1;
      if (piece < 0) return -1;
      if (slots[at] !== hash) continue;
      const first = unitStarts[piece];
      if (unitStarts[piece + 1] - first !== length) continue;
      let same = 0;
      while (same < length && units[first + same] === text.charCodeAt(start + same)) same++;
      if (same === length) return piece;
    }
    return -1;
  }

  /** Adds a piece that `find` does not know. The number of a long one is valid until the next call. */
  private add(kind: PieceKind, raw: string, hash: number): number {
    const found: number[] = [];
    if (kind === unspacedPair) this.addWord(wordOfPair(raw), found);
    else if (kind === plainRun) {
      for (const word of wordsOfRun(raw)) if (word !== "") this.addWord(word, found);
    } else this.addJoined(raw, found);
    const { count } = this;
    const isKept = raw.length <= maxPieceLength;
    const firstUnit = this.unitStarts[count], firstTerm = this.termStarts[count];
    this.unitStarts = roomy(this.unitStarts, count + 2);
    this.termStarts = roomy(this.termStarts, count + 2);
    this.terms = roomy(this.terms, firstTerm + found.length);
    this.terms.set(found, firstTerm);
    this.termStarts[count + 1] = firstTerm + found.length;
    if (!isKept) return count;
    this.units = roomy(this.units, firstUnit + raw.length);
    for (let n = 0; n < raw.length; n++) this.units[firstUnit + n] = raw.charCodeAt(n);
    this.unitStarts[count + 1] = firstUnit + raw.length;
    this.count++;
    if (4 * this.count > this.slots.length) this.growSlots();
    this.place(hash, count);
    return count;
  }

  private addJoined(raw: string, found: number[]) {
    const parts = partsOf(raw);
    for (const { raw: run } of partsAndWords(parts)) {
      const hash = hashOfPiece(run);
      let part = this.find(run, 0, run.length, hash);
      if (part < 0) part = this.add(plainRun, run, hash);
      const last = this.termStarts[part + 1];
      for (let n = this.termStarts[part]; n < last; n++) found.push(this.terms[n]);
    }
    const compound = compoundOf(parts, raw);
    if (compound !== null) this.addWord(compound, found);
  }

  /** Meets a word that is no piece, and seldom comes again. */
  private meetWord(word: string, meet: (stem: number, word: number) => void) {
    const found: number[] = [];
    this.addWord(word, found);
    meet(found[0], found[1]);
  }

  private addWord(word: string, found: number[]) {
    const key = hash48(word);
    const stem = stemOf(word);
    const stemKey = stem === word ? key : hash48(stem);
    found.push(this.numbers.of(stemKey), this.numbers.of(key));
  }

  /** Puts a piece into the table; if all its slots are taken, it replaces one. */
  private place(hash: number, piece: number) {
    const { slots } = this;
    const mask = slots.length - 1;
    let at = 2 * hash & mask;
    for (let probe = 1; probe < maxProbes && slots[at + 1] !== 0; probe++) at = (at + 2) & mask;
    slots[at] = hash;
    slots[at + 1] = piece + 1;
  }

  private growSlots() {
    const { slots } = this;
    this.slots = new Int32Array(2 * slots.length);
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at + 1] !== 0) this.place(slots[at], slots[at + 1] - 1);
    }
  }
}

/** An array with room for `length` numbers: the same, or a larger copy. */
function roomy<Numbers extends Int32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(
  array: Numbers,
  length: number,
): Numbers {
  if (length <= array.length) return array;
  const made = array instanceof Int32Array ? Int32Array : Uint16Array;
  const larger = new made(Math.max(2 * array.length, length)) as Numbers;
  larger.set(array);
  return larger;
}
