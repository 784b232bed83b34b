import type { KeyHash } from "./key_hash.ts";

/**
 * In how many documents each stem of an account is, in memory: feedback reads hundreds a query. An
 * open-addressing table of 12 bytes a place; a Map of half a million numbers takes five times as much.
 */
export class Vocabulary {
  private size = 0;
  private keys = new Float64Array(1024);
  private counts = new Uint32Array(1024);

  constructor(private readonly hash: KeyHash) {}

  /** The number of documents of a stem; 0 if unknown. */
  get(key: number): number {
    return this.counts[this.placeOf(key)];
  }

  /** Forgets all; the arrays keep their size. */
  clear() {
    this.size = 0;
    this.counts.fill(0);
  }

  add(key: number, documents: number) {
    let place = this.placeOf(key);
    if (this.counts[place] === 0) {
      if (++this.size * 3 > this.keys.length * 2) {
        this.grow();
        place = this.placeOf(key);
      }
      this.keys[place] = key;
    }
    this.counts[place] += documents;
  }

  private placeOf(key: number): number {
    const mask = this.keys.length - 1;
    let place = this.hash.of(key) & mask;
    while (this.counts[place] !== 0 && this.keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  private grow() {
    const keys = this.keys;
    const counts = this.counts;
    this.keys = new Float64Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    for (let n = 0; n < keys.length; n++) {
      if (counts[n] === 0) continue;
      const place = this.placeOf(keys[n]);
      this.keys[place] = keys[n];
      this.counts[place] = counts[n];
    }
  }
}

/** Collects the stems of a segment with their counts: all keys (float64), then all counts (uint32), little-endian. */
export class VocabularyWriter {
  private keys: number[] = [];
  private counts: number[] = [];

  add(key: number, documents: number) {
    if (documents === 0) return;
    this.keys.push(key);
    this.counts.push(documents);
  }

  bytes(): Uint8Array {
    const keys = new Uint8Array(Float64Array.from(this.keys).buffer);
    const counts = new Uint8Array(Uint32Array.from(this.counts).buffer);
    const all = new Uint8Array(keys.length + counts.length);
    all.set(keys);
    all.set(counts, keys.length);
    return all;
  }
}

/** Adds the bytes of a VocabularyWriter to a vocabulary. */
export function readVocabulary(data: Uint8Array, into: Vocabulary) {
  const size = data.length / 12;
  const aligned = data.slice().buffer;
  const keys = new Float64Array(aligned, 0, size);
  const counts = new Uint32Array(aligned, size * 8, size);
  for (let n = 0; n < size; n++) into.add(keys[n], counts[n]);
}
