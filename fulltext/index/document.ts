import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { IndexedEmail } from "../types.ts";
import { maxCount } from "./posting_list.ts";
import type { KeyHash } from "./hashing/key_hash.ts";
import { PieceTerms } from "./hashing/piece_terms.ts";
import { ByteReader, ByteWriter, keyAt } from "./byte_buffer.ts";
import { checked, withChecksum } from "./checksum.ts";

/** UTF-16 units of a text that are indexed: this many take 0.1 s. */
const maxTextLength = 1_048_576;

/** The terms of one email with their counts. */
export interface DocumentTerms {
  /** Number of words of subject (counted twice) and text: the document length of BM25. */
  length: number;
  keys: Float64Array;
  asStem: Uint8Array;
  asWord: Uint8Array;
  /** 1 if the term is in the subject or the text, 0 if it is only in names, addresses and file names. */
  isTopic: Uint8Array;
}

/** For `size` terms, which are still to be filled in. */
function roomFor(size: number, length: number): DocumentTerms {
  return {
    length,
    keys: new Float64Array(size),
    asStem: new Uint8Array(size),
    asWord: new Uint8Array(size),
    isTopic: new Uint8Array(size),
  };
}

/** Counts the terms of emails, one after another. */
export class TermCounter {
  private readonly pieces: PieceTerms;
  /** How often an email has a term as a stem and as a word, by the number of the term; 0 for all other terms. */
  private asStem = new Int32Array(0);
  private asWord = new Int32Array(0);
  /** The terms of the email that was counted last, in order of appearance. */
  private readonly met: number[] = [];

  constructor(hash: KeyHash) {
    this.pieces = new PieceTerms(hash);
  }

  terms(email: IndexedEmail): DocumentTerms {
    const { pieces, met } = this;
    this.forget();
    pieces.makeRoom();
    const length = this.count(email.subject, 2) +
      this.count(email.text.slice(0, maxTextLength), 1);
    const topics = met.map((term) => Math.min(1, this.asStem[term]));
    this.count([email.from, ...email.to, ...email.attachmentNames].join("\n"), 1);
    const { asStem, asWord } = this;
    const size = met.length;
    const terms = roomFor(size, length);
    for (let n = 0; n < size; n++) {
      const term = met[n];
      terms.keys[n] = pieces.key(term);
      terms.asStem[n] = Math.min(maxCount, asStem[term]);
      terms.asWord[n] = Math.min(maxCount, asWord[term]);
    }
    terms.isTopic.set(topics);
    return terms;
  }

  /** Takes back the counts of the email before, also if counting it has thrown. */
  private forget() {
    for (const term of this.met) this.asStem[term] = this.asWord[term] = 0;
    this.met.length = 0;
  }

  /** Counts the words of a text, each `weight` times; returns how many there are. */
  private count(text: string, weight: number): number {
    const { met } = this;
    let { asStem, asWord } = this;
    let length = 0;
    this.pieces.eachWord(text, (stem, word) => {
      if (stem >= asStem.length || word >= asStem.length) {
        this.reserve();
        ({ asStem, asWord } = this);
      }
      if (asStem[stem] === 0 && asWord[stem] === 0) met.push(stem);
      asStem[stem] += weight;
      if (asStem[word] === 0 && asWord[word] === 0) met.push(word);
      asWord[word] += weight;
      length += weight;
    });
    return length;
  }

  private reserve() {
    const size = 2 * this.pieces.termCount;
    const asStem = new Int32Array(size), asWord = new Int32Array(size);
    asStem.set(this.asStem);
    asWord.set(this.asWord);
    this.asStem = asStem;
    this.asWord = asWord;
  }
}

/** The terms of a document as bytes: see README.md, "File format". */
export function packTerms(terms: DocumentTerms): Uint8Array {
  const to = new ByteWriter();
  to.varint(terms.length);
  to.varint(terms.keys.length);
  for (let n = 0; n < terms.keys.length; n++) {
    to.key(terms.keys[n]);
    to.byte(terms.asStem[n]);
    to.byte(terms.asWord[n] | (terms.isTopic[n] << 7));
  }
  return withChecksum(to.written);
}

/** A term and its two counts. */
const termBytes = 8;

/** @throws if the bytes have changed. */
export function unpackTerms(stored: Uint8Array): DocumentTerms {
  const data = checked(stored);
  const from = new ByteReader(data);
  const length = from.varint();
  const size = from.varint();
  const terms = roomFor(size, length);
  for (let n = 0, at = from.offset; n < size; n++, at += termBytes) {
    terms.keys[n] = keyAt(data, at);
    terms.asStem[n] = data[at + 6];
    terms.asWord[n] = data[at + 7] & 127;
    terms.isTopic[n] = data[at + 7] >>> 7;
  }
  return terms;
}

/** Calls `each` for the stems of subject and text in packed terms, of which the last may be cut off. */
export function eachTopicStem(data: Uint8Array, each: (key: number, times: number) => void) {
  const from = new ByteReader(data);
  from.varint();
  const end = Math.min(data.length, from.varint() * termBytes + from.offset);
  for (let at = from.offset; at + termBytes <= end; at += termBytes) {
    if (data[at + 6] > 0 && data[at + 7] > 127) each(keyAt(data, at), data[at + 6]);
  }
}

/**
 * Bytes. Deflate saves no page of the database for a shorter text, and takes half the time of a text ten times as long.
 */
const smallestDeflated = 1_500;

/** A text for snippets as bytes: 0 and UTF-8, or 1 and deflated UTF-8. */
export function packText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text.slice(0, maxTextLength));
  const isShort = bytes.length < smallestDeflated;
  const kept = isShort ? bytes : deflateRawSync(bytes, { level: 1 });
  const packed = new Uint8Array(1 + kept.length);
  packed[0] = isShort ? 0 : 1;
  packed.set(kept, 1);
  return withChecksum(packed);
}

/** @throws if the bytes have changed. */
export function unpackText(stored: Uint8Array): string {
  const data = checked(stored);
  const bytes = data.subarray(1);
  return new TextDecoder().decode(data[0] === 1 ? inflateRawSync(bytes) : bytes);
}
