import { type Clock, clockSlackMs } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { JobKind, JobPayloads } from "../core/job_kinds.ts";
import type { Database, Tx } from "./database.ts";
import { countDead, type DeadCounts, type JobCounts } from "./job_counts.ts";
import * as keys from "./keys.ts";

/**
 * Jobs are rows, written in the commit that causes them (docs/decisions.md "Jobs are rows").
 *
 * A new job is leased to the process that writes it: the time in its key is `runAt + leaseMs`. Until then no other
 * process takes it, and its own process runs it at `runAt` without another commit. If the process dies, a restart on
 * an exclusive store takes all jobs at once; on a shared store another instance takes the job when its lease has ended.
 */
export interface Job<Kind extends JobKind = JobKind> {
  jobId: string;
  kind: Kind;
  payload: JobPayloads[Kind];
  /** When it is to run, ms since 1970. */
  runAt: number;
  /** Runs that have ended without success. */
  attempts: number;
  createdAt: number;
  /** When its `runAt` was set, if that was later, ms since 1970. */
  writtenAt?: number;
  /** The time in its key: when its lease ends. */
  dueAt: number;
  lastError?: string;
  /** How many processes are known to have died while they had this job; see `markAtWork`. */
  deaths?: number;
  /** A process has begun it and has not ended it. */
  atWork?: true;
}

/** The row of a job whose process died. The death is counted if the job was, or may have been, at work. */
export function leftBehind(job: Job, now: number): Job {
  // At the first death no row is marked: any job that was due may have been at work.
  const known = job.deaths ?? 0;
  const deaths = job.atWork ? known + 1 : job.runAt <= now ? Math.max(known, 1) : known;
  if (deaths === 0) return job;
  const { atWork: _, ...rest } = job;
  return { ...rest, deaths };
}

/** The lease of a job: another instance takes over the jobs of a dead process within this time. */
export const leaseMs = 30_000;

function leaseFrom({ runAt }: Job, now: number): number {
  return Math.max(now, runAt) + leaseMs;
}

/** Whether a clock that was ahead has set the time or the lease of a job, which would wait until that date. */
export function isFromAhead(job: Job, now: number): boolean {
  const { createdAt, writtenAt = createdAt, runAt, dueAt } = job;
  const latest = now + clockSlackMs;
  return writtenAt > latest || dueAt > Math.max(latest, runAt) + leaseMs;
}

/** How long a count of dead jobs is used on a store that other processes write. */
const deadMs = 10_000;

/** What `Jobs` needs of the dispatcher of its process. */
export interface JobRunner {
  /** Takes a job whose row was committed. */
  accept(job: Job): void;
  /** Runs the sleeping jobs of a kind now. */
  wake(kind: JobKind): void;
  /** null if this process does not have the job. */
  stateOf(jobId: string): "waiting" | "running" | null;
  counts(): JobCounts;
}

/** Writes jobs, and passes them to the dispatcher of this process after the commit. */
export class Jobs {
  private runner: JobRunner | null = null;
  /** How often this process has made or removed a dead job. */
  private deadChanges = 0;
  /** New leases that are being written: the row of such a job is under its old lease or its new one. */
  private readonly renewing = new Map<string, number>();
  private deadCounted: { counts: DeadCounts; changes: number; at: number } | null = null;

  constructor(private readonly ids: Ids, private readonly clock: Clock) {}

  /** Sets the dispatcher of this process. With null, jobs wait in the database. */
  listen(runner: JobRunner | null): void {
    this.runner = runner;
  }

  /** Runs the sleeping jobs of a kind now, because what they waited for is available again. */
  wake(kind: JobKind): void {
    this.runner?.wake(kind);
  }

  /** Whether the job is at work, as far as this process knows: a due job under lease is at work in another instance. */
  stateOf(job: Job, exclusive: boolean): "waiting" | "running" {
    const now = this.clock.now();
    const isLeased = !exclusive && job.runAt <= now && now < job.dueAt;
    return this.runner?.stateOf(job.jobId) ?? (isLeased ? "running" : "waiting");
  }

  /** The jobs of this process that have not ended; none without a dispatcher. */
  counts(): JobCounts {
    return this.runner?.counts() ?? new Map();
  }

  /**
   * How many dead jobs there are of each kind, of all processes. From memory until one is added or removed; on a shared
   * store at most 10 s old.
   */
  async countDead(database: Database): Promise<DeadCounts> {
    const known = this.knownDead(database);
    if (known) return known;
    const { deadChanges: changes, clock } = this;
    const at = clock.elapsed();
    const counts = await countDead(database);
    this.deadCounted = { counts, changes, at };
    return counts;
  }

  /** The same if it needs no read; otherwise null. */
  knownDead(database: Database): DeadCounts | null {
    const { deadChanges: changes, deadCounted: known, clock } = this;
    if (!known) return null;
    const holds = database.exclusive
      ? known.changes === changes
      : clock.elapsed() - known.at < deadMs;
    return holds ? known.counts : null;
  }

  /** Adds a job to the transaction. It runs after the commit, at `runAt` if that is later. */
  add<Kind extends JobKind>(
    tx: Tx,
    kind: Kind,
    payload: JobPayloads[Kind],
    runAt: number = this.clock.now(),
  ): Job<Kind> {
    const now = this.clock.now();
    const job: Job<Kind> = {
      jobId: this.ids.timed(now),
      kind,
      payload,
      runAt,
      attempts: 0,
      createdAt: now,
      dueAt: runAt + leaseMs,
    };
    this.write(tx, job);
    return job;
  }

  /**
   * Marks rows of jobs that begin (`atWork`), or removes the mark. A row that is marked when a process dies was at
   * work. Only jobs that a dead process left are marked, so this costs no commit until a process has died.
   */
  async markAtWork(database: Database, jobs: readonly Job[], atWork: boolean): Promise<void> {
    for (const some of database.forCommits(jobs, jobs.length, 1)) {
      await database.transact(async (tx) => {
        for (const { atWork: _, ...job } of some) {
          const key = keys.jobDue(job.dueAt, job.jobId);
          if (await tx.get(key)) tx.set(key, atWork ? { ...job, atWork } : job);
        }
      });
    }
  }

  /** Removes a job, in the commit that makes its effect durable. */
  complete(tx: Tx, job: Job): void {
    for (const key of this.rowsOf(job)) tx.delete(key);
  }

  /** Whether a job of this process has not ended. */
  async stands(tx: Tx, job: Job): Promise<boolean> {
    const rows = await Promise.all(this.rowsOf(job).map((key) => tx.get(key)));
    return rows.some((row) => row !== null);
  }

  private rowsOf({ jobId, dueAt }: Job): Deno.KvKey[] {
    const renewedTo = this.renewing.get(jobId);
    const times = renewedTo === undefined ? [dueAt] : [dueAt, renewedTo];
    return times.map((time) => keys.jobDue(time, jobId));
  }

  /** Puts a job off, in the commit that has the reason. `attempts` goes up by one unless `change` has it. */
  putOff(
    tx: Tx,
    job: Job,
    runAt: number,
    change: Partial<Pick<Job, "attempts" | "lastError" | "deaths">> = {},
  ): void {
    this.complete(tx, job);
    // The run ended without success, and no process died of it: unless `change` says otherwise, nothing is held against it.
    const { deaths: _deaths, atWork: _atWork, ...kept } = job;
    const attempts = job.attempts + 1;
    const writtenAt = this.clock.now();
    this.write(tx, { ...kept, attempts, ...change, writtenAt, runAt, dueAt: runAt + leaseMs });
  }

  /**
   * Takes jobs whose leases have ended. Returns those that no other process took before, and that are not done. At most
   * 9: a commit of some databases has no more checks.
   */
  async takeOver(database: Database, jobs: readonly Job[]): Promise<Job[]> {
    const now = this.clock.now();
    return await database.transact(async (tx) => {
      const claimed = await Promise.all(
        jobs.map((job) => this.lease(tx, job, leaseFrom(job, now), (row) => leftBehind(row, now))),
      );
      return claimed.filter((job) => job !== null);
    }, { prefetch: jobs.map((job) => keys.jobDue(job.dueAt, job.jobId)) });
  }

  /** Renews the lease of a job of this process, and changes its `dueAt`. Returns false if the job is done. */
  async renew(database: Database, job: Job): Promise<boolean> {
    const dueAt = leaseFrom(job, this.clock.now());
    this.renewing.set(job.jobId, dueAt);
    try {
      const renewed = await database.transact((tx) => this.lease(tx, job, dueAt), {
        prefetch: [keys.jobDue(job.dueAt, job.jobId)],
      });
      if (renewed) job.dueAt = dueAt;
      return renewed !== null;
    } finally {
      this.renewing.delete(job.jobId);
    }
  }

  /**
   * Gives a job that a clock ahead has written its time by the present clock, with the delay that it was to have. A job
   * for a time that somebody chose, which would be early, puts itself off.
   */
  async setRight(database: Database, job: Job): Promise<void> {
    await database.transact(async (tx) => {
      const now = this.clock.now();
      const found = await tx.get<Job>(keys.jobDue(job.dueAt, job.jobId));
      if (!found) return;
      const { writtenAt = found.createdAt } = found;
      const delayMs = Math.max(0, found.runAt - writtenAt);
      const runAt = writtenAt > now ? now + delayMs : found.runAt;
      const createdAt = Math.min(found.createdAt, now);
      this.complete(tx, found);
      this.write(tx, { ...found, createdAt, writtenAt: now, runAt, dueAt: runAt + leaseMs });
    });
  }

  /** Ends the leases of jobs of this process that are not at work: another process takes them at their time. */
  async release(database: Database, jobs: readonly Job[]): Promise<void> {
    const now = this.clock.now();
    await Promise.all(
      jobs.map((job) =>
        database.transact((tx) => this.lease(tx, job, Math.max(now, job.runAt)), {
          prefetch: [keys.jobDue(job.dueAt, job.jobId)],
        })
      ),
    );
  }

  private async lease(
    tx: Tx,
    job: Job,
    dueAt: number,
    change: (found: Job) => Job = (found) => found,
  ): Promise<Job | null> {
    const found = await tx.get<Job>(keys.jobDue(job.dueAt, job.jobId));
    if (!found) return null;
    const mine: Job = { ...change(found), dueAt };
    if (dueAt === found.dueAt) return found;
    tx.delete(keys.jobDue(found.dueAt, found.jobId));
    tx.set(keys.jobDue(dueAt, found.jobId), mine);
    return mine;
  }

  /** Ends a job without success. It is kept as a dead letter until an operator retries or deletes it. */
  deadLetter(tx: Tx, job: Job, lastError: string): void {
    this.complete(tx, job);
    tx.set(keys.jobDead(job.jobId), { ...job, attempts: job.attempts + 1, lastError });
    this.deadChanged(tx);
  }

  /** Runs a dead letter again, from its first attempt. */
  retry(tx: Tx, dead: Job): Job {
    this.removeDead(tx, dead.jobId);
    const { deaths: _deaths, atWork: _atWork, ...kept } = dead;
    const runAt = this.clock.now();
    const job: Job = { ...kept, attempts: 0, writtenAt: runAt, runAt, dueAt: runAt + leaseMs };
    this.write(tx, job);
    return job;
  }

  /** Removes the row of a dead letter. See `dropDead` of blobs/blob_release.ts. */
  removeDead(tx: Tx, jobId: string): void {
    tx.delete(keys.jobDead(jobId));
    this.deadChanged(tx);
  }

  private deadChanged(tx: Tx): void {
    tx.afterCommit(() => this.deadChanges++);
  }

  private write(tx: Tx, job: Job): void {
    tx.set(keys.jobDue(job.dueAt, job.jobId), job);
    tx.afterCommit(() => this.runner?.accept(job));
  }
}
