import type { JobKind } from "../domain/core/job_kinds.ts";
import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { TookTooLong, within } from "../domain/core/work/within.ts";
import {
  isFromAhead,
  type Job,
  type JobRunner,
  leaseMs,
  leftBehind,
} from "../domain/store/jobs.ts";
import { countJobs, type JobCounts } from "../domain/store/job_counts.ts";
import * as keys from "../domain/store/keys.ts";
import { endFailedRun } from "./failed_run.ts";
import { inSlices } from "./in_slices.ts";
import { releaseLeases } from "./release_leases.ts";
import { setRight } from "./set_right.ts";
import { mustBeAlone, Suspects } from "./suspects.ts";
import { OldestFirst } from "./oldest_first.ts";
import { TakenOver } from "./taken_over.ts";
import type { WaitingQueue, Worker, Workers } from "./worker.ts";

/**
 * How many sleeping jobs are in memory, plus as many that run within `soonMs`. The others sleep in the database (many
 * after a long outage). A sweep finds them before their time, on a shared store when their lease has ended.
 */
const maxSleeping = 10_000;
const soonMs = 10_000;
/** Reading one page of rows takes less time. */
const readMs = 1_000;
/** How often the database is searched for jobs that other processes left. */
const sweepMs = 5_000;
/** How often it is searched for jobs that a clock ahead has written; at once if the clock was set back by more. */
const setRightMs = 3_600_000;
/** How long before its end a lease is renewed. */
export const renewAheadMs = 15_000;
/** After a time without the database, each living instance has swept once, and so renewed its leases. */
const renewFirstMs = 2 * sweepMs;
/** Jobs of other processes that one sweep looks at on a shared store. */
const maxLookedAt = 10_000;
/** Jobs that are taken or lost together: fewer races to lose, fewer requests after a lost one. */
const takenTogether = 8;
/**
 * Runs the jobs of this process: at once after their commit, or at their time. It also runs the jobs that another
 * process left, when their lease has ended; at the start on an exclusive store it takes all of them. `stop` lets jobs
 * at work end.
 */
export class Dispatcher implements JobRunner {
  private readonly workers: Map<JobKind, Worker>;
  /** Every job of this process that is not done: waiting, sleeping or at work. */
  private readonly mine = new Map<string, Job>();
  private readonly queues = new Map<JobKind, WaitingQueue>();
  private readonly busy = new Map<JobKind, number>();
  /** For each kind, the next run that must be alone; it waits until no other job of the kind is at work. */
  private readonly held = new Map<JobKind, Job[]>();
  private readonly alone = new Set<JobKind>();
  private readonly suspects = new Suspects();
  /** Of the jobs of this process, those that it took from another on a shared store. */
  private readonly takenOver: TakenOver;
  /** The sleeping jobs, each with what cancels its wake-up. */
  private readonly sleeping = new Map<string, () => void>();
  /** The runs, each with its jobs. */
  private readonly running = new Map<Promise<void>, Job[]>();
  private cancelSweep: (() => void) | null = null;
  private sweeping: Promise<void> | null = null;
  private stopped = false;
  private setRightAt = -Infinity;
  /** Some jobs found no room in memory. The next sweep reads them. */
  private overflowed = false;
  /** Some jobs sleep in the database. From then on sweeps also read the rows of the next seconds. */
  private sleepsElsewhere = false;
  /** How many jobs of each kind found no room in memory at the last sweep and since. */
  private readonly left = new Map<JobKind, number>();

  constructor(private readonly service: Service, workers: Partial<Workers>) {
    this.workers = new Map(Object.entries(workers) as [JobKind, Worker][]);
    this.takenOver = new TakenOver(this.workers);
    for (const [kind, { queue }] of this.workers) {
      this.queues.set(kind, queue?.() ?? new OldestFirst());
    }
    service.jobs.listen(this);
  }

  /** Takes over the jobs of a former process and begins to sweep. */
  async start(): Promise<void> {
    await this.sweep(this.service.database.exclusive);
    this.armSweep();
  }

  /**
   * Begins no new job. Resolves when those at work have ended, at the latest after `graceMs`: a job that is still at
   * work then (its receiver does not answer, for example) runs again at the next start.
   */
  async stop(graceMs = Infinity): Promise<void> {
    const { jobs, database, clock } = this.service;
    this.stopped = true;
    jobs.listen(null);
    this.cancelSweep?.();
    for (const cancel of this.sleeping.values()) cancel();
    this.sleeping.clear();
    const ended = Promise.resolve(this.sweeping).then(() => this.settled());
    if (graceMs === Infinity) return await ended;
    await within(clock, ended, graceMs).catch((error) => {
      if (!(error instanceof TookTooLong)) throw error;
    });
    // A stop does not count as a death.
    await jobs.markAtWork(database, this.suspects.atWork, false).catch(() => {});
    if (database.exclusive) return;
    const atWork = [...this.running.values()].flat();
    await releaseLeases(this.service, [...this.mine.values()], atWork);
  }

  /** Resolves when no job is due or at work. For tests, and for commands that end. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running.keys());
  }

  /** How many jobs this process has. */
  get depth(): { waiting: number; sleeping: number; running: number } {
    let waiting = 0;
    for (const queue of this.queues.values()) waiting += queue.size;
    return { waiting, sleeping: this.sleeping.size, running: this.running.size };
  }

  counts(): JobCounts {
    return countJobs(
      this.workers.keys(),
      this.mine.values(),
      this.running.values(),
      this.left,
      this.service.clock.now(),
    );
  }

  /** Takes due jobs whose lease has ended. With `all`, every job, whatever its lease. */
  async sweep(all = false): Promise<void> {
    const { database, clock, ids, jobs } = this.service;
    const now = clock.now();
    await this.renew(now);
    // Leases ended while the database was away: their instances renew them first.
    if (!database.hasAnsweredFor(renewFirstMs)) return;
    if (all || now < this.setRightAt || now - this.setRightAt >= setRightMs) {
      const isDone = await setRight(this.service, (job) => this.stateOf(job.jobId) === "running");
      if (isDone) this.setRightAt = now;
    }
    const left = await this.readLeft(now, all);
    await inSlices(this.takenOver.choose(left, ids), takenTogether, async (some) => {
      if (this.stopped) return;
      for (const job of await jobs.takeOver(database, some)) {
        this.takenOver.add(job);
        this.accept(job);
        if (!this.mine.has(job.jobId)) this.takenOver.remove(job);
      }
    });
  }

  /** Reads the due rows. Accepts their jobs on an exclusive store; on a shared one returns those that may be taken over. */
  private async readLeft(now: number, all: boolean): Promise<Job[]> {
    const { database, clock } = this.service;
    // The time in the key of a job is that of its run and a lease.
    const { overflowed } = this;
    const looksAhead = database.exclusive && (overflowed || this.sleepsElsewhere);
    const aheadMs = looksAhead ? leaseMs + soonMs : 0;
    const selector = keys.range(keys.jobsDue(), all ? {} : { end: now + aheadMs });
    this.overflowed = false;
    this.left.clear();
    const left: Job[] = [];
    try {
      for await (const entry of database.list<Job>(selector, { batchSize: 500 })) {
        if (this.stopped) return [];
        const job = entry.value;
        // A damaged row has no kind.
        if (!this.workers.has(job?.kind) || this.mine.has(job.jobId)) continue;
        // The row may have been read before its job ended.
        if (!all && !overflowed && job.runAt <= clock.now() + readMs && now < job.dueAt) continue;
        if (database.exclusive) this.accept(all ? leftBehind(job, now) : job);
        else if (left.push(job) === maxLookedAt) break;
      }
    } catch (error) {
      // The next sweep looks for what this one did not reach.
      this.overflowed ||= overflowed;
      throw error;
    }
    return left;
  }

  accept(job: Job): void {
    if (this.stopped || !this.workers.has(job.kind)) return;
    if (this.queues.get(job.kind)!.isFull && !this.mine.has(job.jobId)) return this.leave(job);
    this.sleeping.get(job.jobId)?.();
    this.sleeping.delete(job.jobId);
    const restMs = job.runAt - this.service.clock.now();
    if (restMs > 0 && this.sleeping.size >= (restMs > soonMs ? 1 : 2) * maxSleeping) {
      this.mine.delete(job.jobId);
      return this.leave(job);
    }
    this.mine.set(job.jobId, job);
    if (restMs > 0) {
      this.sleeping.set(
        job.jobId,
        this.service.clock.wakeAt(job.runAt, () => {
          this.sleeping.delete(job.jobId);
          this.enqueue(job);
        }),
      );
    } else this.enqueue(job);
  }

  wake(kind: JobKind): void {
    for (const [jobId, cancel] of [...this.sleeping]) {
      const job = this.mine.get(jobId);
      if (job?.kind !== kind) continue;
      cancel();
      this.sleeping.delete(jobId);
      this.enqueue(job);
    }
  }

  stateOf(jobId: string): "waiting" | "running" | null {
    const isAtWork = this.running.values().some((jobs) => jobs.some((job) => job.jobId === jobId));
    if (isAtWork) return "running";
    return this.mine.has(jobId) ? "waiting" : null;
  }

  /** On a shared store: renews the leases of the jobs of this process. */
  private async renew(now: number): Promise<void> {
    if (this.service.database.exclusive) return;
    // Another instance may have taken one that a clock ahead has written.
    const ending = [...this.mine.values()].filter((job) =>
      job.dueAt - now <= renewAheadMs || isFromAhead(job, now)
    );
    await inSlices(ending, 1, async ([job]) => {
      // It is done, or another instance has it: it must not run here as well.
      const isLost = !await this.service.jobs.renew(this.service.database, job);
      if (isLost && this.mine.get(job.jobId) === job) {
        this.mine.delete(job.jobId);
        this.takenOver.remove(job);
      }
    });
  }

  private armSweep(): void {
    if (this.stopped) return;
    this.cancelSweep = this.service.clock.wakeIn(
      sweepMs,
      () => void this.sweepNow().finally(() => this.armSweep()),
    );
  }

  /** Sweeps; again as long as there is room for jobs that a sweep left. */
  private async sweepNow(): Promise<void> {
    if (this.stopped) return;
    this.sweeping ??= (async () => {
      try {
        do await this.sweep(); while (this.takenOver.mayTakeMore && !this.stopped);
      } catch (error) {
        this.service.log.warn("jobs.sweep_failed", { error: describeError(error) });
      } finally {
        this.sweeping = null;
      }
    })();
    await this.sweeping;
  }

  private enqueue(job: Job): void {
    if (this.queues.get(job.kind)!.push(job)) return this.begin(job.kind);
    this.mine.delete(job.jobId);
    this.leave(job);
  }

  private begin(kind: JobKind): void {
    const worker = this.workers.get(kind)!;
    const { clock } = this.service;
    while (!this.stopped && (this.busy.get(kind) ?? 0) < worker.concurrency) {
      if (this.alone.has(kind)) return;
      const jobs = this.held.get(kind) ?? this.take(kind, worker);
      if (jobs.length === 0) return;
      if (mustBeAlone(worker, jobs[0])) {
        this.held.set(kind, jobs);
        if ((this.busy.get(kind) ?? 0) > 0) return;
        this.held.delete(kind);
        this.alone.add(kind);
      }
      this.busy.set(kind, (this.busy.get(kind) ?? 0) + 1);
      const begunAt = clock.elapsed();
      const run: Promise<void> = this.run(worker, jobs).finally(() => {
        this.running.delete(run);
        this.busy.set(kind, this.busy.get(kind)! - 1);
        this.alone.delete(kind);
        for (const job of jobs) {
          this.queues.get(kind)!.done(job, clock.elapsed() - begunAt);
          this.takenOver.remove(job);
        }
        this.service.idleMemory.note(jobs.length);
        if (this.takenOver.mayTakeMore) void this.sweepNow();
        this.begin(kind);
      });
      this.running.set(run, jobs);
    }
  }

  /** Leaves a job in the database until a sweep finds room for it. */
  private leave({ kind, runAt }: Job): void {
    if (runAt > this.service.clock.now()) this.sleepsElsewhere = true;
    else this.overflowed = true;
    this.left.set(kind, (this.left.get(kind) ?? 0) + 1);
  }

  /** The next jobs of a kind for one run, the oldest first; none if none may begin. */
  private take(kind: JobKind, worker: Worker): Job[] {
    const queue = this.queues.get(kind)!;
    const jobs: Job[] = [];
    while (jobs.length < (worker.batch ?? 1)) {
      const job = queue.take();
      if (!job) break;
      if (mustBeAlone(worker, job)) {
        if (jobs.length === 0) return [job];
        this.held.set(kind, [job]);
        break;
      }
      jobs.push(job);
    }
    return jobs;
  }

  private async run(worker: Worker, taken: Job[]): Promise<void> {
    const jobs = taken.filter((job) => this.mine.get(job.jobId) === job);
    if (jobs.length === 0) return;
    const before = new Map(jobs.map((job) => [job.jobId, job]));
    // If its run put the job off, it has a new row by now, and another object in `mine`.
    const isSame = ({ jobId }: Job) => this.mine.get(jobId) === before.get(jobId);
    try {
      await this.suspects.run(this.service, worker, jobs);
    } catch (error) {
      const end = (job: Job) => endFailedRun(this.service, worker, job, error, () => !this.stopped);
      await Promise.all(jobs.filter(isSame).map(end));
    }
    for (const job of jobs) if (isSame(job)) this.mine.delete(job.jobId);
  }
}
