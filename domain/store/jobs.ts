import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Database, Tx } from "./database.ts";
import * as keys from "./keys.ts";

/**
 * Jobs are rows, written in the commit that causes them (ARCHITECTURE.md, What must hold, 2).
 *
 * A job is born leased to the process that writes it: its key stands at `runAt + leaseMs`, so that no other
 * process touches it meanwhile, and this process runs it at `runAt` without a further commit. Where the
 * process dies, a restart on the same store (exclusive) takes everything at once; elsewhere another instance
 * finds the key due when the lease has run out.
 */
export interface Job<P = unknown> {
  jobId: string;
  kind: string;
  payload: P;
  /** When it is to run, ms since 1970. */
  runAt: number;
  /** Runs that have ended without success. */
  attempts: number;
  createdAt: number;
  /** The time part of its key: when another process may take it. */
  dueAt: number;
  lastError?: string;
  /** How often a process died while it had this job, by what is known; see `markAtWork`. */
  deaths?: number;
  /** It has begun, in a process that has not ended it. */
  atWork?: true;
}

/** A row that another process has left behind, with what that says of its death. */
export function leftBehind(job: Job, now: number): Job {
  // The first time nobody wrote down what was at work: whatever was due may have been.
  const known = job.deaths ?? 0;
  const deaths = job.atWork ? known + 1 : job.runAt <= now ? Math.max(known, 1) : known;
  if (deaths === 0) return job;
  const { atWork: _, ...rest } = job;
  return { ...rest, deaths };
}

/** How long a job of a silent process stays its own: another instance takes over within this time. */
export const leaseMs = 30_000;

/** Writes jobs and tells this process's dispatcher of them once they are committed. */
export class Jobs {
  private listener: ((job: Job) => void) | null = null;
  private hurrier: ((kind: string) => void) | null = null;

  constructor(private readonly ids: Ids, private readonly clock: Clock) {}

  /** The dispatcher of this process; without one, jobs wait in the database. */
  listen(
    listener: ((job: Job) => void) | null,
    hurrier: ((kind: string) => void) | null = null,
  ): void {
    this.listener = listener;
    this.hurrier = hurrier;
  }

  /** What a kind of job waited for is there again: those of this process that sleep run now. */
  wake(kind: string): void {
    this.hurrier?.(kind);
  }

  /** Adds a job to the transaction; it runs at `runAt` (now, where absent) after the commit. */
  add(tx: Tx, kind: string, payload: unknown, runAt: number = this.clock.now()): Job {
    const now = this.clock.now();
    const job: Job = {
      jobId: this.ids.timed(now),
      kind,
      payload,
      runAt,
      attempts: 0,
      createdAt: now,
      dueAt: runAt + leaseMs,
    };
    tx.set(keys.jobDue(job.dueAt, job.jobId), job);
    tx.afterCommit(() => this.listener?.(job));
    return job;
  }

  /**
   * Writes down that jobs have begun, or with `false` that they were let go: what finds a mark after a death knows
   * that the job was at work then. Only jobs that a process has left behind are marked, so that it costs no commit
   * as long as none dies.
   */
  async markAtWork(database: Database, jobs: readonly Job[], atWork: boolean): Promise<void> {
    await database.transact(async (tx) => {
      for (const { atWork: _, ...job } of jobs) {
        const key = keys.jobDue(job.dueAt, job.jobId);
        if (await tx.get(key)) tx.set(key, atWork ? { ...job, atWork } : job);
      }
    });
  }

  /** Removes a job in the commit that makes its effect durable. */
  complete(tx: Tx, job: Job): void {
    tx.delete(keys.jobDue(job.dueAt, job.jobId));
  }

  /** Puts a job off, in the commit that says why. `attempts` counts up unless the caller says otherwise. */
  putOff(
    tx: Tx,
    job: Job,
    runAt: number,
    change: Partial<Pick<Job, "payload" | "attempts" | "lastError">> = {},
  ): Job {
    tx.delete(keys.jobDue(job.dueAt, job.jobId));
    // It has ended, if without success: no process died of it.
    const { deaths: _deaths, atWork: _atWork, ...kept } = job;
    const later: Job = {
      ...kept,
      attempts: job.attempts + 1,
      ...change,
      runAt,
      dueAt: runAt + leaseMs,
    };
    tx.set(keys.jobDue(later.dueAt, later.jobId), later);
    tx.afterCommit(() => this.listener?.(later));
    return later;
  }

  /** Takes a job over from a process that is silent. Null: somebody else was faster, or it is done. */
  async takeOver(database: Database, job: Job): Promise<Job | null> {
    return await this.claim(database, job, (found) => leftBehind(found, this.clock.now()));
  }

  /** Keeps a job of this process for another while. Null: it is done. */
  async claim(
    database: Database,
    job: Job,
    change: (found: Job) => Job = (found) => found,
  ): Promise<Job | null> {
    return await database.transact(async (tx) => {
      const found = await tx.get<Job>(keys.jobDue(job.dueAt, job.jobId));
      if (!found) return null;
      const mine: Job = {
        ...change(found),
        dueAt: Math.max(this.clock.now(), found.runAt) + leaseMs,
      };
      if (mine.dueAt === found.dueAt) return found;
      tx.delete(keys.jobDue(found.dueAt, found.jobId));
      tx.set(keys.jobDue(mine.dueAt, mine.jobId), mine);
      return mine;
    });
  }

  /** Gives up on a job: it stays visible among the dead letters. */
  bury(tx: Tx, job: Job, lastError: string): void {
    tx.delete(keys.jobDue(job.dueAt, job.jobId));
    tx.set(keys.jobDead(job.jobId), { ...job, attempts: job.attempts + 1, lastError });
  }
}
