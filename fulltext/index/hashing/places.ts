import type { KeyHash } from "./key_hash.ts";

/**
 * Numbers keys in order of appearance, from 0. One table serves all searches, one after another; `PieceTerms` has its
 * own.
 */
export class Places {
  /** An open-addressing table of place + 1; 0 is empty. It is half full at most; a search uses as many slots as it needs. */
  private slots = new Int32Array(1024);
  private mask = 0;
  private met = new Float64Array(512);
  private _count = 0;

  constructor(private readonly hash: KeyHash) {}

  /** Clears the table and makes room for `keys` keys. */
  reset(keys: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * keys + 1));
    if (size > this.slots.length) {
      this.slots = new Int32Array(size);
      this.met = new Float64Array(size / 2);
    } else this.slots.fill(0, 0, size);
    this.mask = size - 1;
    this._count = 0;
  }

  /** The place of a key; an unknown key gets the next one. */
  of(key: number): number {
    let slot = this.hash.of(key) & this.mask;
    while (this.slots[slot] !== 0) {
      const place = this.slots[slot] - 1;
      if (this.met[place] === key) return place;
      slot = (slot + 1) & this.mask;
    }
    if (2 * this._count > this.mask) slot = this.grow(key);
    this.met[this._count] = key;
    this.slots[slot] = ++this._count;
    return this._count - 1;
  }

  /** How many keys have a place. */
  get count(): number {
    return this._count;
  }

  /** Doubles the table; returns the free slot of a key. */
  private grow(key: number): number {
    const met = this.met;
    const count = this._count;
    this.slots = new Int32Array(0);
    this.reset(this.mask);
    for (let place = 0; place < count; place++) this.of(met[place]);
    let slot = this.hash.of(key) & this.mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
    return slot;
  }

  /** The key of a place. */
  key(place: number): number {
    return this.met[place];
  }

  /** The keys by their places. */
  keys(): Float64Array {
    return this.met.slice(0, this._count);
  }
}
