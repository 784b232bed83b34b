import { z } from "zod";
import type { Service } from "../core/service.ts";
import * as keys from "./keys.ts";
import { within } from "../core/work/within.ts";

export const state = z.enum(["ok", "down"]);

export type State = z.output<typeof state>;

export interface States {
  kv: State;
  queue: State;
  search: State;
}

type Parts = Pick<Service, "database" | "clock" | "searchIndex">;

/** A good result is used this long, because a check costs ten times as much as an answer. */
const keptMs = 50;

/** Checks the database and the search index. Requests that come while a check runs share its result. */
export class StoreChecks {
  private running: Promise<States> | null = null;
  private good: { states: States; at: number } | null = null;

  async run(parts: Parts): Promise<States> {
    return this.known(parts) ??
      await (this.running ??= this.check(parts).finally(() => this.running = null));
  }

  /** A good result that is used still; otherwise null. */
  known({ clock }: Pick<Parts, "clock">): States | null {
    const { good } = this;
    return good && clock.elapsed() - good.at < keptMs ? good.states : null;
  }

  private async check(parts: Parts): Promise<States> {
    const at = parts.clock.elapsed();
    // Reads a range, because a single row may come from memory. The jobs are rows of the same database.
    const read = () => parts.database.collect({ prefix: keys.jobsDue() }, { limit: 1 });
    const [kv, search] = await Promise.all([
      probe(parts, read),
      probe(parts, () => parts.searchIndex.check()),
    ]);
    const states = { kv, queue: kv, search };
    this.good = kv === "ok" && search === "ok" ? { states, at } : null;
    return states;
  }
}

/** A check that has no result by then is down. */
const checkMs = 2_000;

/** "ok", or "down" if the check fails or has no result in time. */
async function probe({ clock }: Parts, check: () => Promise<unknown>): Promise<State> {
  return await within(clock, check(), checkMs).then(() => "ok" as const, () => "down" as const);
}
