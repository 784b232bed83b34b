/** A run is hashed while it is read: the hash starts here and takes in one UTF-16 unit after another. */
export const runHashStart = 0x811c9dc5 | 0;
export function runHashNext(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Longer runs hardly repeat, and 12,000 of them with 250,000 letters each would fill the memory. */
const maxRunLength = 200;

/**
 * A run is at most this many places behind the one that its hash names. In a half-full table about one run in 500 would
 * be further away. Mail whose words all share a hash costs 32 comparisons a word.
 */
const maxProbes = 32;

/**
 * Values of runs of letters and digits, found without cutting the run out of its text: a new string for each run would
 * be half of the work of reading a text, and most words of a text are known.
 *
 * An open-addressing table, one array a column. It forgets runs: all when it is full, and another one if all places of
 * a new run are taken.
 */
export class TokenCache<Value> {
  private readonly hashes: Int32Array;
  private readonly runs: string[];
  private readonly values: (Value | undefined)[];
  private readonly mask: number;
  private size = 0;

  /** @param capacity runs at most; the table has at least twice as many places. */
  constructor(readonly capacity: number) {
    const places = 2 ** Math.ceil(Math.log2(capacity * 2));
    this.hashes = new Int32Array(places);
    this.runs = new Array(places).fill("");
    this.values = new Array(places).fill(undefined);
    this.mask = places - 1;
  }

  /** The value of the run that is `text` from `start` to before `end`; `hash` is of these units. */
  find(text: string, start: number, end: number, hash: number): Value | undefined {
    for (let probe = 0; probe < maxProbes; probe++) {
      const at = (hash + probe) & this.mask;
      if (this.hashes[at] === hash) {
        const run = this.runs[at];
        if (run.length === end - start && text.startsWith(run, start)) return this.values[at];
      }
      if (this.values[at] === undefined) return undefined;
    }
    return undefined;
  }

  /** Adds a run that `find` did not know, unless it is longer than words are. */
  add(run: string, hash: number, value: Value) {
    if (run.length > maxRunLength) return;
    if (this.size >= this.capacity) this.clear();
    let probe = 0;
    while (probe < maxProbes && this.values[(hash + probe) & this.mask] !== undefined) probe++;
    if (probe < maxProbes) this.size++;
    const at = (hash + probe % maxProbes) & this.mask;
    this.hashes[at] = hash;
    this.runs[at] = ownCopy(run);
    this.values[at] = value;
  }

  private clear() {
    this.hashes.fill(0);
    this.runs.fill("");
    this.values.fill(undefined);
    this.size = 0;
  }
}

/** A string cut from a text keeps the whole text in memory; this copy does not. */
export function ownCopy(raw: string): string {
  return raw.split("").join("");
}
