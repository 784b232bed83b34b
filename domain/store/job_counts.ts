import type { JobKind } from "../core/job_kinds.ts";
import type { Database } from "./database.ts";
import * as keys from "./keys.ts";

/** What counting reads of a job. */
interface CountedJob {
  jobId: string;
  kind: JobKind;
  attempts: number;
  createdAt: number;
  runAt: number;
}

/** The jobs of one kind in one process. */
export interface JobCount {
  waiting: number;
  running: number;
  /** Age in ms of the oldest unfinished job that is due or was tried; 0 without one. */
  oldestMs: number;
}

/** Every kind has an entry. */
export type JobCounts = Map<JobKind, JobCount>;

/** How many dead jobs there are of each kind that has one. */
export type DeadCounts = ReadonlyMap<JobKind, number>;

/** No more dead jobs than this are counted, because counting reads their rows. */
const maxDeadCounted = 1_000;

/**
 * Counts the jobs of `kinds` that have not ended. `held` are those in memory, `running` those at work; `left` is how many
 * of a kind are in the database alone, because memory had no room.
 */
export function countJobs(
  kinds: Iterable<JobKind>,
  held: Iterable<CountedJob>,
  running: Iterable<readonly CountedJob[]>,
  left: ReadonlyMap<JobKind, number>,
  now: number,
): JobCounts {
  const counts: JobCounts = new Map();
  for (const kind of kinds) {
    counts.set(kind, { waiting: left.get(kind) ?? 0, running: 0, oldestMs: 0 });
  }
  const atWork = new Set<string>();
  for (const jobs of running) {
    for (const { jobId, kind } of jobs) {
      atWork.add(jobId);
      counts.get(kind)!.running++;
    }
  }
  for (const job of held) {
    const count = counts.get(job.kind)!;
    if (!atWork.has(job.jobId)) count.waiting++;
    count.oldestMs = Math.max(count.oldestMs, ageOf(job, now));
  }
  return counts;
}

/** A job that sleeps until its first run has no age; one that is put off after a failure keeps its own. */
function ageOf({ attempts, createdAt, runAt }: CountedJob, now: number): number {
  return Math.max(0, now - (attempts > 0 ? createdAt : runAt));
}

/** Counts dead jobs: at most 1,000 rows are read. */
export async function countDead(database: Database): Promise<DeadCounts> {
  const prefix = keys.jobsDead();
  const rows = await database.collect<CountedJob>({ prefix }, { limit: maxDeadCounted });
  const counts = new Map<JobKind, number>();
  for (const { value: { kind } } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
