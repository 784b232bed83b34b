import type { Clock } from "../clock.ts";

/** After this time, half of an owner's past work no longer counts. */
const halfLifeMs = 10_000;
/** Each piece counts this much at least: a flood of short ones counts too. */
const leastMs = 1;
/** Owners are looked through once there are so many more: less work than `leastMs` makes no difference. */
const leastOwners = 64;

interface Work {
  /** The work that had ended `at` this time. */
  ms: number;
  at: number;
  running: number;
  /** The sum of the times at which the running pieces began. */
  begun: number;
}

/** How much work was done for each owner, in ms, with what is at work. Older work counts less. */
export class RecentWork {
  private readonly works = new Map<string, Work>();
  private lookAgain = leastOwners;

  constructor(private readonly clock: Pick<Clock, "elapsed">) {}

  of(owner: string): number {
    const work = this.works.get(owner);
    if (!work) return 0;
    const now = this.clock.elapsed();
    return past(work, now) + work.running * (now + leastMs) - work.begun;
  }

  running(owner: string): number {
    return this.works.get(owner)?.running ?? 0;
  }

  begin(owner: string, begunAt: number): void {
    const work = this.works.get(owner) ?? { ms: 0, at: begunAt, running: 0, begun: 0 };
    work.running++;
    work.begun += begunAt;
    this.works.set(owner, work);
    if (this.works.size < this.lookAgain) return;
    for (const [other, { running }] of this.works) {
      if (running === 0 && this.of(other) < leastMs) this.works.delete(other);
    }
    this.lookAgain = Math.max(leastOwners, 2 * this.works.size);
  }

  /** A piece that began at `begunAt` has ended. */
  end(owner: string, begunAt: number): void {
    const work = this.works.get(owner)!;
    const now = this.clock.elapsed();
    work.ms = past(work, now) + now - begunAt + leastMs;
    work.at = now;
    work.running--;
    work.begun -= begunAt;
  }
}

function past({ ms, at }: Work, now: number): number {
  return ms * 2 ** (-(now - at) / halfLifeMs);
}
