import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./worker.ts";

/** For kinds without delays of their own: doubled from a second to a minute, without end. */
const defaultRetryMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 60_000);

/**
 * Puts a job off after a run that failed, or makes it a dead letter after its last. Returns false if the database is not
 * available: its row is unchanged, and a sweep finds it.
 */
export async function endFailedRun(
  service: Service,
  worker: Worker,
  job: Job,
  error: unknown,
): Promise<boolean> {
  const { database, jobs, clock, log } = service;
  const reason = describeError(error);
  const delay = worker.retryDelaysMs
    ? worker.retryDelaysMs[job.attempts]
    : defaultRetryMs(job.attempts);
  try {
    // A job that ended before another of its batch failed has not failed.
    const stands = await database.transact(async (tx) => {
      if (!await jobs.stands(tx, job)) return false;
      if (delay === undefined) jobs.deadLetter(tx, job, reason);
      else jobs.putOff(tx, job, clock.now() + delay, { lastError: reason });
      return true;
    });
    if (stands) report(service, worker, job, error);
    if (stands && delay === undefined) {
      log.error("job.dead_lettered", { kind: job.kind, job_id: job.jobId, error: reason });
    }
    return true;
  } catch (cause) {
    log.error("job.not_put_off", {
      kind: job.kind,
      job_id: job.jobId,
      error: describeError(cause),
    });
    return false;
  }
}

function report(service: Service, worker: Worker, job: Job, error: unknown): void {
  if (worker.failed) return worker.failed(service, job, error);
  service.log.warn("job.failed", {
    kind: job.kind,
    job_id: job.jobId,
    attempts: job.attempts + 1,
    error: describeError(error),
  });
}
