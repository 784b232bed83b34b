import { type Clock, systemClock } from "../core/clock.ts";
import { ServiceError, unavailable } from "../core/errors.ts";
import { type Ids, systemIds } from "../core/ids.ts";
import { describeError, type Log } from "../core/log.ts";
import { Batch, type PendingTransaction } from "./batch.ts";
import { faultsToUnavailable, pause } from "./faults.ts";
import { maxRowsOfRange, RangeCache } from "./range_cache.ts";
import { getManyKeys, RowCache } from "./row_cache.ts";
import { isBeyondKeys, keyText } from "./key_text.ts";
import type { Entry, Expectation, Tx } from "./transaction.ts";
export type { Tx } from "./transaction.ts";

const maxAttempts = 12;
/** After a wrong assumption "absent", which cost a commit, nothing is assumed for this long. */
const readingMs = 1_000;

/**
 * The database; docs/decisions.md "The database". Every write of this process goes through `transact`, which runs the
 * waiting transactions one after another in memory and commits them together: one fsync for many callers, and no lost
 * race inside a process.
 *
 * Rows that were read or written lately are kept in memory. If no other process writes the store (`exclusive`), reads
 * are served from memory too; else only transactions are, because their commit checks the rows.
 */
export class Database {
  private readonly reader: Deno.Kv;
  private readonly parts: { clock: Clock; ids: Ids };
  private readonly rows: RowCache;
  private readonly waiting: PendingTransaction[] = [];
  private pumping: Promise<void> | null = null;
  /** Wakes `fill`: a transaction waits, or the commit ahead has ended. */
  private wake: (() => void) | null = null;
  private readonly ranges = new RangeCache();
  private assumesFrom = 0;

  constructor(
    readonly kv: Deno.Kv,
    private readonly options: {
      log: Log;
      /**
       * No other process writes this database: rows in memory are then never stale, and the sweep of this process
       * removes expired rows (expiry.ts).
       */
      exclusive: boolean;
      clock?: Clock;
      ids?: Ids;
      /**
       * A second handle on the same file, for reads. A handle of a local database does its requests one after another,
       * so a read would wait for the commit before it. This handle sees a commit as soon as it is durable.
       */
      reader?: Deno.Kv;
    },
  ) {
    this.reader = options.reader ?? kv;
    this.parts = { clock: options.clock ?? systemClock, ids: options.ids ?? systemIds() };
    this.rows = new RowCache((keys) => this.retried(() => this.reader.getMany(keys)));
  }

  get exclusive(): boolean {
    return this.options.exclusive;
  }

  /** The row, or null. Rows are shared: do not change a returned object. */
  async get<T>(key: Deno.KvKey): Promise<T | null> {
    return (await this.read(key, { fresh: !this.exclusive })).value as T | null;
  }

  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<(T | null)[]> {
    return await Promise.all(keys.map((key) => this.get<T>(key)));
  }

  /** Rows of a range in key order (or reversed), read `batchSize` at a time. */
  list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncIterableIterator<Deno.KvEntry<T>> {
    return this.reader.list<T>(selector, {
      batchSize: Math.min(options.limit ?? 500, 500),
      ...options,
    });
  }

  /** All rows of a small range. */
  async collect<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): Promise<Deno.KvEntry<T>[]> {
    return await this.retried(async () => await Array.fromAsync(this.list<T>(selector, options)));
  }

  /**
   * All rows whose key is `prefix` and one more part. On an exclusive store they come from memory until one of them is
   * written. For small ranges that every request needs. Rows are shared: do not change them.
   */
  async cachedRange<T>(prefix: Deno.KvKey): Promise<readonly Deno.KvEntry<T>[]> {
    const read = () => this.collect<T>({ prefix });
    if (!this.exclusive) return await read();
    return await this.ranges.rows(prefix, read) as Deno.KvEntry<T>[];
  }

  /** As `cachedRange`, for a range that is usually small: null while it has more than 100 rows. */
  async cachedRangeIfSmall<T>(prefix: Deno.KvKey): Promise<readonly Deno.KvEntry<T>[] | null> {
    const read = () => this.collect<T>({ prefix }, { limit: maxRowsOfRange + 1 });
    const rows = this.exclusive ? await this.ranges.rows(prefix, read) : await read();
    return rows.length > maxRowsOfRange ? null : rows as Deno.KvEntry<T>[];
  }

  /**
   * Runs `body` on a consistent view and commits what it wrote, all or nothing. Resolves with what `body` returned,
   * after the commit is durable. What `body` throws is thrown, and nothing of it is written.
   *
   * `body` may run several times: it must only read through `tx`, compute, and write through `tx`, and never call
   * `transact`. Rows are shared: do not change an object that `tx.get` returned.
   * `prefetch` names keys that `body` will read, so that their reads overlap those of other callers.
   */
  async transact<R>(
    body: (tx: Tx) => R | Promise<R>,
    options: { prefetch?: readonly Deno.KvKey[] } = {},
  ): Promise<R> {
    if (options.prefetch) await this.prefetch(options.prefetch);
    return await new Promise<R>((resolve, reject) => {
      this.waiting.push({
        body,
        settle: null,
        attempts: 0,
        fresh: false,
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      this.wake?.();
      this.pumping ??= this.pump();
    });
  }

  /**
   * Writes rows without a transaction: only rows that nothing else reads or writes before this resolves, such as chunks
   * of a blob that is not attached yet. At most 800 KiB.
   */
  async write(rows: readonly { key: Deno.KvKey; value: unknown }[]): Promise<void> {
    const atomic = this.kv.atomic();
    for (const row of rows) atomic.set(row.key, row.value);
    await this.retried(() => atomic.commit());
  }

  /** The rows as they are stored now, with their versionstamps; not from memory. */
  async readStored(rows: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    const read = (from: number) => this.kv.getMany(rows.slice(from, from + getManyKeys));
    const found: Deno.KvEntryMaybe<unknown>[] = [];
    for (let i = 0; i < rows.length; i += getManyKeys) {
      found.push(...await this.retried(() => read(i)));
    }
    return found;
  }

  /** Removes `rows` and `others`. Returns false, with nothing removed, if one of `rows` was written after it was read. */
  async remove(
    rows: readonly Deno.KvEntryMaybe<unknown>[],
    others: readonly Deno.KvKey[],
  ): Promise<boolean> {
    const atomic = this.kv.atomic();
    for (const { key, versionstamp } of rows) atomic.check({ key, versionstamp }).delete(key);
    for (const key of others) atomic.delete(key);
    const { ok } = await this.retried(() => atomic.commit());
    for (const { key } of rows) {
      this.rows.forget(keyText(key));
      this.ranges.forgetRangeOf(key);
    }
    return ok;
  }

  /** Resolves when nothing waits to be committed. */
  async settled(): Promise<void> {
    while (this.pumping) await this.pumping;
  }

  /**
   * Reads rows that a transaction will need, before its turn and at the same time as other callers. Transactions run one
   * after another, so a read inside one delays all. The result may be out of date.
   */
  async prefetch<T>(
    keys: readonly Deno.KvKey[],
    { likelyAbsent: mayAssume = false }: Expectation = {},
  ): Promise<(T | null)[]> {
    const found = await Promise.all(keys.map((key) => this.read(key, { fresh: false, mayAssume })));
    return found.map((entry) => entry.value as T | null);
  }

  private async read(
    key: Deno.KvKey,
    how: { fresh: boolean; mayAssume?: boolean },
  ): Promise<Entry> {
    if (isBeyondKeys(key)) return { key, value: null, versionstamp: null };
    const known = how.fresh ? undefined : this.rows.known(key);
    if (known) return known;
    if (how.mayAssume && !how.fresh && this.parts.clock.elapsed() >= this.assumesFrom) {
      return { key, value: null, versionstamp: null, assumed: true };
    }
    return await this.rows.load(key);
  }

  /**
   * Commits batch after batch. While one is committed, the next is filled on top of it; if the first does not become
   * durable, the next runs again.
   *
   * Ends in the same turn of the event loop that finds nothing waiting. One turn later, a transaction that was added in
   * between would take this pump for a running one and wait forever.
   */
  private async pump(): Promise<void> {
    await null;
    let ahead: InFlightCommit | null = null;
    try {
      while (ahead || this.waiting.length > 0) {
        let next: Batch | null = await this.fill(ahead);
        if (ahead) {
          const { batch, verdict } = ahead;
          const outcome = await verdict;
          if (isDurable(outcome)) next.landed(outcome.versionstamp);
          else {
            this.waiting.unshift(...next.transactions);
            next = null;
          }
          if (outcome === "again") this.retry(batch);
        }
        ahead = next && next.transactions.length > 0 ? this.launch(next) : null;
      }
    } finally {
      this.pumping = null;
    }
  }

  private launch(batch: Batch): InFlightCommit {
    const commit: InFlightCommit = { batch, over: false, verdict: this.commit(batch) };
    commit.verdict.finally(() => {
      commit.over = true;
      this.wake?.();
    });
    return commit;
  }

  /**
   * Runs waiting transactions into one batch: as many as fit, and those that come while the batch ahead is in flight. A
   * transaction that has failed twice is alone in its batch.
   */
  private async fill(ahead: InFlightCommit | null): Promise<Batch> {
    const batch = new Batch((key, how) => this.read(key, how), ahead?.batch ?? null);
    while (!batch.full) {
      if (this.waiting.length === 0) {
        if (!ahead || ahead.over) break;
        await new Promise<void>((resolve) => this.wake = resolve);
        continue;
      }
      const pending = this.waiting[0];
      const alone = pending.attempts > 1;
      if (alone && batch.transactions.length > 0) break;
      if (alone) {
        await pause(this.parts, 0, 5 * pending.attempts);
      }
      if (!await batch.add(pending, this.options.exclusive)) break;
      this.waiting.shift();
      if (alone) break;
    }
    return batch;
  }

  /** Commits a batch. Unless it is to run again, its callers get their results at once. */
  private async commit(batch: Batch): Promise<Verdict> {
    const verdict = await this.attempt(batch);
    if (verdict === "again") return verdict;
    if ("error" in verdict) {
      this.options.log.error("store.commit_failed", {
        transactions: batch.transactions.length,
        error: describeError(verdict.error),
      });
      this.forget(batch);
      for (const pending of batch.transactions) pending.reject(verdict.error);
      return verdict;
    }
    if (verdict.versionstamp) this.learn(batch, verdict.versionstamp);
    for (const effect of batch.settle()) {
      try {
        effect();
      } catch (error) {
        this.options.log.error("store.effect_failed", { error: describeError(error) });
      }
    }
    return verdict;
  }

  /** One commit, retried for a second while the database is locked or full. */
  private async attempt(batch: Batch): Promise<Verdict> {
    if (batch.empty) return { versionstamp: null };
    const { clock, ids } = this.parts;
    try {
      const result = await this.retried(() =>
        batch.atomic(this.kv, this.exclusive ? { now: clock.now(), ids } : null).commit()
      );
      return result.ok ? { versionstamp: result.versionstamp } : "again";
    } catch (error) {
      // One transaction of many may be what the database does not accept.
      const mayBeOne = !(error instanceof ServiceError) && batch.transactions.length > 1;
      return mayBeOne ? "again" : { error };
    }
  }

  /**
   * After a failed check (another process wrote), or if one transaction of many is not acceptable: all run again on
   * rows that are read again, first together, then each alone.
   */
  private retry(batch: Batch): void {
    if (batch.assumes) this.assumesFrom = this.parts.clock.elapsed() + readingMs;
    this.forget(batch);
    const again: PendingTransaction[] = [];
    for (const pending of batch.transactions) {
      pending.attempts++;
      pending.fresh = true;
      if (pending.attempts < maxAttempts) again.push(pending);
      else pending.reject(unavailable("Too many writers at once; try again."));
    }
    this.waiting.unshift(...again);
  }

  private retried<T>(work: () => Promise<T>): Promise<T> {
    return faultsToUnavailable(this.parts, work);
  }

  private learn(batch: Batch, versionstamp: string): void {
    for (const [text, write] of batch.writes) {
      this.rows.learn(text, write, versionstamp);
      this.ranges.forgetRangeOf(write.key);
    }
  }

  private forget(batch: Batch): void {
    for (const text of [...batch.checks.keys(), ...batch.writes.keys()]) this.rows.forget(text);
    for (const write of batch.writes.values()) this.ranges.forgetRangeOf(write.key);
  }
}

/** How a commit ended: durable (no versionstamp if nothing was written), failed, or to run again. */
type Verdict = { versionstamp: string | null } | { error: unknown } | "again";

interface InFlightCommit {
  batch: Batch;
  verdict: Promise<Verdict>;
  over: boolean;
}

function isDurable(verdict: Verdict): verdict is { versionstamp: string | null } {
  return verdict !== "again" && "versionstamp" in verdict;
}
