import type { Service } from "../domain/core/service.ts";
import { within } from "../domain/core/work/within.ts";
import { type Job, leaseMs } from "../domain/store/jobs.ts";

/** A dozen commits. */
const maxReleased = 1_000;
const releaseMs = 1_000;

/**
 * At the stop of an instance on a shared store: others need not wait for the ends of the leases of its jobs. One that is
 * `atWork` may still have its effect, so its lease stays. What is not released in time is taken later.
 */
export async function releaseLeases(
  { jobs, database, clock }: Service,
  all: readonly Job[],
  atWork: readonly Job[],
): Promise<void> {
  const busy = new Set(atWork.map(({ jobId }) => jobId));
  const soon = clock.now() + leaseMs;
  const rest = all.filter(({ jobId, runAt }) => !busy.has(jobId) && runAt <= soon);
  await within(clock, jobs.release(database, rest.slice(0, maxReleased)), releaseMs)
    .catch(() => {});
}
