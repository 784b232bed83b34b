import type { ByteWriter } from "./byte_buffer.ts";

/**
 * The postings of a term: document numbers, ascending, and for each how often the term occurs there
 * as a stem and as a word. One list has both, because the two counts are mostly the same.
 */
export class PostingList {
  documents = new Int32Array(16);
  asStem = new Uint8Array(16);
  asWord = new Uint8Array(16);
  length = 0;
  /** How many documents have the term as a stem, and as a word. */
  stems = 0;
  words = 0;

  add(document: number, asStem: number, asWord: number) {
    this.reserve(1);
    this.documents[this.length] = document;
    this.asStem[this.length] = Math.min(asStem, maxCount);
    this.asWord[this.length] = Math.min(asWord, maxCount);
    this.length++;
    if (asStem > 0) this.stems++;
    if (asWord > 0) this.words++;
  }

  clear() {
    this.length = this.stems = this.words = 0;
  }

  /** Makes room for `more` postings. */
  reserve(more: number) {
    if (this.length + more <= this.documents.length) return;
    const size = Math.max(this.length * 2, this.length + more);
    const documents = new Int32Array(size);
    const asStem = new Uint8Array(size);
    const asWord = new Uint8Array(size);
    documents.set(this.documents);
    asStem.set(this.asStem);
    asWord.set(this.asWord);
    Object.assign(this, { documents, asStem, asWord });
  }
}

/** Counts have at most six bits: BM25 is saturated long before. */
export const maxCount = 63;

const sameBits = 0 << 6, stemBits = 1 << 6, wordBits = 2 << 6, bothBits = 3 << 6;

/** A list as bytes: for each document the gap to the one before (varint) and its counts, one byte or two. */
export function writePostings(list: PostingList, to: ByteWriter) {
  let last = 0;
  for (let n = 0; n < list.length; n++) {
    to.varint(list.documents[n] - last);
    last = list.documents[n];
    const stem = list.asStem[n];
    const word = list.asWord[n];
    if (stem === word) to.byte(sameBits | stem);
    else if (word === 0) to.byte(stemBits | stem);
    else if (stem === 0) to.byte(wordBits | word);
    else {
      to.byte(bothBits | stem);
      to.byte(word);
    }
  }
}

/**
 * Appends the postings of `writePostings` to a list, without removed documents. A search spends most
 * of its time here, so the bytes are read in place.
 */
export function readPostings(
  data: Uint8Array,
  start: number,
  end: number,
  isLive: Uint8Array,
  list: PostingList,
) {
  list.reserve((end - start) >>> 1);
  const { documents, asStem, asWord } = list;
  let { length, stems, words } = list;
  let document = 0;
  for (let at = start; at < end;) {
    let byte = data[at++];
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++];
      gap |= (byte & 127) << shift;
    }
    document += gap;
    const head = data[at++];
    let stem = head & maxCount;
    let word = stem;
    // Most have the same counts.
    if (head > maxCount) {
      const kind = head & 192;
      if (kind === bothBits) word = data[at++];
      else if (kind === stemBits) word = 0;
      else stem = 0;
    }
    if (isLive[document] === 0) continue;
    documents[length] = document;
    asStem[length] = stem;
    asWord[length] = word;
    length++;
    if (stem > 0) stems++;
    if (word > 0) words++;
  }
  list.length = length;
  list.stems = stems;
  list.words = words;
}
