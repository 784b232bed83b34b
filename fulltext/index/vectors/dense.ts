import { dotProducts } from "./dot_products.ts";
import { joinedCosines } from "./joined_cosines.ts";

/**
 * Each number of a vector is stored as a multiple of 1/127 of the largest one, in one byte: cosines are exact within
 * 0.01.
 */
const maxSteps = 127;

/** The nearest passage of a document. */
export interface Nearest {
  document: number;
  /** The index of the passage in its document. */
  place: number;
  cosine: number;
}

/**
 * The vectors of an account and one model in memory, a byte a number. A query scans all of them:
 * 100,000 vectors of 1,536 numbers are 150 MB and take 0.05 s. A vector whose length differs from the
 * first one's is left out.
 */
export class Dense {
  private length = 0;
  private size = 0;
  private numbers = new Int8Array(0);
  private scales = new Float32Array(0);
  private documents = new Int32Array(0);
  private places = new Uint16Array(0);

  constructor(readonly model: string) {}

  add(document: number, vector: Float32Array) {
    this.addPacked(document, packVectors([vector]));
  }

  /** Adds passages in the form of `packVectors`. */
  addPacked(document: number, packed: Uint8Array) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    const length = view.getUint32(0);
    if (this.length === 0) this.length = length;
    if (length !== this.length) return;
    const count = (packed.length - 4) / (length + 4);
    let place = this.passagesOf(document);
    this.reserve(count);
    for (let n = 0; n < count; n++) {
      const at = 4 + n * (length + 4);
      const row = this.size++;
      this.scales[row] = view.getFloat32(at);
      this.numbers.set(new Int8Array(packed.slice(at + 4, at + 4 + length).buffer), row * length);
      this.documents[row] = document;
      this.places[row] = place++;
    }
  }

  remove(document: number) {
    for (let row = 0; row < this.size; row++) {
      if (this.documents[row] === document) this.documents[row] = -1;
    }
  }

  /**
   * The nearest passage of each allowed document, best first.
   *
   * @param parts the lengths of the vectors that each joins; every one of them has the same norm.
   */
  nearest(
    query: Float32Array,
    allowed: Uint8Array,
    count: number,
    parts: readonly number[] = [this.length],
  ): Nearest[] {
    if (query.length !== this.length || sum(parts) !== this.length) return [];
    const rows = this.rowsOf(allowed);
    const cosines = joinedCosines(this.cosines(query, parts, rows));
    const best = new Float32Array(allowed.length).fill(-Infinity);
    const bestRow = new Int32Array(allowed.length);
    rows.forEach((row, n) => {
      const document = this.documents[row];
      if (cosines[n] > best[document]) [best[document], bestRow[document]] = [cosines[n], row];
    });
    // Far fewer are ordered than there are.
    const least = best.length > count ? best.toSorted()[best.length - count] : -Infinity;
    const found: Nearest[] = [];
    best.forEach((cosine, document) => {
      if (cosine < least || cosine === -Infinity) return;
      found.push({ document, place: this.places[bestRow[document]], cosine });
    });
    return found.sort((a, b) => b.cosine - a.cosine || b.document - a.document).slice(0, count);
  }

  private rowsOf(allowed: Uint8Array): Int32Array {
    const rows = new Int32Array(this.size);
    let count = 0;
    for (let row = 0; row < this.size; row++) {
      const document = this.documents[row];
      if (document >= 0 && allowed[document]) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** The cosines of each part of the query with that part of these rows. */
  private cosines(
    query: Float32Array,
    parts: readonly number[],
    rows: Int32Array,
  ): Float32Array[] {
    let from = 0;
    const queries = parts.map((length) => {
      const part = query.subarray(from, from += length);
      return { query: inSteps(part), from: from - length };
    });
    const { length: stride, size: count } = this;
    return dotProducts(queries, this.numbers, { stride, count }).map((products, n) => {
      // The norm of a row is 1, that of each part the same share of it.
      const factor = Math.sqrt(parts.length) / (Math.hypot(...queries[n].query) || 1);
      const cosines = new Float32Array(rows.length);
      rows.forEach((row, n) => {
        cosines[n] = Math.max(-1, Math.min(1, products[row] * this.scales[row] * factor));
      });
      return cosines;
    });
  }

  private passagesOf(document: number): number {
    let count = 0;
    for (let row = this.size - 1; row >= 0 && this.documents[row] === document; row--) count++;
    return count;
  }

  private reserve(more: number) {
    if (this.size + more <= this.documents.length) return;
    const rows = Math.max(64, this.size + more, this.documents.length * 2);
    const grown = <Column extends Int8Array | Float32Array | Int32Array | Uint16Array>(
      made: Column,
      old: Column,
    ): Column => {
      made.set(old);
      return made;
    };
    this.numbers = grown(new Int8Array(rows * this.length), this.numbers);
    this.scales = grown(new Float32Array(rows), this.scales);
    this.documents = grown(new Int32Array(rows), this.documents);
    this.places = grown(new Uint16Array(rows), this.places);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The numbers of a vector as multiples of 1/127 of the largest one. */
function inSteps(vector: Float32Array): Int8Array<ArrayBuffer> {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return Int8Array.from(vector, (value) => Math.round(value / (largest || 1) * maxSteps));
}

/**
 * Vectors of one length as bytes: the length (uint32), then for each the scale (float32) that makes its norm 1, and its
 * numbers (int8).
 */
export function packVectors(vectors: Float32Array[]): Uint8Array {
  const length = vectors[0]?.length ?? 0;
  const packed = new Uint8Array(4 + vectors.length * (length + 4));
  const view = new DataView(packed.buffer);
  view.setUint32(0, length);
  vectors.forEach((vector, n) => {
    const at = 4 + n * (length + 4);
    const steps = inSteps(vector);
    view.setFloat32(at, 1 / (Math.hypot(...steps) || 1));
    packed.set(new Uint8Array(steps.buffer), at + 4);
  });
  return packed;
}
