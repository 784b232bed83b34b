import type { Job } from "../domain/store/jobs.ts";
import type { WaitingQueue } from "./worker.ts";

/** How many jobs of a kind are in memory; the others wait in the database until these are done. */
const maxWaiting = 5_000;

/** Jobs in the order of their times. */
export class OldestFirst implements WaitingQueue {
  private readonly jobs: Job[] = [];

  get size(): number {
    return this.jobs.length;
  }

  get isFull(): boolean {
    return this.jobs.length >= maxWaiting;
  }

  push(job: Job): boolean {
    return this.jobs.push(job) > 0;
  }

  take(): Job | null {
    return this.jobs.shift() ?? null;
  }

  done(): void {}
}
