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
    const rows: number[] = [];
    for (let row = 0; row < this.size; row++) {
      const document = this.documents[row];
      if (document >= 0 && allowed[document]) rows.push(row);
    }
    let from = 0;
    const cosines = joinedCosines(parts.map((length) => {
      const part = query.subarray(from, from += length);
      return this.cosines(part, from - length, rows, Math.sqrt(parts.length));
    }));
    const best = new Map<number, Nearest>();
    rows.forEach((row, n) => {
      const document = this.documents[row];
      const cosine = cosines[n];
      const found = best.get(document);
      if (!found || cosine > found.cosine) {
        best.set(document, { document, place: this.places[row], cosine });
      }
    });
    return [...best.values()].sort((a, b) => b.cosine - a.cosine || b.document - a.document)
      .slice(0, count);
  }

  /** The cosines of one part of the query with these rows, whose norm there is 1 / `rowNorm`. */
  private cosines(part: Float32Array, from: number, rows: number[], rowNorm: number): Float32Array {
    const largest = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    const steps = Int8Array.from(part, (value) => Math.round(value / largest * maxSteps));
    const { length: stride, size: count } = this;
    const products = dotProducts(steps, this.numbers, { from, stride, count });
    const factor = rowNorm / (Math.hypot(...steps) || 1);
    return Float32Array.from(
      rows,
      (row) => Math.max(-1, Math.min(1, products[row] * this.scales[row] * factor)),
    );
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
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    let squares = 0;
    for (let k = 0; k < length; k++) {
      const steps = Math.round(vector[k] / largest * maxSteps);
      view.setInt8(at + 4 + k, steps);
      squares += steps * steps;
    }
    view.setFloat32(at, 1 / (Math.sqrt(squares) || 1));
  });
  return packed;
}
