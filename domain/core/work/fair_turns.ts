import type { Clock } from "../clock.ts";

/** After this time, half of an owner's past work no longer counts. */
const halfLifeMs = 10_000;

interface Turn {
  owner: string;
  begin(slot: number): void;
}

/**
 * Gives a few slots to owners, at most one slot to an owner at a time. The next slot goes to the waiting owner with the
 * least recent work. So with two slots an owner waits for at most one piece of work of an owner who had more work done
 * recently.
 */
export class FairTurns {
  private readonly free: number[];
  private readonly waiting: Turn[] = [];
  private readonly atWork = new Set<string>();
  private readonly worked = new Map<string, { ms: number; at: number }>();

  constructor(slots: number, private readonly clock: Pick<Clock, "elapsed">) {
    this.free = Array.from({ length: slots }, (_, slot) => slot);
  }

  /** Runs `work` when it is its owner's turn. Resolves or rejects as `work` does. */
  async run<Value>(owner: string, work: (slot: number) => Promise<Value>): Promise<Value> {
    const slot = await new Promise<number>((begin) => {
      this.waiting.push({ owner, begin });
      this.next();
    });
    const begun = this.clock.elapsed();
    try {
      return await work(slot);
    } finally {
      this.count(owner, this.clock.elapsed() - begun);
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

  /** The owner's recent work in ms; older work counts less. */
  private workOf(owner: string): number {
    const worked = this.worked.get(owner);
    return worked ? worked.ms * 2 ** (-(this.clock.elapsed() - worked.at) / halfLifeMs) : 0;
  }

  private count(owner: string, ms: number): void {
    this.worked.set(owner, { ms: this.workOf(owner) + ms, at: this.clock.elapsed() });
    // Less than 1 ms makes no difference.
    for (const other of this.worked.keys()) {
      if (this.workOf(other) < 1) this.worked.delete(other);
    }
  }
}
