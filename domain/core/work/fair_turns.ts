import type { Clock } from "../clock.ts";
import { RecentWork } from "./recent_work.ts";

/** Slots that cost something at first, such as a thread that must be started. */
export interface ColdSlots {
  isCold(slot: number): boolean;
  /** How long a turn waits for another slot before it gets a cold one. */
  waitMs: number;
  clock: Pick<Clock, "after">;
}

/**
 * Whose turn it is. A list names groups, the widest first: an account and a domain, or a network and an address. The
 * widest groups take turns, and within each the narrower ones.
 */
export type Owner = string | readonly string[];

export interface FairTurnsOptions {
  cold?: ColdSlots;
  /** Slots of one owner (of its widest group) at a time. */
  slotsOfOwner?: number;
  /** How many turns may wait, of one owner and in all. Beyond that the newest of the group with the most is refused. */
  room?: { ofOwner: number; all: number; refusal(): Error };
  /**
   * If all slots are taken, a turn that has had one for `afterMs` is asked to end for one of an owner with less work: its
   * signal is aborted.
   */
  givesWay?: { afterMs: number; clock: Pick<Clock, "after"> };
}

interface Turn {
  /** Each group of the owner, the widest first. */
  groups: string[];
  begin(slot: number): void;
  refuse(error: unknown): void;
  /** It has waited long enough: a cold slot may be used. */
  mayBeCold: boolean;
  begunAt: number;
  end: AbortController;
}

/**
 * Gives a few slots to owners. The next slot goes to the waiting owner with the least recent work, what is at work
 * included; so with two slots and one of an owner at a time, an owner waits for at most one piece of work of an owner who
 * had more work done recently. A slot that was used lately is used again first. With `cold`, a cold slot is used only if
 * no other is at work, or if one was for `waitMs` while a turn waited.
 */
export class FairTurns {
  private readonly free: number[];
  private readonly waiting: Turn[] = [];
  private readonly atWork = new Set<Turn>();
  private readonly work: RecentWork;
  private readonly cold: ColdSlots | null;
  private readonly slotsOfOwner: number;
  private cancelLook: (() => void) | null = null;

  constructor(
    slots: number,
    private readonly clock: Pick<Clock, "elapsed">,
    private readonly options: FairTurnsOptions = {},
  ) {
    this.free = Array.from({ length: slots }, (_, slot) => slot);
    this.work = new RecentWork(clock);
    this.cold = options.cold ?? null;
    this.slotsOfOwner = options.slotsOfOwner ?? 1;
  }

  /**
   * Runs `work` when it is its owner's turn. Resolves or rejects as `work` does. If `given` is aborted while it waits, it
   * rejects with the reason. The signal of `work` is aborted if `given` is, or if the turn must give way.
   */
  async run<Value>(
    owner: Owner,
    work: (slot: number, signal: AbortSignal) => Promise<Value>,
    given?: AbortSignal,
  ): Promise<Value> {
    const { turn, slot } = await this.turnOf(owner, given);
    const onEnd = () => turn.end.abort(given?.reason);
    if (given?.aborted) onEnd();
    given?.addEventListener("abort", onEnd);
    try {
      return await work(slot, turn.end.signal);
    } finally {
      given?.removeEventListener("abort", onEnd);
      for (const group of turn.groups) this.work.end(group, turn.begunAt);
      this.atWork.delete(turn);
      this.free.push(slot);
      this.next();
    }
  }

  private async turnOf(owner: Owner, given?: AbortSignal): Promise<{ turn: Turn; slot: number }> {
    given?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const turn: Turn = {
      groups: groupsOf(owner),
      begin: resolve,
      refuse: reject,
      mayBeCold: this.cold === null,
      begunAt: 0,
      end: new AbortController(),
    };
    this.waiting.push(turn);
    this.next();
    if (!this.waiting.includes(turn)) return { turn, slot: await promise };
    this.makeRoom(turn);
    const onAbort = () => this.leave(turn, given?.reason);
    given?.addEventListener("abort", onAbort);
    const cancelCold = this.cold?.clock.after(this.cold.waitMs, () => {
      turn.mayBeCold = true;
      this.next();
    });
    const slot = await promise.finally(() => {
      cancelCold?.();
      given?.removeEventListener("abort", onAbort);
    });
    return { turn, slot };
  }

  private leave(turn: Turn, error: unknown): void {
    const place = this.waiting.indexOf(turn);
    if (place < 0) return;
    this.waiting.splice(place, 1);
    turn.refuse(error);
  }

  /** Refuses a turn if too many wait: `newest`, if its owner has too many; else the newest of the largest groups. */
  private makeRoom(newest: Turn): void {
    const { room } = this.options;
    if (!room) return;
    const own = newest.groups.at(-1)!;
    if (this.waiting.filter(({ groups }) => groups.at(-1) === own).length > room.ofOwner) {
      return this.leave(newest, room.refusal());
    }
    if (this.waiting.length <= room.all) return;
    let largest = this.waiting;
    for (let level = 0; largest.some(({ groups }) => groups.length > level); level++) {
      const byGroup = Map.groupBy(largest, ({ groups }) => groups[level] ?? groups.at(-1)!);
      largest = byGroup.values().reduce((most, each) => each.length >= most.length ? each : most);
    }
    this.leave(largest.at(-1)!, room.refusal());
  }

  private next(): void {
    while (this.free.length > 0 && this.waiting.length > 0) {
      const first = this.firstWaiting();
      if (first === null) return;
      const slot = this.take(this.atWork.size === 0 || this.mayBeCold());
      if (slot === undefined) return;
      this.waiting.splice(this.waiting.indexOf(first), 1);
      this.atWork.add(first);
      first.begunAt = this.clock.elapsed();
      for (const group of first.groups) this.work.begin(group, first.begunAt);
      first.begin(slot);
    }
    this.makeWay();
  }

  /** The turn of the owner with the least work; null if each waiting owner has its slots. */
  private firstWaiting(): Turn | null {
    let first: Turn | null = null;
    for (const turn of this.waiting) {
      if (this.mayBegin(turn) && (first === null || this.compare(turn, first) < 0)) first = turn;
    }
    return first;
  }

  private mayBegin({ groups: [owner] }: Turn): boolean {
    return this.work.running(owner) < this.slotsOfOwner;
  }

  private mayBeCold(): boolean {
    return this.waiting.some((turn) => turn.mayBeCold && this.mayBegin(turn));
  }

  /** Below 0 if the owner of `a` has less work, in the first group in which they differ. */
  private compare(a: Turn, b: Turn): number {
    const level = a.groups.findIndex((group, n) => group !== b.groups[n]);
    if (level < 0) return 0;
    return this.work.of(a.groups[level]) - this.work.of(b.groups[level] ?? b.groups.at(-1)!);
  }

  /** A slot that is free, the last used first; undefined if all are cold and none of them may be used. */
  private take(mayBeCold: boolean): number | undefined {
    const warm = this.free.findLastIndex((slot) => !this.cold?.isCold(slot));
    if (warm >= 0) return this.free.splice(warm, 1)[0];
    return mayBeCold ? this.free.pop() : undefined;
  }

  /** Tells turns that have had their slot for long to end, one for each waiting turn of an owner with less work. */
  private makeWay(): void {
    const { givesWay } = this.options;
    if (!givesWay || this.waiting.length === 0 || this.cancelLook) return;
    const now = this.clock.elapsed();
    const isLeaving = (turn: Turn) => turn.end.signal.aborted;
    const long = [...this.atWork].filter((turn) =>
      !isLeaving(turn) && now - turn.begunAt >= givesWay.afterMs
    ).sort((a, b) => this.compare(b, a));
    const first = [...this.waiting].sort((a, b) => this.compare(a, b));
    const leaving = [...this.atWork].filter(isLeaving).length;
    for (const turn of first.slice(leaving)) {
      const most = long.shift();
      if (!most || this.compare(turn, most) >= 0) break;
      most.end.abort();
    }
    // Again when another turn has had its slot for long.
    this.cancelLook = givesWay.clock.after(givesWay.afterMs / looks, () => {
      this.cancelLook = null;
      this.next();
    });
  }
}

/** How often in `afterMs` it is looked who must give way. */
const looks = 10;

function groupsOf(owner: Owner): string[] {
  if (typeof owner === "string") return [owner];
  return owner.map((_, n) => owner.slice(0, n + 1).join("\n"));
}
