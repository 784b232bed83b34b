import { z } from "zod";
import { isoTime, timestampField } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import { openOperation } from "./core/operation.ts";
import type { Service } from "./core/service.ts";
import { within } from "./core/within.ts";
import * as keys from "./store/keys.ts";

const state = z.enum(["ok", "down"]);
type State = z.output<typeof state>;

/** A check that has no result by then is down. */
const checkMs = 2_000;

/** docs/specification.md "Health". Search that is down is reported as `degraded`, because mail still comes in. */
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
    checks: z.object({ kv: state, queue: state, search: state }),
  }).meta({ id: "Health" }),
  errors: ["SERVICE_UNAVAILABLE"],
  async run(service) {
    const [{ kv, queue }, search] = await Promise.all([
      service.storeChecks.run(service),
      probe(service, () => service.searchIndex.check()),
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

interface StoreStates {
  kv: State;
  queue: State;
}

/** Checks the database. Requests that come while a check runs share its result. */
export class StoreChecks {
  private running: Promise<StoreStates> | null = null;

  async run(service: Pick<Service, "database" | "clock">): Promise<StoreStates> {
    return await (this.running ??= this.check(service).finally(() => this.running = null));
  }

  private async check(service: Pick<Service, "database" | "clock">): Promise<StoreStates> {
    // Ranges: a single row may come from memory.
    const read = (prefix: Deno.KvKey) =>
      probe(service, () => service.database.collect({ prefix }, { limit: 1 }));
    const [kv, queue] = await Promise.all([read(keys.mark("health")), read(keys.jobsDue())]);
    return { kv, queue };
  }
}

async function probe(
  { clock }: Pick<Service, "clock">,
  check: () => Promise<unknown>,
): Promise<State> {
  return await within(clock, check(), checkMs).then(() => "ok" as const, () => "down" as const);
}
