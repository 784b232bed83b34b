/**
 * Where the runs of a text are hashed while they are read, the hash begins here and takes in one unit after another.
 * Another number in each process: nobody can write a mail of words that all stand in one place of the table.
 */
export const [runHashStart] = crypto.getRandomValues(new Int32Array(1));
export function runHashNext(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** A longer run hardly comes again, and 12,000 of 250,000 letters each would fill the memory. */
const maxRunLength = 200;

/**
 * What each run of letters and digits says, found by its place in a text without taking it out: most words of a text
 * have been met before, and a string made for each to look it up is half of the work of reading a text.
 *
 * An open-addressing table, its columns apart: a run that is another is passed over by its hash alone. Full, it is
 * emptied and begins anew.
 */
export class TokenCache<Meaning> {
  private readonly hashes: Int32Array;
  private readonly runs: string[];
  private readonly meanings: (Meaning | undefined)[];
  private readonly mask: number;
  private size = 0;

  /** @param capacity runs at most; twice as many places are kept. */
  constructor(readonly capacity: number) {
    const places = 2 ** Math.ceil(Math.log2(capacity * 2));
    this.hashes = new Int32Array(places);
    this.runs = new Array(places).fill("");
    this.meanings = new Array(places).fill(undefined);
    this.mask = places - 1;
  }

  /** What `text` from `start` to before `end` says; `hash` is of these units. */
  find(text: string, start: number, end: number, hash: number): Meaning | undefined {
    for (let at = hash & this.mask;; at = (at + 1) & this.mask) {
      if (this.hashes[at] === hash) {
        const run = this.runs[at];
        if (run.length === end - start && text.startsWith(run, start)) return this.meanings[at];
      }
      if (this.meanings[at] === undefined) return undefined;
    }
  }

  /** Remembers a run that `find` did not know, where it is no longer than words are. */
  add(run: string, hash: number, meaning: Meaning) {
    if (run.length > maxRunLength) return;
    if (this.size >= this.capacity) this.clear();
    let at = hash & this.mask;
    while (this.meanings[at] !== undefined) at = (at + 1) & this.mask;
    this.hashes[at] = hash;
    this.runs[at] = ownCopy(run);
    this.meanings[at] = meaning;
    this.size++;
  }

  private clear() {
    this.hashes.fill(0);
    this.runs.fill("");
    this.meanings.fill(undefined);
    this.size = 0;
  }
}

/** A string cut from a text keeps the whole text in memory; one put together anew does not. */
export function ownCopy(raw: string): string {
  return raw.split("").join("");
}
