import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { lanes } from "../store/transaction.ts";
import type { PlanLimits } from "../core/plans.ts";
import { spans } from "./windows.ts";

export type Counted = "emails" | "searches" | "sends";

export const quotaNames = {
  emailsPerMonth: "emails of this month are",
  emailsPerDay: "emails of today are",
  searchesPerMonth: "searches of this month are",
  sendsPerDay: "sends of today are",
  storageBytes: "storage is",
} satisfies Partial<Record<keyof PlanLimits, string>>;

export type Quota = keyof typeof quotaNames;

/** One counter of an account: a field of one of its rows, and the quota of the plan that it counts for. */
export interface Counter {
  quota: Quota;
  row: "period" | "day" | "storage";
  field: Counted | "bytes";
  amount: number;
}

/** What a lane (a group of processes) has counted in the rows of the account and not used. */
export interface Reserved {
  period: string;
  day: number;
  left: Partial<Record<Quota, Left>>;
}

/** `limit`: of the plan when it was reserved. `row` and `field` are those of the counter. */
interface Left extends Pick<Counter, "row" | "field" | "amount"> {
  limit: number | null;
}

/** The rows in which an account is counted: one for the period, one for the day, one number for the storage. */
type Row = Record<string, number>;

/** The most that is reserved at once. */
const largestBlocks = { period: 256, day: 256, storage: 64 * 2 ** 20 };
/**
 * A block is at most this share of what is left. If that is less than 1, every use is counted by itself, so that the
 * limit is exact.
 */
const blockShare = 16;

/** What a lane has left of a quota; null if it is of another period or day. */
export function reservedOf(
  reserved: Reserved,
  quota: Quota,
  now: { period?: string; day?: number },
): Left | null {
  const left = reserved.left[quota];
  if (!left) return null;
  if (left.row === "period" && reserved.period !== now.period) return null;
  if (left.row === "day" && reserved.day !== now.day) return null;
  return left;
}

/**
 * The counters of an account in one transaction. If another process counts for the account too, this one reserves a
 * block: it counts the block in the rows of the account, and notes in the row of its lane how much of it is left. So
 * arrivals in several processes rarely write the same row. The count is never below the use, so no quota is exceeded.
 * Before something is refused, all lanes give back what they have left, so nothing is refused too early.
 */
export class UsageCounts {
  private readonly rows = new Map<Counter["row"], Row>();
  private readonly written = new Set<Counter["row"]>();
  private own: Reserved | null = null;
  private ownIsRead = false;
  private ownIsWritten = false;
  /** Lanes that have given back what they had left. */
  private readonly given = new Set<number>();

  constructor(
    private readonly tx: Tx,
    private readonly userId: string,
    private readonly period: string,
    private readonly day: number,
  ) {}

  /** What is counted, which includes what lanes have reserved. */
  async counted({ row, field }: Counter): Promise<number> {
    return (await this.row(row))[field] ?? 0;
  }

  /** Takes the amount from what this lane has left. Returns false if that is not enough. */
  async useReserved(counter: Counter, limit: number | null): Promise<boolean> {
    if (!this.isContended(counter.row)) return false;
    const left = this.left(await this.ownReserved(), counter.quota);
    if (!left || left.limit !== limit || left.amount < counter.amount) return false;
    this.setLeft(counter, limit, left.amount - counter.amount);
    return true;
  }

  /** Counts the amount, plus a block if another process counts too. */
  async count(counter: Counter, limit: number | null): Promise<void> {
    const { row, field, quota, amount } = counter;
    const counts = await this.row(row);
    let change = amount;
    if (this.isContended(row)) {
      const before = this.left(await this.ownReserved(), quota)?.amount ?? 0;
      const free = limit === null ? Infinity : limit - (counts[field] ?? 0);
      const block = Math.min(largestBlocks[row], Math.floor(free / blockShare));
      const left = Math.max(0, block - amount);
      change += left - before;
      if (left > 0 || before > 0) this.setLeft(counter, limit, left);
    }
    counts[field] = (counts[field] ?? 0) + change;
    this.written.add(row);
  }

  /** Subtracts what every lane has left. Returns false if none had anything. */
  async giveBackReserved(): Promise<boolean> {
    const { tx } = this;
    if (tx.lane === null) return false;
    const all = await Promise.all(
      Array.from({ length: lanes }, (_, lane) => tx.get<Reserved>(this.laneKey(lane))),
    );
    if (this.ownIsWritten) all[tx.lane] = this.own;
    let found = false;
    for (const [lane, reserved] of all.entries()) {
      if (!reserved) continue;
      for (const quota of Object.keys(reserved.left) as Quota[]) {
        const left = this.left(reserved, quota);
        if (!left || left.amount === 0) continue;
        (await this.row(left.row))[left.field] -= left.amount;
        this.written.add(left.row);
        found = true;
      }
      this.given.add(lane);
    }
    this.own = null;
    this.ownIsRead = true;
    this.ownIsWritten = false;
    return found;
  }

  /** Writes the rows that were changed. */
  write(): void {
    const { tx, userId } = this;
    for (const row of this.written) {
      const counts = this.rows.get(row)!;
      tx.set(this.key(row), row === "storage" ? counts.bytes : counts);
    }
    for (const lane of this.given) tx.delete(this.laneKey(lane));
    if (this.ownIsWritten) tx.set(keys.usageReserved(userId, tx.lane!), this.own);
  }

  private isContended(row: Counter["row"]): boolean {
    return this.tx.lane !== null && this.tx.contended(this.key(row));
  }

  private async row(name: Counter["row"]): Promise<Row> {
    const known = this.rows.get(name);
    if (known) return known;
    const stored = await this.tx.get<Row | number>(this.key(name));
    const row = typeof stored === "number"
      ? { bytes: stored }
      : name === "day"
      ? dayOf(stored, this.day)
      : { ...stored };
    this.rows.set(name, row);
    return row;
  }

  private key(row: Counter["row"]): Deno.KvKey {
    if (row === "storage") return keys.storage(this.userId);
    return keys.usage(this.userId, row === "day" ? "today" : this.period);
  }

  private laneKey(lane: number): Deno.KvKey {
    return keys.usageReserved(this.userId, lane);
  }

  private async ownReserved(): Promise<Reserved | null> {
    if (!this.ownIsRead) {
      const key = this.laneKey(this.tx.lane!);
      this.own = await this.tx.get<Reserved>(key, { likelyAbsent: true });
      this.ownIsRead = true;
    }
    return this.own;
  }

  private left(reserved: Reserved | null, quota: Quota): Left | null {
    return reserved && reservedOf(reserved, quota, { period: this.period, day: this.day });
  }

  private setLeft(counter: Counter, limit: number | null, amount: number): void {
    const { period, day } = this;
    const left = { ...this.own?.left };
    // What is left of an earlier period or day is dropped.
    for (const quota of Object.keys(left) as Quota[]) {
      if (!this.left(this.own, quota)) delete left[quota];
    }
    const { quota, row, field } = counter;
    left[quota] = { amount, limit, row, field };
    this.own = { period, day, left };
    this.ownIsWritten = true;
  }
}

/**
 * The row of a day in UTC, `day` is its start in ms since 1970: one row for each account, which begins anew each day. If
 * the clock was set back to the day before, the later day's counts stay: no quota is granted twice.
 */
function dayOf(row: Row | null, day: number): Row {
  return row && (row.day === day || row.day === day + spans.day) ? { ...row } : { day };
}
