import type { Job } from "../domain/store/jobs.ts";

/** Leases that are renewed or taken over at the same time: they share commits. */
const leasesAtOnce = 256;

/** Works on all jobs, so many at the same time that they fill commits. */
export async function inSlices(jobs: Job[], work: (job: Job) => Promise<void>): Promise<void> {
  for (let at = 0; at < jobs.length; at += leasesAtOnce) {
    await Promise.all(jobs.slice(at, at + leasesAtOnce).map(work));
  }
}
