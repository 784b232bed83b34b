import { z } from "zod";
import { isoTime } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { openOperation } from "./operation.ts";
import type { Service } from "./service.ts";
import * as keys from "./store/keys.ts";

const state = z.enum(["ok", "down"]);
type State = z.output<typeof state>;

/** A check that has not answered by then is down. */
const checkMs = 2_000;

/** DECISIONS.md 4: reads the database for real. Search down is told and not critical: mail keeps coming in. */
export const health = openOperation({
  name: "health",
  title: "Health",
  description: "Whether the service works: reads the database for real.",
  scope: null,
  input: z.object({}),
  output: z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    timestamp: z.string(),
    uptime_seconds: z.number().int(),
    checks: z.object({ kv: state, queue: state, search: state }),
  }),
  errors: ["SERVICE_UNAVAILABLE"],
  async run(service) {
    const [kv, queue, search] = await Promise.all([
      probe(() => service.entries.get(keys.mark("health"))),
      probe(() => firstDueJob(service)),
      probe(() => service.searchIndex.check()),
    ]);
    const checks = { kv, queue, search };
    if (kv === "down" || queue === "down") {
      throw new ServiceError("SERVICE_UNAVAILABLE", "The database does not answer.", { checks }, 1);
    }
    const now = service.clock.now();
    return {
      status: search === "ok" ? "ok" as const : "degraded" as const,
      version: service.version,
      timestamp: isoTime(now),
      uptime_seconds: Math.max(0, Math.floor((now - service.startedAt) / 1_000)),
      checks,
    };
  },
});

async function firstDueJob(service: Service): Promise<void> {
  await service.entries.collect({ prefix: keys.jobsDue() }, { limit: 1 });
}

async function probe(check: () => Promise<unknown>): Promise<State> {
  const { promise, resolve } = Promise.withResolvers<State>();
  const timer = setTimeout(() => resolve("down"), checkMs);
  check().then(() => resolve("ok"), () => resolve("down"));
  return await promise.finally(() => clearTimeout(timer));
}
