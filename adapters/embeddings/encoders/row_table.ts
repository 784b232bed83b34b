import { join } from "node:path";

/** Rows kept in memory: 2 MB. The most frequent pieces are half of a text. */
const keptRows = 1_024;

/**
 * A table of the vectors of pieces that stays on disk: `rows.u4` has half a byte for each number of a row, the low half
 * first; a number is `levels[half] * factor[id]`.
 */
export class RowTable {
  readonly width: number;
  private readonly file: Deno.FsFile;
  private readonly levels: Float32Array;
  private readonly factors: Float32Array;
  private readonly packed: Uint8Array;
  private made = new Float32Array(0);
  private readonly kept = new Map<number, Float32Array>();

  /** @param folder holds `rows.json`, `rows.factor.f32` and `rows.u4`. */
  constructor(folder: string) {
    const { dimensions, levels } = JSON.parse(Deno.readTextFileSync(join(folder, "rows.json")));
    this.width = dimensions;
    this.levels = Float32Array.from(levels);
    this.packed = new Uint8Array(dimensions / 2);
    const factors = Deno.readFileSync(join(folder, "rows.factor.f32"));
    this.factors = new Float32Array(factors.buffer);
    this.file = Deno.openSync(join(folder, "rows.u4"));
  }

  /**
   * The rows of some ids, one after another, until the next call: a buffer of 256 KB for each text would be 60 MB of
   * garbage before it is collected.
   */
  rows(ids: readonly number[]): Float32Array {
    const length = ids.length * this.width;
    if (this.made.length < length) this.made = new Float32Array(length);
    ids.forEach((id, n) => this.made.set(this.row(id), n * this.width));
    return this.made.subarray(0, length);
  }

  private row(id: number): Float32Array {
    let row = this.kept.get(id);
    if (row) return row;
    row = this.read(id);
    if (this.kept.size >= keptRows) this.kept.delete(this.kept.keys().next().value!);
    this.kept.set(id, row);
    return row;
  }

  private read(id: number): Float32Array {
    const { packed, levels, file } = this;
    file.seekSync(id * packed.length, Deno.SeekMode.Start);
    for (let n = 0; n < packed.length;) {
      const read = file.readSync(packed.subarray(n));
      if (read === null) throw new Error(`rows.u4 has no row ${id}`);
      n += read;
    }
    const factor = this.factors[id];
    const row = new Float32Array(this.width);
    for (let n = 0; n < packed.length; n++) {
      row[2 * n] = levels[packed[n] & 15] * factor;
      row[2 * n + 1] = levels[packed[n] >> 4] * factor;
    }
    return row;
  }
}
