import type { ByteReader, ByteWriter } from "./byte_buffer.ts";

/**
 * Where a term occurs: document numbers, rising, and in each how often the term is there as a
 * stem and how often as the very word (a list serves both, for the two are mostly the same).
 */
export class PostingList {
  documents = new Int32Array(16);
  asStem = new Uint8Array(16);
  asWord = new Uint8Array(16);
  length = 0;

  add(document: number, asStem: number, asWord: number) {
    if (this.length === this.documents.length) this.#grow();
    this.documents[this.length] = document;
    this.asStem[this.length] = Math.min(asStem, MAX_COUNT);
    this.asWord[this.length] = Math.min(asWord, MAX_COUNT);
    this.length++;
  }

  clear() {
    this.length = 0;
  }

  /** In how many documents the term is there as a stem, and as a word. */
  counts(): { stems: number; words: number } {
    let stems = 0;
    let words = 0;
    for (let n = 0; n < this.length; n++) {
      if (this.asStem[n] > 0) stems++;
      if (this.asWord[n] > 0) words++;
    }
    return { stems, words };
  }

  #grow() {
    const size = this.length * 2;
    const documents = new Int32Array(size);
    const asStem = new Uint8Array(size);
    const asWord = new Uint8Array(size);
    documents.set(this.documents);
    asStem.set(this.asStem);
    asWord.set(this.asWord);
    Object.assign(this, { documents, asStem, asWord });
  }
}

/** More of a word in one message says nothing more. */
const MAX_COUNT = 63;

const SAME = 0 << 6, STEM = 1 << 6, WORD = 2 << 6, BOTH = 3 << 6;

/** A list as bytes: gaps between documents, then one byte of count, two where the two differ. */
export function writePostings(list: PostingList, to: ByteWriter) {
  let last = 0;
  for (let n = 0; n < list.length; n++) {
    to.varint(list.documents[n] - last);
    last = list.documents[n];
    const stem = list.asStem[n];
    const word = list.asWord[n];
    if (stem === word) to.byte(SAME | stem);
    else if (word === 0) to.byte(STEM | stem);
    else if (stem === 0) to.byte(WORD | word);
    else {
      to.byte(BOTH | stem);
      to.byte(word);
    }
  }
}

/** Appends to a list what `writePostings` wrote, leaving out documents that are gone. */
export function readPostings(
  from: ByteReader,
  end: number,
  isLive: Uint8Array,
  list: PostingList,
) {
  let document = 0;
  while (from.offset < end) {
    document += from.varint();
    const head = from.byte();
    const count = head & 63;
    const kind = head & 192;
    const stem = kind === WORD ? 0 : count;
    const word = kind === STEM ? 0 : kind === BOTH ? from.byte() : count;
    if (isLive[document]) list.add(document, stem, word);
  }
}
