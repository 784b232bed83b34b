import { z } from "zod";
import type { Service } from "../core/service.ts";
import * as keys from "./keys.ts";
import { within } from "../core/within.ts";

export const state = z.enum(["ok", "down"]);

export type State = z.output<typeof state>;

export interface StoreStates {
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

/** A check that has no result by then is down. */
const checkMs = 2_000;

/** "ok", or "down" if the check fails or has no result in time. */
export async function probe(
  { clock }: Pick<Service, "clock">,
  check: () => Promise<unknown>,
): Promise<State> {
  return await within(clock, check(), checkMs).then(() => "ok" as const, () => "down" as const);
}
