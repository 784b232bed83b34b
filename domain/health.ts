import { z } from "zod";
import { isoTime, timestampField } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import { openOperation } from "./core/operation.ts";
import type { Service } from "./core/service.ts";
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
    timestamp: timestampField,
    uptime_seconds: z.number().int(),
    checks: z.object({ kv: state, queue: state, search: state }),
  }).meta({ id: "Health" }),
  errors: ["SERVICE_UNAVAILABLE"],
  async run(service) {
    const [{ kv, queue }, search] = await Promise.all([
      storeStates(service),
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

interface StoreStates {
  kv: State;
  queue: State;
}

/** The look at the database that is under way: those who ask meanwhile share it. */
const looks = new WeakMap<Service, Promise<StoreStates>>();

/** Ranges, because a row may be in memory: they are read from the database each time. */
async function storeStates(service: Service): Promise<StoreStates> {
  const sharing = looks.get(service);
  if (sharing) return await sharing;
  const read = (prefix: Deno.KvKey) =>
    probe(() => service.database.collect({ prefix }, { limit: 1 }));
  const look = Promise.all([read(keys.mark("health")), read(keys.jobsDue())])
    .then(([kv, queue]) => ({ kv, queue }));
  looks.set(service, look);
  return await look.finally(() => looks.delete(service));
}

async function probe(check: () => Promise<unknown>): Promise<State> {
  const { promise, resolve } = Promise.withResolvers<State>();
  const timer = setTimeout(() => resolve("down"), checkMs);
  check().then(() => resolve("ok"), () => resolve("down"));
  return await promise.finally(() => clearTimeout(timer));
}
