import type { Service } from "../domain/core/service.ts";
import { isFromAhead, type Job } from "../domain/store/jobs.ts";
import * as keys from "../domain/store/keys.ts";

/**
 * Gives the jobs that a clock ahead has written, in this process or in another, their time by the present clock: none
 * waits until that date. Those at work in this process end by themselves.
 */
export async function setRight(
  { database, jobs, clock }: Pick<Service, "database" | "jobs" | "clock">,
  isAtWork: (job: Job) => boolean,
): Promise<void> {
  const now = clock.now();
  const rows = database.list<Job>(keys.range(keys.jobsDue(), { start: now }));
  for await (const { value: job } of rows) {
    if (isFromAhead(job, now) && !isAtWork(job)) await jobs.setRight(database, job);
  }
}
