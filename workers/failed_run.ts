import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import type { Job } from "../domain/store/jobs.ts";
import { isStoreFault } from "../domain/store/remote/faults.ts";
import type { Worker } from "./worker.ts";

/** For kinds without delays of their own: doubled from a second to a minute, without end. */
const defaultRetryMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 60_000);

/** How often a job is put off again that could not be written down, and the delay of one that met a full disk. */
const againMs = 1_000;

/**
 * Puts a job off after a run that failed, or makes it a dead letter after its last. While the database takes nothing, as
 * on a full disk, it tries again each second. The job stays in memory and does not run meanwhile: nothing of another run
 * could be written down either, and it would send a mail again that the relay has taken. Ends early if `mayGoOn` returns
 * false; then the row is as it was.
 */
export async function endFailedRun(
  service: Service,
  worker: Worker,
  job: Job,
  error: unknown,
  mayGoOn: () => boolean,
): Promise<void> {
  const { clock, log } = service;
  for (let isLogged = false; mayGoOn();) {
    try {
      return await end(service, worker, job, error);
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
    await new Promise<void>((done) => void clock.after(againMs, done));
  }
}

async function end(service: Service, worker: Worker, job: Job, error: unknown): Promise<void> {
  const { database, jobs, clock, log } = service;
  const reason = describeError(error);
  // A full disk is no reason to wait longer and longer, nor to forget how many processes died of the job.
  const isOfStore = isStoreFault(error);
  const delay = isOfStore
    ? againMs
    : worker.retryDelaysMs
    ? worker.retryDelaysMs[job.attempts]
    : defaultRetryMs(job.attempts);
  // A job that ended before another of its batch failed has not failed.
  const stands = await database.transact(async (tx) => {
    if (!await jobs.stands(tx, job)) return false;
    if (delay === undefined) jobs.deadLetter(tx, job, reason);
    else {
      const { deaths } = job;
      const kept = isOfStore && deaths ? { deaths } : {};
      jobs.putOff(tx, job, clock.now() + delay, { lastError: reason, ...kept });
    }
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
