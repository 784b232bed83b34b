import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { type Job, leftBehind } from "../domain/store/jobs.ts";
import * as keys from "../domain/store/keys.ts";

/** How one kind of job is run. */
export interface Worker {
  kind: string;
  /** Jobs of this kind at work at once (batches, where `batch` is above 1). */
  concurrency: number;
  /** Jobs given to one run; 1 where absent. */
  batch?: number;
  /** Jobs of one lane at work at once; a lane is what must not hold up others, such as a webhook's target. */
  lane?: { of(job: Job): string; concurrency: number };
  /** Who may begin, where that is more than first come, first served; one for each dispatcher. */
  queue?: () => WaitingQueue;
  /** Delays before the 2nd, 3rd, ... run after a failure; after the last the job is buried. Absent: never buried. */
  retryDelaysMs?: number[];
  /** Runs jobs and completes or puts off each in its own commit; what throws is tried again. */
  run(service: Service, jobs: Job[]): Promise<void>;
  failed?(service: Service, job: Job, error: unknown): void;
  /**
   * Ends a job that was at work at three deaths of a process, with its effect as far as it can be had without
   * running it. A kind without this runs again for ever.
   */
  setAside?(service: Service, job: Job): Promise<void>;
}

/** The due jobs of one kind that have not begun, and the rule which of them begins next. */
export interface WaitingQueue {
  readonly size: number;
  /** False: no room; the job stays in the database until a sweep finds it again. */
  push(job: Job): boolean;
  /** The next to begin; null where all must wait for one that is at work. */
  take(): Job | null;
  /** A job that `take` gave has ended, `elapsedMs` later. */
  done(job: Job, elapsedMs: number): void;
}

/** Jobs of one kind kept in memory; the rest wait in the database until these are done. */
const maxWaiting = 5_000;
/** How often the database is asked for what other processes left behind. */
const sweepMs = 5_000;
const renewAheadMs = 15_000;
/** A job at work at so many deaths of a process is run alone: it, and none beside it, is what is at work then. */
const aloneAfterDeaths = 2;
/** After so many it is not run again. */
const mostDeaths = 3;
/** For kinds without a schedule of their own: doubled from a second to a minute, for ever. */
const defaultRetryMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 60_000);

/**
 * Runs the jobs of this process: at once where they were just written, at their time where they are later,
 * and those that another process left behind once its lease has run out (at the start, on an exclusive store:
 * all of them). `stop` lets what is at work finish.
 */
export class Dispatcher {
  private readonly workers: Map<string, Worker>;
  /** Every job of this process that is not done: waiting, sleeping or at work. */
  private readonly mine = new Map<string, Job>();
  private readonly waiting = new Map<string, Job[]>();
  private readonly queues = new Map<string, WaitingQueue>();
  private readonly busy = new Map<string, number>();
  private readonly busyLanes = new Map<string, number>();
  /** The next run of a kind where it must be alone; it waits until no other of the kind is at work. */
  private readonly held = new Map<string, Job[]>();
  private readonly alone = new Set<string>();
  /** Jobs at work whose rows say so. */
  private readonly marked = new Set<Job>();
  private readonly sleeping = new Map<string, () => void>();
  private readonly running = new Set<Promise<void>>();
  private cancelSweep: (() => void) | null = null;
  private sweeping: Promise<void> | null = null;
  private stopped = false;
  private overflowed = false;

  constructor(private readonly service: Service, workers: Worker[]) {
    this.workers = new Map(workers.map((worker) => [worker.kind, worker]));
    for (const { kind, queue } of workers) if (queue) this.queues.set(kind, queue());
    service.jobs.listen((job) => this.accept(job), (kind) => this.hurry(kind));
  }

  /** Takes over what a former process left and begins to sweep. */
  async start(): Promise<void> {
    await this.sweep(this.service.database.exclusive);
    this.armSweep();
  }

  /**
   * No new job is begun; resolves when those at work have ended, at the latest after `graceMs`: what is then
   * still at work (a receiver that does not answer, say) runs again at the next start.
   */
  async stop(graceMs = Infinity): Promise<void> {
    this.stopped = true;
    this.service.jobs.listen(null);
    this.cancelSweep?.();
    for (const cancel of this.sleeping.values()) cancel();
    this.sleeping.clear();
    const ended = Promise.resolve(this.sweeping).then(() => this.settled());
    if (graceMs === Infinity) return await ended;
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, graceMs);
    await Promise.race([ended, over.promise]);
    clearTimeout(timer);
    // A stop is no death.
    const { jobs, database } = this.service;
    await jobs.markAtWork(database, [...this.marked], false).catch(() => {});
  }

  /** Resolves when no job is due or at work. For tests and commands that end. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** Jobs known to this process: waiting now, sleeping, at work. For health. */
  get depth(): { waiting: number; sleeping: number; running: number } {
    let waiting = 0;
    for (const list of this.waiting.values()) waiting += list.length;
    for (const queue of this.queues.values()) waiting += queue.size;
    return { waiting, sleeping: this.sleeping.size, running: this.running.size };
  }

  /** Looks for due jobs that nobody holds. With `all`, the leases of other processes count for nothing. */
  async sweep(all = false): Promise<void> {
    const { database, clock, jobs } = this.service;
    const now = clock.now();
    await this.renew(now);
    const selector = all || (this.overflowed && database.exclusive)
      ? keys.range(keys.jobsDue())
      : keys.range(keys.jobsDue(), { end: now });
    this.overflowed = false;
    for await (const entry of database.list<Job>(selector, { batchSize: 500 })) {
      if (this.stopped) return;
      const job = entry.value;
      if (this.mine.has(job.jobId) || !this.workers.has(job.kind)) continue;
      if (database.exclusive) this.accept(all ? leftBehind(job, now) : job);
      else {
        const claimed = await jobs.takeOver(database, job);
        if (claimed) this.accept(claimed);
      }
    }
  }

  /** Where other processes share the store: keeps the leases of what this one still holds. */
  private async renew(now: number): Promise<void> {
    if (this.service.database.exclusive) return;
    for (const job of [...this.mine.values()]) {
      if (job.dueAt - now > renewAheadMs) continue;
      const renewed = await this.service.jobs.claim(this.service.database, job);
      if (renewed) Object.assign(job, renewed);
      else this.mine.delete(job.jobId);
    }
  }

  private armSweep(): void {
    if (this.stopped) return;
    this.cancelSweep = this.service.clock.wakeAt(this.service.clock.now() + sweepMs, () => {
      this.sweeping = this.sweep().catch((error) =>
        this.service.log.warn("jobs.sweep_failed", { error: describeError(error) })
      )
        .finally(() => {
          this.sweeping = null;
          this.armSweep();
        });
    });
  }

  private accept(job: Job): void {
    if (this.stopped || !this.workers.has(job.kind)) return;
    const waiting = this.waiting.get(job.kind) ?? [];
    if (waiting.length >= maxWaiting && !this.mine.has(job.jobId)) {
      this.overflowed = true;
      return;
    }
    this.mine.set(job.jobId, job);
    this.sleeping.get(job.jobId)?.();
    this.sleeping.delete(job.jobId);
    if (job.runAt > this.service.clock.now()) {
      this.sleeping.set(
        job.jobId,
        this.service.clock.wakeAt(job.runAt, () => {
          this.sleeping.delete(job.jobId);
          this.enqueue(job);
        }),
      );
    } else this.enqueue(job);
  }

  /** Wakes the sleeping jobs of a kind. */
  private hurry(kind: string): void {
    for (const [jobId, cancel] of [...this.sleeping]) {
      const job = this.mine.get(jobId);
      if (job?.kind !== kind) continue;
      cancel();
      this.sleeping.delete(jobId);
      this.enqueue(job);
    }
  }

  private enqueue(job: Job): void {
    const queue = this.queues.get(job.kind);
    if (queue) {
      if (queue.push(job)) return this.begin(job.kind);
      this.mine.delete(job.jobId);
      this.overflowed = true;
      return;
    }
    const list = this.waiting.get(job.kind);
    if (list) list.push(job);
    else this.waiting.set(job.kind, [job]);
    this.begin(job.kind);
  }

  private begin(kind: string): void {
    const worker = this.workers.get(kind)!;
    while (!this.stopped && (this.busy.get(kind) ?? 0) < worker.concurrency) {
      if (this.alone.has(kind)) return;
      const jobs = this.held.get(kind) ?? this.take(worker);
      if (jobs.length === 0) return;
      if (mustBeAlone(worker, jobs[0])) {
        this.held.set(kind, jobs);
        if ((this.busy.get(kind) ?? 0) > 0) return;
        this.held.delete(kind);
        this.alone.add(kind);
      }
      this.busy.set(kind, (this.busy.get(kind) ?? 0) + 1);
      const lanes = worker.lane ? jobs.map((job) => worker.lane!.of(job)) : [];
      for (const lane of lanes) this.busyLanes.set(lane, (this.busyLanes.get(lane) ?? 0) + 1);
      const begunAt = performance.now();
      const run: Promise<void> = this.run(worker, jobs).finally(() => {
        this.running.delete(run);
        this.busy.set(kind, this.busy.get(kind)! - 1);
        this.alone.delete(kind);
        this.queues.get(kind)?.done(jobs[0], performance.now() - begunAt);
        for (const lane of lanes) {
          const left = this.busyLanes.get(lane)! - 1;
          if (left > 0) this.busyLanes.set(lane, left);
          else this.busyLanes.delete(lane);
        }
        this.begin(kind);
      });
      this.running.add(run);
    }
  }

  /** The next jobs of a kind: the oldest whose lane is free. */
  private take(worker: Worker): Job[] {
    const queue = this.queues.get(worker.kind);
    if (queue) {
      const job = queue.take();
      return job ? [job] : [];
    }
    const list = this.waiting.get(worker.kind) ?? [];
    if (!worker.lane) {
      const batch = list.slice(0, worker.batch ?? 1);
      const alone = batch.findIndex((job) => mustBeAlone(worker, job));
      return list.splice(0, alone < 0 ? batch.length : Math.max(1, alone));
    }
    const at = list.findIndex((job) =>
      (this.busyLanes.get(worker.lane!.of(job)) ?? 0) < worker.lane!.concurrency
    );
    return at < 0 ? [] : list.splice(at, 1);
  }

  private async run(worker: Worker, jobs: Job[]): Promise<void> {
    const before = new Map(jobs.map((job) => [job.jobId, job]));
    try {
      await this.runMarked(worker, jobs);
      for (const job of jobs) {
        if (this.mine.get(job.jobId) === before.get(job.jobId)) this.mine.delete(job.jobId);
      }
    } catch (error) {
      // What the run put off or completed itself has another row by now; the rest is tried again.
      for (const job of jobs) {
        if (this.mine.get(job.jobId) === before.get(job.jobId)) {
          await this.fail(worker, job, error);
        }
      }
    }
  }

  /** Where one was left behind by a process that died, it is written down first that these are at work. */
  private async runMarked(worker: Worker, jobs: Job[]): Promise<void> {
    const { service } = this;
    const suspects = worker.setAside ? jobs.filter(({ deaths = 0 }) => deaths > 0) : [];
    if (suspects.length === 0) return await worker.run(service, jobs);
    const [job] = jobs;
    if ((job.deaths ?? 0) >= mostDeaths) return await worker.setAside!(service, job);
    await service.jobs.markAtWork(service.database, suspects, true);
    for (const each of suspects) this.marked.add(each);
    try {
      await worker.run(service, jobs);
    } finally {
      for (const each of suspects) this.marked.delete(each);
    }
  }

  private report(worker: Worker, job: Job, error: unknown): void {
    if (worker.failed) return worker.failed(this.service, job, error);
    this.service.log.warn("job.failed", {
      kind: job.kind,
      job_id: job.jobId,
      attempts: job.attempts + 1,
      error: describeError(error),
    });
  }

  private async fail(worker: Worker, job: Job, error: unknown): Promise<void> {
    const { database, jobs, clock, log } = this.service;
    const reason = describeError(error);
    const delay = worker.retryDelaysMs
      ? worker.retryDelaysMs[job.attempts]
      : defaultRetryMs(job.attempts);
    try {
      // One that ended before another of its batch failed has not failed.
      const stands = await database.transact(async (tx) => {
        if (!await tx.get(keys.jobDue(job.dueAt, job.jobId))) return false;
        if (delay === undefined) jobs.bury(tx, job, reason);
        else jobs.putOff(tx, job, clock.now() + delay, { lastError: reason });
        return true;
      });
      if (stands) this.report(worker, job, error);
      if (delay === undefined || this.mine.get(job.jobId) === job) this.mine.delete(job.jobId);
      if (stands && delay === undefined) {
        log.error("job.buried", { kind: job.kind, job_id: job.jobId, error: reason });
      }
    } catch (cause) {
      // The database is not available: its row still stands, the sweep finds it again.
      log.error("job.not_put_off", {
        kind: job.kind,
        job_id: job.jobId,
        error: describeError(cause),
      });
      this.mine.delete(job.jobId);
      this.overflowed = true;
    }
  }
}

function mustBeAlone({ setAside }: Worker, { deaths = 0 }: Job): boolean {
  return setAside !== undefined && deaths >= aloneAfterDeaths;
}
