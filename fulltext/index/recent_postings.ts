import type { DocumentTerms } from "./document.ts";
import type { KeyHash } from "./hashing/key_hash.ts";
import type { PostingList } from "./posting_list.ts";

/** Places and terms at the start. */
const fewPlaces = 512, fewTerms = 256;
/** Larger arrays, after mail with many words, are released when they are emptied. */
const keptPlaces = 2 ** 18;

/**
 * The postings of documents that are not in a segment yet, in memory: for each term a linked list of
 * places, the oldest document first. Typed arrays, because a Map of arrays is tens of thousands of
 * objects that every garbage collection visits.
 */
export class RecentPostings {
  private termCount = 0;
  /** An open-addressing table: the term, its first and its last place; a first place of 0 is empty. */
  private keys = new Float64Array(fewTerms);
  private first = new Int32Array(fewTerms);
  private last = new Int32Array(fewTerms);
  /** The next free place; place 0 is not used. */
  private places = 1;
  private next = new Int32Array(fewPlaces);
  private document = new Int32Array(fewPlaces);
  private asStem = new Uint8Array(fewPlaces);
  private asWord = new Uint8Array(fewPlaces);

  constructor(private readonly hash: KeyHash) {}

  /** How many postings there are. */
  get length(): number {
    return this.places - 1;
  }

  get bytes(): number {
    return this.keys.length * 16 + this.next.length * 10;
  }

  add(document: number, { keys, asStem, asWord }: DocumentTerms) {
    if (this.places + keys.length > this.next.length) this.growPlaces(keys.length);
    if ((this.termCount + keys.length) * 3 > this.keys.length * 2) this.growTerms(keys.length);
    for (let n = 0; n < keys.length; n++) {
      const at = this.places++;
      this.document[at] = document;
      this.asStem[at] = asStem[n];
      this.asWord[at] = asWord[n];
      const slot = this.slot(keys[n]);
      if (this.first[slot] === 0) {
        this.keys[slot] = keys[n];
        this.first[slot] = at;
        this.termCount++;
      } else this.next[this.last[slot]] = at;
      this.last[slot] = at;
    }
  }

  /** Appends the postings of a term, without removed documents. */
  read(key: number, isLive: Uint8Array, into: PostingList) {
    for (let at = this.first[this.slot(key)]; at !== 0; at = this.next[at]) {
      const document = this.document[at];
      if (isLive[document]) into.add(document, this.asStem[at], this.asWord[at]);
    }
  }

  /** Calls `each` for every stem of some documents, once for each document that has it. */
  eachStem(documents: ReadonlySet<number>, each: (key: number) => void) {
    for (let slot = 0; slot < this.keys.length; slot++) {
      for (let at = this.first[slot]; at !== 0; at = this.next[at]) {
        if (this.asStem[at] > 0 && documents.has(this.document[at])) each(this.keys[slot]);
      }
    }
  }

  /** All terms, ascending. */
  terms(): Float64Array {
    const terms = new Float64Array(this.termCount);
    let count = 0;
    for (let slot = 0; slot < this.keys.length; slot++) {
      if (this.first[slot] !== 0) terms[count++] = this.keys[slot];
    }
    return terms.sort();
  }

  /** Forgets all postings. */
  clear() {
    this.termCount = 0;
    if (this.next.length > keptPlaces) {
      this.keys = new Float64Array(fewTerms);
      this.first = new Int32Array(fewTerms);
      this.last = new Int32Array(fewTerms);
      this.next = new Int32Array(fewPlaces);
      this.document = new Int32Array(fewPlaces);
      this.asStem = new Uint8Array(fewPlaces);
      this.asWord = new Uint8Array(fewPlaces);
    }
    this.first.fill(0);
    this.next.fill(0, 0, this.places);
    this.places = 1;
  }

  private slot(key: number): number {
    const mask = this.keys.length - 1;
    let slot = this.hash.of(key) & mask;
    while (this.first[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private growPlaces(wanted: number) {
    const size = Math.max(this.next.length * 2, this.places + wanted);
    const next = new Int32Array(size);
    const document = new Int32Array(size);
    const asStem = new Uint8Array(size);
    const asWord = new Uint8Array(size);
    next.set(this.next);
    document.set(this.document);
    asStem.set(this.asStem);
    asWord.set(this.asWord);
    this.next = next;
    this.document = document;
    this.asStem = asStem;
    this.asWord = asWord;
  }

  private growTerms(wanted: number) {
    const keys = this.keys, first = this.first, last = this.last;
    let size = keys.length * 2;
    while ((this.termCount + wanted) * 3 > size * 2) size *= 2;
    this.keys = new Float64Array(size);
    this.first = new Int32Array(size);
    this.last = new Int32Array(size);
    for (let n = 0; n < keys.length; n++) {
      if (first[n] === 0) continue;
      const slot = this.slot(keys[n]);
      this.keys[slot] = keys[n];
      this.first[slot] = first[n];
      this.last[slot] = last[n];
    }
  }
}
