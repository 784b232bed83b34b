import { checked, withChecksum } from "./checksum.ts";
import type { KeyHash } from "./hashing/key_hash.ts";

/** Places of the largest table: room for 1.4 million stems in 25 MB. 100,000 ordinary emails have 0.4 million. */
const mostPlaces = 2 ** 21;

/**
 * How many documents of an account have each stem. In memory, because feedback reads hundreds of counts a query. An
 * open-addressing table of 12 bytes a place; a Map of half a million numbers takes five times as much.
 *
 * Mail of random words would fill any memory. A table that has grown to its limit forgets the rarest stems, then counts
 * them from 0 again ("lossy counting", Manku and Motwani, 2002). Feedback leaves out a stem with a count of one;
 * nothing else depends on the count of a rare stem.
 */
export class Vocabulary {
  private size = 0;
  private keys = new Float64Array(1024);
  private counts = new Uint32Array(1024);
  /** It was once full, so counts of rare stems depend on the order of additions. */
  hasForgotten = false;

  /** @param places the most places, a power of two from 1,024 on. */
  constructor(private readonly hash: KeyHash, private readonly places = mostPlaces) {}

  get bytes(): number {
    return this.keys.byteLength + this.counts.byteLength;
  }

  /** The number of documents of a stem; 0 if unknown or forgotten. */
  get(key: number): number {
    return this.counts[this.placeOf(key)];
  }

  /** Forgets all; the arrays keep their size. */
  clear() {
    this.size = 0;
    this.hasForgotten = false;
    this.counts.fill(0);
  }

  add(key: number, documents: number) {
    let place = this.placeOf(key);
    if (this.counts[place] === 0) {
      if (++this.size * 3 > this.keys.length * 2) {
        if (this.keys.length < this.places) this.rebuild(this.keys.length * 2, 0);
        else this.forgetRarest();
        place = this.placeOf(key);
      }
      this.keys[place] = key;
    }
    this.counts[place] += documents;
  }

  /** Counts one document less. */
  remove(key: number) {
    let gap = this.placeOf(key);
    if (this.counts[gap] === 0 || --this.counts[gap] > 0) return;
    this.size--;
    // The stems behind the free place move up, so that each is found without crossing a gap.
    const mask = this.keys.length - 1;
    for (let next = (gap + 1) & mask; this.counts[next] !== 0; next = (next + 1) & mask) {
      const home = this.hash.of(this.keys[next]) & mask;
      if (((next - home) & mask) < ((next - gap) & mask)) continue;
      this.keys[gap] = this.keys[next];
      this.counts[gap] = this.counts[next];
      this.counts[gap = next] = 0;
    }
  }

  private placeOf(key: number): number {
    const mask = this.keys.length - 1;
    let place = this.hash.of(key) & mask;
    while (this.counts[place] !== 0 && this.keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  /** Forgets the rarest stems until half of the room is free. */
  private forgetRarest() {
    this.hasForgotten = true;
    const kept = (this.keys.length * 2) / 3 / 2;
    const most = rarestToForget(this.counts, kept);
    this.rebuild(this.keys.length, most);
    // The stem that is being added.
    this.size++;
  }

  /** Makes a table of `places` places with the stems in more than `above` documents. */
  private rebuild(places: number, above: number) {
    const keys = this.keys;
    const counts = this.counts;
    this.keys = new Float64Array(places);
    this.counts = new Uint32Array(places);
    let size = 0;
    for (let n = 0; n < keys.length; n++) {
      if (counts[n] <= above) continue;
      const place = this.placeOf(keys[n]);
      this.keys[place] = keys[n];
      this.counts[place] = counts[n];
      size++;
    }
    if (above > 0) this.size = size;
  }
}

/** Stems with this count or less must be forgotten so that at most `kept` are left; zeros are no stems. */
function rarestToForget(counts: Uint32Array, kept: number): number {
  const highest = 1_000;
  const stems = new Uint32Array(highest + 1);
  let left = 0;
  for (const count of counts) {
    if (count === 0) continue;
    stems[Math.min(count, highest)]++;
    left++;
  }
  let most = 0;
  while (left > kept) left -= stems[++most];
  return most;
}

/** The most stems that are stored for a segment, 12 MB. If there are more, the rarest are left out. */
const mostStored = 2 ** 20;

/** Collects the stems of a segment with their counts: all keys (float64), then all counts (uint32), little-endian. */
export class VocabularyWriter {
  private size = 0;
  private keys = new Float64Array(1024);
  private counts = new Uint32Array(1024);
  /** There were too many stems, and the rarest are left out. */
  hasForgotten = false;

  /** @param most the most stems, from 1,024 on. */
  constructor(private readonly most = mostStored) {}

  add(key: number, documents: number) {
    if (documents === 0) return;
    if (this.size === this.keys.length) this.makeRoom();
    this.keys[this.size] = key;
    this.counts[this.size++] = documents;
  }

  bytes(): Uint8Array {
    const { size } = this;
    const all = new Uint8Array(size * 12);
    all.set(new Uint8Array(this.keys.buffer, 0, size * 8));
    all.set(new Uint8Array(this.counts.buffer, 0, size * 4), size * 8);
    return withChecksum(all);
  }

  private makeRoom() {
    if (this.size < this.most) {
      const length = Math.min(this.size * 2, this.most);
      const keys = new Float64Array(length);
      const counts = new Uint32Array(length);
      keys.set(this.keys);
      counts.set(this.counts);
      this.keys = keys;
      this.counts = counts;
      return;
    }
    this.hasForgotten = true;
    const above = rarestToForget(this.counts, this.most / 2);
    let kept = 0;
    for (let n = 0; n < this.size; n++) {
      if (this.counts[n] <= above) continue;
      this.keys[kept] = this.keys[n];
      this.counts[kept++] = this.counts[n];
    }
    this.size = kept;
  }
}

/**
 * Adds the bytes of a VocabularyWriter to a vocabulary.
 *
 * @throws if they have changed.
 */
export function readVocabulary(stored: Uint8Array, into: Vocabulary) {
  const data = checked(stored);
  const size = data.length / 12;
  const aligned = data.slice().buffer;
  const keys = new Float64Array(aligned, 0, size);
  const counts = new Uint32Array(aligned, size * 8, size);
  for (let n = 0; n < size; n++) into.add(keys[n], counts[n]);
}
