import type { Clock } from "../clock.ts";

/** After this time, half of an owner's past work no longer counts. */
const halfLifeMs = 10_000;

interface Turn {
  owner: string;
  begin(slot: number): void;
  /** It has waited long enough: a cold slot may be used. */
  mayBeCold: boolean;
}

/** Slots that cost something at first, such as a thread that must be started. */
export interface ColdSlots {
  isCold(slot: number): boolean;
  /** How long a turn waits for another slot before it gets a cold one. */
  waitMs: number;
  clock: Pick<Clock, "after">;
}

/**
 * Gives a few slots to owners, at most one slot to an owner at a time. The next slot goes to the waiting owner with the
 * least recent work. So with two slots an owner waits for at most one piece of work of an owner who had more work done
 * recently. A slot that was used lately is used again first. With `cold`, a cold slot is used only if no other is at
 * work, or if one was for `waitMs` while a turn waited.
 */
export class FairTurns {
  private readonly free: number[];
  private readonly waiting: Turn[] = [];
  private readonly atWork = new Set<string>();
  private readonly worked = new Map<string, { ms: number; at: number }>();

  constructor(
    slots: number,
    private readonly clock: Pick<Clock, "elapsed">,
    private readonly cold: ColdSlots | null = null,
  ) {
    this.free = Array.from({ length: slots }, (_, slot) => slot);
  }

  /** Runs `work` when it is its owner's turn. Resolves or rejects as `work` does. */
  async run<Value>(owner: string, work: (slot: number) => Promise<Value>): Promise<Value> {
    const slot = await this.slotFor(owner);
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

  private async slotFor(owner: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const turn: Turn = { owner, begin: resolve, mayBeCold: this.cold === null };
    this.waiting.push(turn);
    this.next();
    if (!this.cold || !this.waiting.includes(turn)) return await promise;
    const cancel = this.cold.clock.after(this.cold.waitMs, () => {
      turn.mayBeCold = true;
      this.next();
    });
    return await promise.finally(cancel);
  }

  private next(): void {
    while (this.free.length > 0) {
      let first: Turn | null = null;
      let mayBeCold = this.atWork.size === 0;
      for (const turn of this.waiting) {
        if (this.atWork.has(turn.owner)) continue;
        mayBeCold ||= turn.mayBeCold;
        if (first === null || this.workOf(turn.owner) < this.workOf(first.owner)) first = turn;
      }
      if (first === null) return;
      const slot = this.take(mayBeCold);
      if (slot === undefined) return;
      this.waiting.splice(this.waiting.indexOf(first), 1);
      this.atWork.add(first.owner);
      first.begin(slot);
    }
  }

  /** A slot that is free, the last used first; undefined if all are cold and none of them may be used. */
  private take(mayBeCold: boolean): number | undefined {
    const warm = this.free.findLastIndex((slot) => !this.cold?.isCold(slot));
    if (warm >= 0) return this.free.splice(warm, 1)[0];
    return mayBeCold ? this.free.pop() : undefined;
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
