import { z } from "zod";
import { isoTime, timestampField } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import { openOperation } from "./core/operation.ts";
import type { Service } from "./core/service.ts";
import { within } from "./core/work/within.ts";
import type { DeadCounts } from "./store/job_counts.ts";
import { state, type States } from "./store/store_checks.ts";

/** docs/specification.md "Health". If search is down the status is `degraded`, because mail still comes in. */
export const health = openOperation({
  name: "health",
  title: "Health",
  description: "Whether the service works: reads the database for real.",
  scope: null,
  input: z.object({}),
  output: z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    timestamp: timestampField,
    uptime_seconds: z.number().int(),
    dead_jobs: z.number().int().nullable(),
    checks: z.object({ kv: state, queue: state, search: state }),
  }).meta({ id: "Health" }),
  errors: ["SERVICE_UNAVAILABLE"],
  async run(service) {
    const checks = await service.storeChecks.run(service);
    const { kv, queue } = checks;
    if (kv === "down" || queue === "down") {
      throw new ServiceError("SERVICE_UNAVAILABLE", "The database does not answer.", { checks }, 1);
    }
    return healthOf(service, checks, await deadJobs(service));
  },
});

/** The output of `health` if it needs no read, as within 50 ms of a good check; otherwise null. */
export function knownHealth(service: Service): z.output<typeof health.output> | null {
  const checks = service.storeChecks.known(service);
  const dead = service.jobs.knownDead(service.database);
  return checks && dead && healthOf(service, checks, sumOf(dead));
}

function healthOf({ clock, version, startedAt }: Service, checks: States, deadJobs: number | null) {
  const now = clock.now();
  return {
    status: checks.search === "ok" ? "ok" as const : "degraded" as const,
    version,
    timestamp: isoTime(now),
    uptime_seconds: Math.max(0, Math.floor((now - startedAt) / 1_000)),
    dead_jobs: deadJobs,
    checks,
  };
}

/** The longest time that a request for health waits for the count, ms. */
const countMs = 500;

/** Jobs that failed at their last attempt; null if they cannot be counted in time. */
async function deadJobs({ jobs, database, clock }: Service): Promise<number | null> {
  try {
    const known = jobs.knownDead(database);
    return sumOf(known ?? await within(clock, jobs.countDead(database), countMs));
  } catch {
    return null;
  }
}

function sumOf(dead: DeadCounts): number {
  let sum = 0;
  for (const count of dead.values()) sum += count;
  return sum;
}
