/** Most UTF-16 units of a piece that is looked for; the longest of real vocabularies has 16. */
const longestPiece = 64;

/**
 * The pieces of a unigram tokenizer with their scores, flat: 128,000 pieces take 4 MB, where a map of strings and a trie
 * of objects take 120.
 */
export class Pieces {
  private text = new Uint16Array(1 << 16);
  private ends = new Int32Array(1 << 12);
  private scoreOf = new Float32Array(1 << 12);
  /** Open addressing; a slot holds an id + 1. */
  private slots = new Int32Array(0);
  private longest = 0;
  size = 0;
  leastScore = Infinity;

  add(piece: string, score: number): void {
    const begin = this.size === 0 ? 0 : this.ends[this.size - 1];
    const end = begin + piece.length;
    if (this.size === this.ends.length) {
      this.ends = grown(this.ends, new Int32Array(2 * this.size));
      this.scoreOf = grown(this.scoreOf, new Float32Array(2 * this.size));
    }
    while (end > this.text.length) {
      this.text = grown(this.text, new Uint16Array(2 * this.text.length));
    }
    for (let n = 0; n < piece.length; n++) this.text[begin + n] = piece.charCodeAt(n);
    this.ends[this.size] = end;
    this.scoreOf[this.size++] = score;
    this.longest = Math.min(longestPiece, Math.max(this.longest, piece.length));
    this.leastScore = Math.min(this.leastScore, score);
  }

  /** To be called after the last `add`. */
  index(): void {
    const bits = Math.ceil(Math.log2(2 * this.size + 2));
    this.slots = new Int32Array(2 ** bits);
    for (let id = 0; id < this.size; id++) {
      let hash = 0;
      for (let n = this.beginOf(id); n < this.ends[id]; n++) hash = mixed(hash, this.text[n]);
      let slot = placed(hash, this.slots.length);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = id + 1;
    }
  }

  score(id: number): number {
    return this.scoreOf[id];
  }

  /** The id of a piece, -1 if there is none. */
  idOf(piece: string): number {
    let hash = 0;
    for (let n = 0; n < piece.length; n++) hash = mixed(hash, piece.charCodeAt(n));
    return this.find(hash, piece, 0, piece.length);
  }

  /** Calls `found` for each piece that `text` has at `begin`, the shortest first. */
  at(text: string, begin: number, found: (id: number, end: number) => void): void {
    let hash = 0;
    const last = Math.min(text.length, begin + this.longest);
    for (let end = begin + 1; end <= last; end++) {
      hash = mixed(hash, text.charCodeAt(end - 1));
      const id = this.find(hash, text, begin, end);
      if (id >= 0) found(id, end);
    }
  }

  private find(hash: number, text: string, begin: number, end: number): number {
    const mask = this.slots.length - 1;
    for (let slot = placed(hash, mask + 1); this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = this.slots[slot] - 1;
      if (this.isAt(id, text, begin, end)) return id;
    }
    return -1;
  }

  private isAt(id: number, text: string, begin: number, end: number): boolean {
    const first = this.beginOf(id);
    if (this.ends[id] - first !== end - begin) return false;
    for (let n = 0; n < end - begin; n++) {
      if (this.text[first + n] !== text.charCodeAt(begin + n)) return false;
    }
    return true;
  }

  private beginOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1];
  }
}

function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193) + 0x9e37 | 0;
}

function placed(hash: number, slots: number): number {
  return (hash ^ hash >>> 15) & (slots - 1);
}

function grown<Column extends Int32Array | Float32Array | Uint16Array>(old: Column, made: Column) {
  made.set(old);
  return made;
}
