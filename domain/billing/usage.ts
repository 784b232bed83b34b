import type { User } from "../accounts/user.ts";
import type { PlanLimits } from "../plans.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";

/** What an account has used up in one period; absent counts are 0. */
export interface Usage {
  emails?: number;
  searches?: number;
  sends?: number;
}

export type Counted = "emails" | "searches" | "sends";

/** A quota that would be exceeded: nothing was spent. `what` names the field of the plan table. */
export interface Exceeded {
  what: keyof PlanLimits;
  limit: number;
  used: number;
}

/** The key parts of the periods that `now` lies in: the billing month and the day, in UTC. */
export function usagePeriods(_user: User, now: number): { month: string; day: string } {
  const date = new Date(now).toISOString();
  return { month: date.slice(0, 7), day: date.slice(0, 10) };
}

/** Which plan limit guards which counter in which period. */
const guards = {
  emails: { month: "emailsPerMonth", day: "emailsPerDay" },
  searches: { month: "searchesPerMonth" },
  sends: { day: "sendsPerDay" },
} as const satisfies Record<Counted, Partial<Record<"month" | "day", keyof PlanLimits>>>;

/**
 * Spends one of `what`, and `bytes` of storage, in the caller's transaction, so that what is used up is
 * counted exactly with what used it. Answers the first limit that forbids it, with nothing spent; else null.
 */
export async function spend(
  tx: Tx,
  user: User,
  limits: PlanLimits,
  now: number,
  what: Counted,
  bytes = 0,
): Promise<Exceeded | null> {
  const periods = usagePeriods(user, now);
  const writes: [Deno.KvKey, Usage][] = [];
  for (
    const [span, name] of Object.entries(guards[what]) as ["month" | "day", keyof PlanLimits][]
  ) {
    const key = keys.usage(user.userId, periods[span]);
    const usage = await tx.get<Usage>(key) ?? {};
    const used = usage[what] ?? 0;
    const limit = limits[name];
    if (limit !== null && used >= limit) return { what: name, limit, used };
    writes.push([key, { ...usage, [what]: used + 1 }]);
  }
  if (bytes > 0) {
    const used = await tx.get<number>(keys.storage(user.userId)) ?? 0;
    if (limits.storageBytes !== null && used + bytes > limits.storageBytes) {
      return { what: "storageBytes", limit: limits.storageBytes, used };
    }
    tx.set(keys.storage(user.userId), used + bytes);
  }
  for (const [key, usage] of writes) tx.set(key, usage);
  return null;
}
