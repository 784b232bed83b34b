import type { User } from "../accounts/user.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Plan, PlanLimits } from "../core/plans.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { periodAt } from "./subscription_rules.ts";
import {
  type Counted,
  type Counter,
  type Quota,
  quotaNames,
  type Reserved,
  reservedOf,
  UsageCounts,
} from "./usage_counts.ts";
import { windowStart } from "./windows.ts";

/** The use of an account in one billing period; absent counts are 0. */
export type Usage = Partial<Record<Counted, number>>;

/** A quota that would be exceeded. `what` names the field of the plan table. */
export interface Exceeded {
  what: Quota;
  limit: number;
  used: number;
}

/** The plan limits of each counter, by span. */
const guards = {
  emails: { period: "emailsPerMonth", day: "emailsPerDay" },
  searches: { period: "searchesPerMonth" },
  sends: { day: "sendsPerDay" },
} as const satisfies Record<Counted, Partial<Record<"period" | "day", Quota>>>;

/**
 * Counts one of `what` and `bytes` of storage in the caller's transaction, together with the change that they are for.
 * Returns null; or, if a limit would be exceeded, that limit, and counts nothing.
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
  const counters: Counter[] = [];
  if (guard.period) counters.push({ quota: guard.period, row: "period", field: what, amount: 1 });
  if (guard.day) counters.push({ quota: guard.day, row: "day", field: what, amount: 1 });
  if (bytes > 0) {
    counters.push({ quota: "storageBytes", row: "storage", field: "bytes", amount: bytes });
  }
  const counts = new UsageCounts(tx, user.userId, periodOf(user, now), windowStart("day", now));
  for (const counter of counters) {
    const limit = limits[counter.quota];
    if (await counts.useReserved(counter, limit)) continue;
    const isOver = async () =>
      limit !== null && await counts.counted(counter) + counter.amount > limit;
    if (await isOver() && (!await counts.giveBackReserved() || await isOver())) {
      return { what: counter.quota, limit: limit!, used: await counts.counted(counter) };
    }
    await counts.count(counter, limit);
  }
  counts.write();
  return null;
}

interface Used {
  emails: number;
  searches: number;
  storageBytes: number;
  emailsToday: number;
  sendsToday: number;
}

/** The use of the billing period at `now`, the storage in bytes, and the mail of this day in UTC. */
export async function readUsage(
  database: Pick<Database, "get" | "collect" | "exclusive">,
  user: User,
  now: number,
): Promise<Used> {
  const { userId } = user;
  const period = periodOf(user, now), day = windowStart("day", now);
  const [usage, today, bytes, lanes] = await Promise.all([
    database.get<Usage>(keys.usage(userId, period)),
    database.get<Usage & { day: number }>(keys.usage(userId, "today")),
    database.get<number>(keys.storage(userId)),
    database.exclusive ? [] : database.collect<Reserved>({ prefix: keys.usagesReserved(userId) }),
  ]);
  const reserved = (quota: Quota) =>
    lanes.reduce(
      (sum, { value }) => sum + (reservedOf(value, quota, { period, day })?.amount ?? 0),
      0,
    );
  return {
    emails: (usage?.emails ?? 0) - reserved("emailsPerMonth"),
    searches: (usage?.searches ?? 0) - reserved("searchesPerMonth"),
    storageBytes: (bytes ?? 0) - reserved("storageBytes"),
    emailsToday: today?.day === day ? (today.emails ?? 0) - reserved("emailsPerDay") : 0,
    sendsToday: today?.day === day ? (today.sends ?? 0) - reserved("sendsPerDay") : 0,
  };
}

/** The rows in which `spend` counts an email. */
export function rowsOfUse(user: User, now: number): Deno.KvKey[] {
  const { userId } = user;
  return [
    keys.usage(userId, periodOf(user, now)),
    keys.usage(userId, "today"),
    keys.storage(userId),
  ];
}

/** How many emails, and how many bytes of them, `spend` would take now. */
export interface Room {
  emails: number;
  bytes: number;
}

/** The room of an account for mail; Infinity if its plan has no limit. */
export async function roomFor(
  database: Pick<Database, "get" | "collect" | "exclusive">,
  user: User,
  limits: PlanLimits,
  now: number,
): Promise<Room> {
  const { emailsPerMonth, emailsPerDay, storageBytes } = limits;
  if (emailsPerMonth === null && emailsPerDay === null && storageBytes === null) {
    return { emails: Infinity, bytes: Infinity };
  }
  const used = await readUsage(database, user, now);
  const left = (limit: number | null, used: number) => limit === null ? Infinity : limit - used;
  return {
    emails: Math.min(left(emailsPerMonth, used.emails), left(emailsPerDay, used.emailsToday)),
    bytes: left(storageBytes, used.storageBytes),
  };
}

/** The FORBIDDEN of an operation past the plan. */
export function overQuota({ what, limit, used }: Exceeded, plan: Plan): ServiceError {
  const message = `The plan's ${quotaNames[what]} used up.`;
  return new ServiceError("FORBIDDEN", message, { limit, used, plan });
}

/** The start of the period, so that a new subscription begins with a new row. */
function periodOf(user: User, now: number): string {
  const { start } = periodAt(user.subscription?.period ?? null, now);
  return isoTime(start);
}
