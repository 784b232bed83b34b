import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { isFromAhead, type Job } from "../domain/store/jobs.ts";
import * as keys from "../domain/store/keys.ts";

/**
 * Gives the jobs that a clock ahead has written, in this process or in another, their time by the present clock: none
 * waits until that date. Those at work in this process end by themselves. Returns false if the database refused it, as
 * on a full disk: that does not prevent a start.
 */
export async function setRight(
  { database, jobs, clock, log }: Service,
  isAtWork: (job: Job) => boolean,
): Promise<boolean> {
  const now = clock.now();
  try {
    const rows = database.list<Job>(keys.range(keys.jobsDue(), { start: now }));
    for await (const { value: job } of rows) {
      if (job && isFromAhead(job, now) && !isAtWork(job)) await jobs.setRight(database, job);
    }
    return true;
  } catch (error) {
    log.warn("jobs.not_set_right", { error: describeError(error) });
    return false;
  }
}
