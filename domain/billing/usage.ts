import type { User } from "../accounts/user.ts";
import { ServiceError } from "../core/errors.ts";
import type { Plan, PlanLimits } from "../core/plans.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { countWebhooks } from "../webhooks/webhook.ts";
import {
  countedAt,
  leftOf,
  type Quota,
  quotaNames,
  quotas,
  readRow,
  type Reserved,
  rowKey,
  rowNames,
  UsageCounts,
} from "./usage_counts.ts";

/** A quota that would be exceeded. `what` names the field of the plan table. */
export interface Exceeded {
  what: Quota;
  limit: number;
  used: number;
}

/**
 * Counts one of `what` (null: of nothing) and `bytes` of storage in the caller's transaction, together with the change
 * that they are for. Returns null; or, if a limit would be exceeded, that limit, and counts nothing.
 */
export async function spend(
  tx: Tx,
  user: User,
  limits: PlanLimits,
  now: number,
  what: "emails" | "searches" | "sends" | null,
  bytes = 0,
): Promise<Exceeded | null> {
  const counts = new UsageCounts(tx, countedAt(user, now));
  for (const quota of quotaNames) {
    const { field } = quotas[quota];
    const amount = field === "bytes" ? bytes : field === what ? 1 : 0;
    const limit = limits[quota];
    if (amount === 0 || await counts.useReserved(quota, amount, limit)) continue;
    const isOver = async () => limit !== null && await counts.counted(quota) + amount > limit;
    if (await isOver() && (!await counts.giveBackReserved() || await isOver())) {
      return { what: quota, limit: limit!, used: await counts.counted(quota) };
    }
    await counts.count(quota, amount, limit);
  }
  counts.write();
  return null;
}

/** Gives storage of the account back, or takes it: `bytes` may be negative. */
export async function countStorage(tx: Tx, userId: string, bytes: number): Promise<void> {
  const key = keys.storage(userId);
  tx.set(key, Math.max(0, (await tx.get<number>(key) ?? 0) + bytes));
}

/** What `readUsage` reads with. */
type Reader = Pick<Database, "get" | "collect" | "exclusive">;

/** What an account has used of each quota at `now`. */
export async function readUsage(
  database: Reader,
  user: User,
  now: number,
): Promise<Record<Quota, number>> {
  const at = countedAt(user, now);
  const reserved = database.exclusive
    ? []
    : database.collect<Reserved>({ prefix: keys.usagesReserved(at.userId) });
  const [[period, day, storage], shards] = await Promise.all([
    Promise.all(rowNames.map((name) => readRow(database, at, name))),
    reserved,
  ]);
  const rows = { period, day, storage };
  const usedOf = (quota: Quota) => {
    const { row, field } = quotas[quota];
    const left = shards.map(({ value }) => leftOf(value, quota, at)?.amount ?? 0);
    return left.reduce((used, amount) => used - amount, rows[row][field] ?? 0);
  };
  const used = quotaNames.map((quota) => [quota, usedOf(quota)]);
  return Object.fromEntries(used) as Record<Quota, number>;
}

/** The same, and how many mailboxes and webhooks the account has. */
export async function readUsageAndNumbers(database: Reader, user: User, now: number) {
  const [usage, mailboxes, webhooks] = await Promise.all([
    readUsage(database, user, now),
    database.get<number>(keys.mailboxQuota(user.userId)),
    countWebhooks(database, user.userId),
  ]);
  return { ...usage, mailboxes: mailboxes ?? 0, webhooks };
}

/** The rows in which `spend` counts an email. */
export function rowsOfUse(user: User, now: number): Deno.KvKey[] {
  const at = countedAt(user, now);
  return rowNames.map((name) => rowKey(at, name));
}

/** How many emails, and how many bytes of them, `spend` would take now. */
export interface Room {
  emails: number;
  bytes: number;
}

/** The room of an account for mail; Infinity if its plan has no limit. */
export async function roomFor(
  database: Reader,
  user: User,
  limits: PlanLimits,
  now: number,
): Promise<Room> {
  const { emailsPerMonth, emailsPerDay, storageBytes } = limits;
  if (emailsPerMonth === null && emailsPerDay === null && storageBytes === null) {
    return { emails: Infinity, bytes: Infinity };
  }
  const used = await readUsage(database, user, now);
  const left = (quota: Quota) => (limits[quota] ?? Infinity) - used[quota];
  return {
    emails: Math.min(left("emailsPerMonth"), left("emailsPerDay")),
    bytes: left("storageBytes"),
  };
}

/** The FORBIDDEN of an operation past the plan. */
export function overQuota({ what, limit, used }: Exceeded, plan: Plan): ServiceError {
  const message = `The plan's ${quotas[what].name} used up.`;
  return new ServiceError("FORBIDDEN", message, { limit, used, plan });
}
