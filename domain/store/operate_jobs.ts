import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { notFound, ServiceError } from "../core/errors.ts";
import { openOperation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import { dropDead } from "./blobs/blob_release.ts";
import type { Tx } from "./database.ts";
import type { Job } from "./jobs.ts";
import * as keys from "./keys.ts";

/** Jobs in one answer. */
const maxListed = 500;
/** Rows that are read for it: jobs at work are few among many that wait. */
const maxRead = 5_000;

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
    "The jobs of a state, those that are due first at the top. Dead jobs come last, in the order in which they were created: " +
    "retry or delete them. A page may have fewer jobs than limit and still a next_cursor.",
  scope: null,
  input: z.object({
    state: jobState.optional().describe("Only jobs of this state; without it, all jobs"),
    limit: z.int().min(1).max(maxListed).default(maxListed),
    cursor: z.string().max(200).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    jobs: z.array(jobRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR"],
  async run(service, _guest, { state, limit, cursor }) {
    const jobs: z.input<typeof jobRecord>[] = [];
    let last: string | null = null, read = 0;
    for (const { isDead, selector } of rangesOf(state, cursor)) {
      for await (const { key, value: job } of service.database.list<Job>(selector)) {
        if (jobs.length === limit || read++ === maxRead) {
          return { jobs, has_more: true, next_cursor: last };
        }
        const [table, dueAt] = key, id = String(key.at(-1));
        last = encodeCursor([isDead ? ofDead : Number(dueAt), id]);
        const record = skipDamaged(service.log, { table: String(table), id }, () => {
          const its = isDead ? "dead" : service.jobs.stateOf(job, service.database.exclusive);
          return recordOf(job, its);
        });
        if (record && (!state || state === record.state)) jobs.push(record);
      }
    }
    return { jobs, has_more: false, next_cursor: null };
  },
});

/** In place of its time in the cursor of a dead job. */
const ofDead = -1;

/** The rows after the cursor that can be of the state, those of dead jobs last. */
function rangesOf(
  state: JobState | undefined,
  cursor: string | undefined,
): { isDead: boolean; selector: Deno.KvListSelector }[] {
  const [time, jobId] = cursor === undefined ? [] : decodeCursor(cursor, ["number", "id"]);
  const after = `${jobId}\u0000`;
  const due = {
    prefix: keys.jobsDue(),
    ...time === undefined ? {} : { start: keys.jobDue(time, after) },
  };
  const dead = {
    prefix: keys.jobsDead(),
    ...time === ofDead ? { start: keys.jobDead(after) } : {},
  };
  return [
    ...state === "dead" || time === ofDead ? [] : [{ isDead: false, selector: due }],
    ...state === undefined || state === "dead" ? [{ isDead: true, selector: dead }] : [],
  ];
}

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
      await dropDead(tx, service, dead);
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
    if (value?.jobId === jobId) throw new ServiceError("CONFLICT", "The job is not dead.");
  }
}

async function readDead(tx: Tx, jobId: string): Promise<Job> {
  const job = await tx.get<Job>(keys.jobDead(jobId));
  if (!job) throw notFound("job");
  return job;
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
