/** One run of letters and digits as it stands in texts, and what it says. */
interface Run<Meaning> {
  raw: string;
  hash: number;
  meaning: Meaning;
}

/** Where the runs of a text are hashed while they are read, the hash begins here and takes in one unit after another. */
export const runHashStart = 0x811c9dc5;
export function runHashNext(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/**
 * What each run of letters and digits says, found by its place in a text without taking it out: most words of a text
 * have been met before, and a string made for each to look it up is a third of the work of reading a text.
 *
 * An open-addressing table; full, it is emptied and begins anew.
 */
export class Lexicon<Meaning> {
  readonly #slots: (Run<Meaning> | undefined)[];
  readonly #mask: number;
  #size = 0;

  /** @param capacity runs at most; twice as many places are kept. */
  constructor(readonly capacity: number) {
    const slots = 2 ** Math.ceil(Math.log2(capacity * 2));
    this.#slots = new Array(slots).fill(undefined);
    this.#mask = slots - 1;
  }

  /** What `text` from `start` to before `end` says; `hash` is of these units. */
  find(text: string, start: number, end: number, hash: number): Meaning | undefined {
    const length = end - start;
    for (let at = hash & this.#mask;; at = (at + 1) & this.#mask) {
      const run = this.#slots[at];
      if (run === undefined) return undefined;
      if (run.hash === hash && run.raw.length === length && text.startsWith(run.raw, start)) {
        return run.meaning;
      }
    }
  }

  /** Remembers a run that `find` did not know. */
  add(raw: string, hash: number, meaning: Meaning) {
    if (this.#size >= this.capacity) {
      this.#slots.fill(undefined);
      this.#size = 0;
    }
    let at = hash & this.#mask;
    while (this.#slots[at] !== undefined) at = (at + 1) & this.#mask;
    this.#slots[at] = { raw: ownCopy(raw), hash, meaning };
    this.#size++;
  }
}

/** A string cut from a text keeps the whole text in memory; one put together anew does not. */
function ownCopy(raw: string): string {
  return raw.split("").join("");
}
