import { z } from "zod";
import { isoTime, timestampField } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import { openOperation } from "./core/operation.ts";
import type { Service } from "./core/service.ts";
import { within } from "./core/work/within.ts";
import { state } from "./store/store_checks.ts";

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
    const { kv, queue, search } = checks;
    if (kv === "down" || queue === "down") {
      throw new ServiceError("SERVICE_UNAVAILABLE", "The database does not answer.", { checks }, 1);
    }
    const now = service.clock.now();
    return {
      status: search === "ok" ? "ok" as const : "degraded" as const,
      version: service.version,
      timestamp: isoTime(now),
      uptime_seconds: Math.max(0, Math.floor((now - service.startedAt) / 1_000)),
      dead_jobs: await deadJobs(service),
      checks,
    };
  },
});

/** The longest time that a request for health waits for the count, ms. */
const countMs = 500;

/** Jobs that failed at their last attempt; null if they cannot be counted in time. */
async function deadJobs({ jobs, database, clock }: Service): Promise<number | null> {
  try {
    const kinds = jobs.knownDead(database) ??
      await within(clock, jobs.countDead(database), countMs);
    return [...kinds].reduce((sum, [, count]) => sum + count, 0);
  } catch {
    return null;
  }
}
