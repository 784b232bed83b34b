import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./worker.ts";

/** For kinds without delays of their own: doubled from a second to a minute, without end. */
const defaultRetryMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 60_000);

/** How often a job is put off again whose instance shares a store that does not answer. */
const againMs = 1_000;

/**
 * Puts a job off after a run that failed, or makes it a dead letter after its last. If the database is not available its
 * row is unchanged. Then it returns false on a store of this process alone, and a sweep finds the row. On a shared store it
 * tries again until the database is back: another instance would run the job without knowing what this run has done, and
 * send a mail again that the relay has taken. It returns false if `mayGoOn` does.
 */
export async function endFailedRun(
  service: Service,
  worker: Worker,
  job: Job,
  error: unknown,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const { database, clock, log } = service;
  for (let isLogged = false; mayGoOn();) {
    try {
      await end(service, worker, job, error);
      return true;
    } catch (cause) {
      if (!isLogged) {
        log.error("job.not_put_off", {
          kind: job.kind,
          job_id: job.jobId,
          error: describeError(cause),
        });
      }
      isLogged = true;
    }
    if (database.exclusive) return false;
    await new Promise<void>((done) => void clock.after(againMs, done));
  }
  return false;
}

async function end(service: Service, worker: Worker, job: Job, error: unknown): Promise<void> {
  const { database, jobs, clock, log } = service;
  const reason = describeError(error);
  const delay = worker.retryDelaysMs
    ? worker.retryDelaysMs[job.attempts]
    : defaultRetryMs(job.attempts);
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
