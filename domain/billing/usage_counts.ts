import type { User } from "../accounts/user.ts";
import { isoTime } from "../core/clock.ts";
import type { PlanLimits } from "../core/plans.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { shards } from "../store/transaction.ts";
import { periodAt } from "./subscription_rules.ts";
import { spans, windowStart } from "./windows.ts";

/** The rows in which an account is counted: one for the billing period, one for the day, one number for the storage. */
export const rowNames = ["period", "day", "storage"] as const;
type RowName = typeof rowNames[number];
export type Row = Record<string, number>;

/** The quotas of a plan that are counted here: the row and the field of each, and its name in a refusal. */
export const quotas = {
  emailsPerMonth: { row: "period", field: "emails", name: "emails of this month are" },
  emailsPerDay: { row: "day", field: "emails", name: "emails of today are" },
  searchesPerMonth: { row: "period", field: "searches", name: "searches of this month are" },
  sendsPerDay: { row: "day", field: "sends", name: "sends of today are" },
  storageBytes: { row: "storage", field: "bytes", name: "storage is" },
} as const satisfies Partial<
  Record<keyof PlanLimits, { row: RowName; field: string; name: string }>
>;
export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[];

/** What a shard (a group of processes) has counted in the rows of the account and not used. */
export interface Reserved {
  period: string;
  day: number;
  left: Partial<Record<Quota, Left>>;
}

/** `limit`: of the plan when it was reserved. */
interface Left {
  amount: number;
  limit: number | null;
}

/** An account in its billing period and its day (UTC), each as its row names it. */
export interface CountedAt {
  userId: string;
  /** The start of the period: a new subscription begins with a new row. */
  period: string;
  /** The start of the day, ms since 1970. */
  day: number;
}

export function countedAt({ userId, subscription }: User, now: number): CountedAt {
  const { start } = periodAt(subscription?.period ?? null, now);
  return { userId, period: isoTime(start), day: windowStart("day", now) };
}

export function rowKey({ userId, period }: CountedAt, row: RowName): Deno.KvKey {
  return row === "storage"
    ? keys.storage(userId)
    : keys.usage(userId, row === "day" ? "today" : period);
}

/** A row as it counts now, without what it counted on an earlier day. */
export async function readRow(
  store: Pick<Tx, "get">,
  at: CountedAt,
  name: RowName,
): Promise<Row> {
  const stored = await store.get<Row | number>(rowKey(at, name));
  if (typeof stored === "number") return { bytes: stored };
  if (name !== "day") return { ...stored };
  // If the clock was set back to the day before, the later day's counts stay: no quota is granted twice.
  const { day } = at;
  return stored && (stored.day === day || stored.day === day + spans.day) ? { ...stored } : { day };
}

/** What a shard has left of a quota; null if it is of another period or day. */
export function leftOf(reserved: Reserved | null, quota: Quota, at: CountedAt): Left | null {
  const { row } = quotas[quota];
  if (!reserved || (row !== "storage" && reserved[row] !== at[row])) return null;
  return reserved.left[quota] ?? null;
}

/** The most that is reserved at once. */
const largestBlocks = { period: 256, day: 256, storage: 64 * 2 ** 20 };
/**
 * A block is at most this share of what is left. If that is less than 1, every use is counted by itself, so that the
 * limit is exact.
 */
const blockShare = 16;

/**
 * The counters of an account in one transaction. If another process counts for the account too, this one reserves a
 * block: it counts the block in the rows of the account, and notes in the row of its shard how much of it is left. So
 * arrivals in several processes rarely write the same row. The count is never below the use, so no quota is exceeded.
 * Before something is refused, all shards give back what they have left, so nothing is refused too early.
 *
 * What is left is stored, unlike the blocks of `windows.ts`: a mail is paid for in the commit that stores it, a kill may
 * cost no storage, and any process can give back what another one has left.
 */
export class UsageCounts {
  /** The rows and the shards as `write` leaves them. */
  private readonly rows = new Map<RowName, Row>();
  private readonly shards = new Map<number, Reserved | null>();

  constructor(private readonly tx: Tx, private readonly at: CountedAt) {}

  /** What is counted, which includes what shards have reserved. */
  async counted(quota: Quota): Promise<number> {
    const { row, field } = quotas[quota];
    return (await this.row(row))[field] ?? 0;
  }

  /** Takes the amount from what this shard has left. Returns false if that is not enough. */
  async useReserved(quota: Quota, amount: number, limit: number | null): Promise<boolean> {
    if (!this.isContended(quota)) return false;
    const left = leftOf(await this.shard(), quota, this.at);
    if (!left || left.limit !== limit || left.amount < amount) return false;
    await this.setLeft(quota, { amount: left.amount - amount, limit });
    return true;
  }

  /** Counts the amount, plus a block if another process counts too. */
  async count(quota: Quota, amount: number, limit: number | null): Promise<void> {
    let change = amount;
    if (this.isContended(quota)) {
      const before = leftOf(await this.shard(), quota, this.at)?.amount ?? 0;
      const free = limit === null ? Infinity : limit - await this.counted(quota);
      const block = Math.min(largestBlocks[quotas[quota].row], Math.floor(free / blockShare));
      const left = Math.max(0, block - amount);
      change += left - before;
      if (left > 0 || before > 0) await this.setLeft(quota, { amount: left, limit });
    }
    await this.add(quota, change);
  }

  /** Subtracts what every shard has left. Returns false if none had anything. */
  async giveBackReserved(): Promise<boolean> {
    if (this.tx.shard === null) return false;
    const numbers = Array.from({ length: shards }, (_, shard) => shard);
    const all = await Promise.all(numbers.map((shard) => this.shard(shard)));
    let found = false;
    for (const [shard, reserved] of all.entries()) {
      if (!reserved) continue;
      for (const quota of quotaNames) {
        const { amount } = leftOf(reserved, quota, this.at) ?? { amount: 0 };
        if (amount === 0) continue;
        await this.add(quota, -amount);
        found = true;
      }
      this.shards.set(shard, null);
    }
    return found;
  }

  /** Writes what was changed. */
  write(): void {
    const { tx, at } = this;
    for (const [name, row] of this.rows) {
      tx.set(rowKey(at, name), name === "storage" ? row.bytes : row);
    }
    for (const [shard, reserved] of this.shards) {
      const key = keys.usageReserved(at.userId, shard);
      if (reserved) tx.set(key, reserved);
      else tx.delete(key);
    }
  }

  private isContended(quota: Quota): boolean {
    return this.tx.shard !== null && this.tx.contended(rowKey(this.at, quotas[quota].row));
  }

  private async add(quota: Quota, change: number): Promise<void> {
    const { row, field } = quotas[quota];
    const counts = await this.row(row);
    counts[field] = (counts[field] ?? 0) + change;
  }

  private async row(name: RowName): Promise<Row> {
    const known = this.rows.get(name);
    if (known) return known;
    const row = await readRow(this.tx, this.at, name);
    this.rows.set(name, row);
    return row;
  }

  private async shard(shard: number = this.tx.shard!): Promise<Reserved | null> {
    const changed = this.shards.get(shard);
    if (changed !== undefined) return changed;
    return await this.tx.get<Reserved>(keys.usageReserved(this.at.userId, shard), {
      likelyAbsent: shard === this.tx.shard,
    });
  }

  private async setLeft(quota: Quota, left: Left): Promise<void> {
    const { period, day } = this.at;
    const before = await this.shard();
    const all: Reserved["left"] = { [quota]: left };
    // What is left of an earlier period or day is dropped.
    for (const other of quotaNames) {
      const kept = other === quota ? null : leftOf(before, other, this.at);
      if (kept) all[other] = kept;
    }
    this.shards.set(this.tx.shard!, { period, day, left: all });
  }
}
