import { deflateRawSync, inflateRawSync } from "node:zlib";
import { eachWord, type Word } from "../analysis/tokens.ts";
import type { IndexedEmail } from "../types.ts";
import { maxCount } from "./posting_list.ts";
import type { Places } from "./hashing/places.ts";
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

/** Counts the terms of an email. `places` is overwritten. */
export function documentTerms(email: IndexedEmail, places: Places): DocumentTerms {
  const times = new Map<Word, number>();
  let length = 0;
  const count = (text: string, weight: number) =>
    eachWord(text, (word) => {
      times.set(word, (times.get(word) ?? 0) + weight);
      length += weight;
    });
  count(email.subject, 2);
  count(email.text.slice(0, maxTextLength), 1);
  const topics = times.size, topicLength = length;
  count([email.from, ...email.to, ...email.attachmentNames].join("\n"), 1);

  places.reset(2 * times.size);
  const asStem = new Uint8Array(2 * times.size);
  const asWord = new Uint8Array(2 * times.size);
  const isTopic = new Uint8Array(2 * times.size);
  const add = (counts: Uint8Array, at: number, times: number) => {
    counts[at] = Math.min(maxCount, counts[at] + times);
  };
  let met = 0;
  for (const [word, weight] of times) {
    const stem = places.of(word.stemKey);
    add(asStem, stem, weight);
    add(asWord, word.stemKey === word.key ? stem : places.of(word.key), weight);
    // Words of names and attachments come last and do not clear the mark.
    if (met++ < topics) isTopic[stem] = 1;
  }
  return {
    length: topicLength,
    keys: places.keys(),
    asStem,
    asWord,
    isTopic,
  };
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
  const terms = {
    length,
    keys: new Float64Array(size),
    asStem: new Uint8Array(size),
    asWord: new Uint8Array(size),
    isTopic: new Uint8Array(size),
  };
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
