import type { User } from "../accounts/user.ts";
import { ServiceError } from "../core/errors.ts";
import type { Plan, PlanLimits } from "../core/plans.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { periodAt } from "./subscription_rules.ts";
import { spans, windowStart } from "./windows.ts";

export type Counted = "emails" | "searches" | "sends";

/** The use of an account in one billing period; absent counts are 0. */
export type Usage = Partial<Record<Counted, number>>;

/** The use on one day in UTC: one row per account, reset each day. `day` is its start in ms since 1970. */
type DayUsage = Usage & { day: number };

/** A quota that would be exceeded. `what` names the field of the plan table. */
export interface Exceeded {
  what: Quota;
  limit: number;
  used: number;
}

const quotaNames = {
  emailsPerMonth: "emails of this month are",
  emailsPerDay: "emails of today are",
  searchesPerMonth: "searches of this month are",
  sendsPerDay: "sends of today are",
  storageBytes: "storage is",
} satisfies Partial<Record<keyof PlanLimits, string>>;

type Quota = keyof typeof quotaNames;

/** The plan limits of each counter, by span. */
const guards = {
  emails: { period: "emailsPerMonth", day: "emailsPerDay" },
  searches: { period: "searchesPerMonth" },
  sends: { day: "sendsPerDay" },
} as const satisfies Record<Counted, Partial<Record<"period" | "day", Quota>>>;

/**
 * Counts one of `what` and `bytes` of storage in the caller's transaction, together with the change that they are for.
 * Returns the first limit that is exceeded, then nothing is counted; else null.
 */
export async function spend(
  tx: Tx,
  user: User,
  limits: PlanLimits,
  now: number,
  what: Counted,
  bytes = 0,
): Promise<Exceeded | null> {
  const guard: { period?: Quota; day?: Quota } = guards[what];
  const writes: [Deno.KvKey, unknown][] = [];
  if (guard.period) {
    const key = periodKey(user, now);
    const usage = await tx.get<Usage>(key) ?? {};
    const exceeded = exceeds(limits, guard.period, usage[what] ?? 0);
    if (exceeded) return exceeded;
    writes.push([key, { ...usage, [what]: (usage[what] ?? 0) + 1 }]);
  }
  if (guard.day) {
    const key = keys.usage(user.userId, "today");
    const today = dayOf(await tx.get<DayUsage>(key), now);
    const exceeded = exceeds(limits, guard.day, today[what] ?? 0);
    if (exceeded) return exceeded;
    writes.push([key, { ...today, [what]: (today[what] ?? 0) + 1 } satisfies DayUsage]);
  }
  if (bytes > 0) {
    const key = keys.storage(user.userId);
    const used = await tx.get<number>(key) ?? 0;
    if (limits.storageBytes !== null && used + bytes > limits.storageBytes) {
      return { what: "storageBytes", limit: limits.storageBytes, used };
    }
    writes.push([key, used + bytes]);
  }
  for (const [key, value] of writes) tx.set(key, value);
  return null;
}

/** The use of the billing period at `now`. */
export async function readUsage(tx: Pick<Tx, "get">, user: User, now: number): Promise<Usage> {
  return await tx.get<Usage>(periodKey(user, now)) ?? {};
}

/** The FORBIDDEN of an operation past the plan. */
export function overQuota({ what, limit, used }: Exceeded, plan: Plan): ServiceError {
  const message = `The plan's ${quotaNames[what]} used up.`;
  return new ServiceError("FORBIDDEN", message, { limit, used, plan });
}

/** The key has the start of the period, so that a new subscription begins with a new row. */
function periodKey(user: User, now: number): Deno.KvKey {
  const { start } = periodAt(user.subscription?.period ?? null, now);
  return keys.usage(user.userId, new Date(start).toISOString());
}

/** If the clock was set back to the day before, the later day's counts stay: no quota is granted twice. */
function dayOf(row: DayUsage | null, now: number): DayUsage {
  const day = windowStart("day", now);
  return row && (row.day === day || row.day === day + spans.day) ? row : { day };
}

function exceeds(limits: PlanLimits, what: Quota, used: number): Exceeded | null {
  const limit = limits[what];
  return limit !== null && used >= limit ? { what, limit, used } : null;
}
