import { deflateRawSync, inflateRawSync } from "node:zlib";
import { termKey } from "../../../search/term_key.ts";
import { type Token, tokenize } from "../../../search/tokens.ts";
import type { IndexedEmail } from "../port.ts";
import { ByteReader, ByteWriter } from "./byte_buffer.ts";

/** Text past this is not indexed: 1 MiB takes a tenth of a second, and holds any letter. */
export const MAX_TEXT_LENGTH = 1_048_576;

/** One message as counts of terms: what ranking reads of it. */
export interface DocumentTerms {
  /** Words of subject (twice, it says most) and text; the measure of length in BM25. */
  length: number;
  keys: Float64Array;
  asStem: Uint8Array;
  asWord: Uint8Array;
  /** 1 where the term is in the subject or the text, 0 where only in names and addresses. */
  isTopic: Uint8Array;
}

/** Counts the terms of an email. */
export function documentTerms(email: IndexedEmail): DocumentTerms {
  const places = new Map<number, number>();
  const asStem: number[] = [];
  const asWord: number[] = [];
  const isTopic: number[] = [];
  const place = (word: string) => {
    const key = termKey(word);
    let found = places.get(key);
    if (found === undefined) {
      places.set(key, found = asStem.length);
      asStem.push(0);
      asWord.push(0);
      isTopic.push(0);
    }
    return found;
  };
  const count = (tokens: Token[], times: number, topic: 0 | 1) => {
    for (const { word, stem } of tokens) {
      asStem[place(stem)] += times;
      isTopic[place(stem)] ||= topic;
      asWord[place(word)] += times;
    }
  };
  const subject = tokenize(email.subject);
  const text = tokenize(email.text.slice(0, MAX_TEXT_LENGTH));
  count(subject, 2, 1);
  count(text, 1, 1);
  count(tokenize([email.from, ...email.to, ...email.attachmentNames].join("\n")), 1, 0);
  return {
    length: 2 * subject.length + text.length,
    keys: Float64Array.from(places.keys()),
    asStem: Uint8Array.from(asStem, (times) => Math.min(times, 63)),
    asWord: Uint8Array.from(asWord, (times) => Math.min(times, 63)),
    isTopic: Uint8Array.from(isTopic),
  };
}

/** The bytes in which an index keeps the terms of a document. */
export function packTerms(terms: DocumentTerms): Uint8Array {
  const to = new ByteWriter();
  to.varint(terms.length);
  to.varint(terms.keys.length);
  for (let n = 0; n < terms.keys.length; n++) {
    to.key(terms.keys[n]);
    to.byte(terms.asStem[n]);
    to.byte(terms.asWord[n] | (terms.isTopic[n] << 7));
  }
  return to.copy();
}

export function unpackTerms(data: Uint8Array): DocumentTerms {
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
  for (let n = 0; n < size; n++) {
    terms.keys[n] = from.key();
    terms.asStem[n] = from.byte();
    const word = from.byte();
    terms.asWord[n] = word & 127;
    terms.isTopic[n] = word >>> 7;
  }
  return terms;
}

/** A text for the snippets, deflated where that pays. */
export function packText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text.slice(0, MAX_TEXT_LENGTH));
  return bytes.length < 300
    ? Uint8Array.from([0, ...bytes])
    : Uint8Array.from([1, ...deflateRawSync(bytes, { level: 1 })]);
}

export function unpackText(data: Uint8Array): string {
  const bytes = data.subarray(1);
  return new TextDecoder().decode(data[0] === 1 ? inflateRawSync(bytes) : bytes);
}
