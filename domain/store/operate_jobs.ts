import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { notFound, ServiceError } from "../core/errors.ts";
import { openOperation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "./database.ts";
import type { Job } from "./jobs.ts";
import * as keys from "./keys.ts";

/** Jobs in one answer. */
const maxListed = 500;

const jobState = z.enum(["waiting", "running", "dead"]);
type JobState = z.output<typeof jobState>;

const jobRecord = z.object({
  job_id: z.string(),
  kind: z.string(),
  state: jobState.describe(
    "`running`: at work now; `dead`: it failed at its last attempt and is not tried again",
  ),
  attempts: z.int().describe("Runs that ended without success"),
  created_at: timestampField,
  run_at: timestampField.describe("When it runs, or was to run"),
  last_error: z.string().nullable(),
}).meta({ id: "Job" });

const ofJob = z.object({ job_id: z.string().min(1).max(100) });

/** The operator's list of jobs; docs/specification.md "Operator". */
export const listJobs = openOperation({
  name: "list_jobs",
  title: "List background jobs",
  description:
    `The jobs of a state, those that are due first at the top: at most ${maxListed}. Dead jobs are in the order in which ` +
    "they were created; retry or delete them.",
  scope: null,
  input: z.object({
    state: jobState.optional().describe("Only jobs of this state; without it, all jobs"),
  }),
  output: z.array(jobRecord),
  errors: ["VALIDATION_ERROR"],
  async run(service, _guest, { state }) {
    const found: z.input<typeof jobRecord>[] = [];
    for (const prefix of [keys.jobsDue(), keys.jobsDead()]) {
      for await (const { key, value } of service.database.list<Job>({ prefix })) {
        const its = stateOf(service, key, value);
        if (state && state !== its) continue;
        if (found.length === maxListed) return found;
        found.push(recordOf(value, its));
      }
    }
    return found;
  },
});

export const retryJob = openOperation({
  name: "retry_job",
  title: "Retry a dead job",
  description: "Runs a dead job again at once, from its first attempt.",
  scope: null,
  input: ofJob,
  output: jobRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
  async run(service, _guest, { job_id }) {
    await requireDead(service, job_id);
    const job = await service.database.transact(async (tx) =>
      service.jobs.retry(tx, await readDead(tx, job_id))
    );
    service.log.info("job.retried", { kind: job.kind, job_id });
    return recordOf(job, "waiting");
  },
});

export const deleteJob = openOperation({
  name: "delete_job",
  title: "Delete a dead job",
  description: "Removes a dead job. What it was to do is not done.",
  scope: null,
  input: ofJob,
  output: jobRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
  async run(service, _guest, { job_id }) {
    await requireDead(service, job_id);
    const job = await service.database.transact(async (tx) => {
      const dead = await readDead(tx, job_id);
      service.jobs.dropDead(tx, dead);
      return dead;
    });
    service.log.info("job.deleted", { kind: job.kind, job_id });
    return recordOf(job, "dead");
  },
});

/** CONFLICT if the job waits or runs. The key of such a job begins with its time, so all of them are read. */
async function requireDead({ database }: Service, jobId: string): Promise<void> {
  if (await database.get(keys.jobDead(jobId)) !== null) return;
  for await (const { value } of database.list<Job>({ prefix: keys.jobsDue() })) {
    if (value.jobId === jobId) throw new ServiceError("CONFLICT", "The job is not dead.");
  }
}

async function readDead(tx: Tx, jobId: string): Promise<Job> {
  const job = await tx.get<Job>(keys.jobDead(jobId));
  if (!job) throw notFound("job");
  return job;
}

function stateOf({ jobs, database }: Service, key: Deno.KvKey, job: Job): JobState {
  return key[0] === keys.jobsDead()[0] ? "dead" : jobs.stateOf(job, database.exclusive);
}

function recordOf(job: Job, state: JobState): z.input<typeof jobRecord> {
  return {
    job_id: job.jobId,
    kind: job.kind,
    state,
    attempts: job.attempts,
    created_at: isoTime(job.createdAt),
    run_at: isoTime(job.runAt),
    last_error: job.lastError ?? null,
  };
}
