/** How long work counts against its owner: half of it is forgotten after so many milliseconds. */
const halfLifeMs = 10_000;

interface Turn {
  owner: string;
  begin(slot: number): void;
}

/**
 * Hands out a few slots to owners, one slot to an owner at a time. Of those that wait, the owner that has had
 * the least work done lately is next; so with two slots nobody waits for more than one piece of another's work,
 * however much of it there is.
 */
export class FairTurns {
  private readonly free: number[];
  private readonly waiting: Turn[] = [];
  private readonly atWork = new Set<string>();
  private readonly worked = new Map<string, { ms: number; at: number }>();

  constructor(slots: number, private readonly now: () => number = () => performance.now()) {
    this.free = Array.from({ length: slots }, (_, slot) => slot);
  }

  /** Runs `work` in a slot of its own once it is its owner's turn. */
  async run<Value>(owner: string, work: (slot: number) => Promise<Value>): Promise<Value> {
    const slot = await new Promise<number>((begin) => {
      this.waiting.push({ owner, begin });
      this.next();
    });
    const begun = this.now();
    try {
      return await work(slot);
    } finally {
      this.count(owner, this.now() - begun);
      this.atWork.delete(owner);
      this.free.push(slot);
      this.next();
    }
  }

  private next(): void {
    while (this.free.length > 0) {
      let first: Turn | null = null;
      for (const turn of this.waiting) {
        if (this.atWork.has(turn.owner)) continue;
        if (first === null || this.workOf(turn.owner) < this.workOf(first.owner)) first = turn;
      }
      if (first === null) return;
      this.waiting.splice(this.waiting.indexOf(first), 1);
      this.atWork.add(first.owner);
      first.begin(this.free.shift()!);
    }
  }

  /** Milliseconds of work done for the owner lately. */
  private workOf(owner: string): number {
    const worked = this.worked.get(owner);
    return worked ? worked.ms * 2 ** (-(this.now() - worked.at) / halfLifeMs) : 0;
  }

  private count(owner: string, ms: number): void {
    this.worked.set(owner, { ms: this.workOf(owner) + ms, at: this.now() });
    // What is forgotten as good as wholly need not be kept.
    for (const other of this.worked.keys()) {
      if (this.workOf(other) < 1) this.worked.delete(other);
    }
  }
}
