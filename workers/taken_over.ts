import type { Ids } from "../domain/core/ids.ts";
import type { JobKind } from "../domain/core/job_kinds.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./worker.ts";

/** Of a kind, an instance takes jobs for this many rounds of its worker, */
const rounds = 4;
/** but at least this many, because each sweep reads the rows of all that are left, */
const leastTaken = 64;
/** and at most this many: a few seconds of work. */
const mostTaken = 512;

interface OfKind {
  most: number;
  /** The ids of the jobs that were taken and have not ended. */
  held: Set<string>;
  /** The last sweep found more than there was room for. */
  isShort: boolean;
}

/**
 * The jobs of stopped instances that this one has taken on a shared store. Of each kind it holds as many as it can run
 * soon, and takes others when half of them have ended: the living instances share what a dead one left.
 */
export class TakenOver {
  private readonly kinds: Map<JobKind, OfKind>;

  constructor(workers: ReadonlyMap<JobKind, Worker>) {
    this.kinds = new Map(
      [...workers].map(([kind, { concurrency, batch = 1 }]) => {
        const most = Math.min(mostTaken, Math.max(leastTaken, concurrency * batch * rounds));
        return [kind, { most, held: new Set(), isShort: false }];
      }),
    );
  }

  /** Those of `found` that there is room for, in another order than other instances, which find the same jobs. */
  choose(found: readonly Job[], ids: Pick<Ids, "random">): Job[] {
    const order = new Map(found.map((job) => [job, ids.random()]));
    const room = new Map(
      this.kinds.entries().map(([kind, { most, held }]) => [kind, most - held.size]),
    );
    for (const each of this.kinds.values()) each.isShort = false;
    return found.toSorted((a, b) => order.get(a)! < order.get(b)! ? -1 : 1).filter(({ kind }) => {
      const left = room.get(kind)!;
      room.set(kind, left - 1);
      if (left <= 0) this.kinds.get(kind)!.isShort = true;
      return left > 0;
    });
  }

  add({ kind, jobId }: Job): void {
    this.kinds.get(kind)!.held.add(jobId);
  }

  remove({ kind, jobId }: Job): void {
    this.kinds.get(kind)!.held.delete(jobId);
  }

  /** Whether jobs were left for which there is room now. */
  get mayTakeMore(): boolean {
    return this.kinds.values().some(({ isShort, most, held }) => isShort && held.size <= most / 2);
  }
}
