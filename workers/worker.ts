import type { JobKind } from "../domain/core/job_kinds.ts";
import type { Service } from "../domain/core/service.ts";
import type { Job } from "../domain/store/jobs.ts";

/** How one kind of job is run. */
export interface Worker<Kind extends JobKind = JobKind> {
  /** How many runs (with `batch` above 1: batches) are at work at the same time. */
  concurrency: number;
  /** How many jobs one run gets; 1 if absent. */
  batch?: number;
  /** Decides which job begins next; absent: the oldest. Called once for each dispatcher. */
  queue?(): WaitingQueue<Kind>;
  /**
   * Delays before the 2nd, 3rd, ... run after a failure; after the last the job is a dead letter. Absent: the job is
   * tried again without end.
   */
  retryDelaysMs?: number[];
  /** Runs jobs, and completes or puts off each in its own commit. After a throw the job is tried again. */
  run(service: Service, jobs: Job<Kind>[]): Promise<void>;
  failed?(service: Service, job: Job<Kind>, error: unknown): void;
  /**
   * Ends a job that was at work when a process died for the third time, with as much of its effect as is possible
   * without running it. Without this the job runs again.
   */
  setAside?(service: Service, job: Job<Kind>): Promise<void>;
}

/** A worker for each kind of job. */
export type Workers = { [Kind in JobKind]: Worker<Kind> };

/** The due jobs of one kind that have not begun. It decides which of them begins next. */
export interface WaitingQueue<Kind extends JobKind = JobKind> {
  readonly size: number;
  /** It takes no further jobs from the database; those of this process that slept still get in. */
  readonly isFull?: boolean;
  /** Returns false if there is no room: the job stays in the database until a sweep finds it again. */
  push(job: Job<Kind>): boolean;
  /** The next job to begin; null if all must wait for one that is at work. */
  take(): Job<Kind> | null;
  /** A job that `take` returned has ended, `elapsedMs` later. */
  done(job: Job<Kind>, elapsedMs: number): void;
}
