import { type Clock, systemClock } from "../core/clock.ts";
import { type Ids, systemIds } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { Metrics } from "../core/metrics/metrics.ts";
import { maxChecks } from "./commits/batch.ts";
import { CommitQueue } from "./commits/commit_queue.ts";
import { readTogether } from "./commits/writer_row.ts";
import { FairTurns } from "../core/work/fair_turns.ts";
import { JournalWatch } from "./journal.ts";
import { maxRowsOfRange, RangeCache } from "./range_cache.ts";
import { RowCache } from "./row_cache.ts";
import { Connection } from "./remote/connection.ts";
import { exceedsKeyLimit, keyText } from "./key_text.ts";
import type { Entry, Tx } from "./transaction.ts";
export type { Tx } from "./transaction.ts";

/**
 * The database; docs/decisions.md "The database". Every write of this process goes through `transact`, which runs the
 * waiting transactions one after another in memory and commits them together: one fsync for many callers, and no lost
 * race inside a process.
 *
 * Rows that were read or written lately are kept in memory. If no other process writes the store (`exclusive`), reads
 * are served from memory too; else only transactions are, because their commit checks the rows.
 */
export class Database {
  /** Wakes those who wait for changes of an account. */
  readonly journal: JournalWatch;
  private readonly connection: Connection;
  private readonly rows: RowCache;
  private readonly ranges = new RangeCache();
  private readonly queue: CommitQueue;
  /** A handle of a local database does its requests one after another: reads of ranges take turns by account, page by page. */
  private readonly rangeTurns: FairTurns;

  readonly log: Log;

  constructor(
    kv: Deno.Kv,
    private readonly options: {
      log: Log;
      /** Gets the time and size of commits. */
      metrics?: Metrics;
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
      /** Opens another handle of a remote database. */
      reopen?: () => Promise<Deno.Kv>;
    },
  ) {
    const { clock = systemClock, ids = systemIds(), log, reader, reopen, exclusive } = options;
    this.log = log;
    this.connection = new Connection(kv, { clock, ids, log }, { reader, reopen });
    this.rows = new RowCache((keys) => this.connection.read((kv) => kv.getMany(keys)));
    this.rangeTurns = new FairTurns(2, clock);
    this.journal = new JournalWatch(this.connection, clock, { shared: !exclusive });
    this.queue = new CommitQueue({
      connection: this.connection,
      rows: this.rows,
      ranges: this.ranges,
      journal: this.journal,
      read: (key, how, text) => this.read(key, how, text),
      clock,
      ids,
      log,
      metrics: options.metrics ?? new Metrics(),
      exclusive,
    });
  }

  get exclusive(): boolean {
    return this.options.exclusive;
  }

  /** Whether a remote database has not been away in the last `ms`, as far as this process met it. */
  hasAnsweredFor(ms: number): boolean {
    return this.connection.hasAnsweredFor(ms);
  }

  /** How many things of `checksOfEach` checks fit into one transaction that checks one row more; at most `most`. */
  perCommit(most: number, checksOfEach: number): number {
    // The row of this process on a shared store is one of them.
    return Math.min(most, Math.floor((maxChecks - 2) / checksOfEach));
  }

  /** The items in order, as many in each array as fit into one transaction; see `perCommit`. */
  forCommits<T>(items: readonly T[], most: number, checksOfEach = 0): T[][] {
    const atOnce = this.perCommit(most, checksOfEach);
    return Array.from(
      { length: Math.ceil(items.length / atOnce) },
      (_, n) => items.slice(n * atOnce, (n + 1) * atOnce),
    );
  }

  /** The row, or null. Rows are shared: do not change a returned object. */
  async get<T>(key: Deno.KvKey): Promise<T | null> {
    return (await this.read(key, { fresh: !this.exclusive })).value as T | null;
  }

  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<(T | null)[]> {
    return await Promise.all(keys.map((key) => this.get<T>(key)));
  }

  /** Rows of a range in key order (or reversed), read `batchSize` at a time. */
  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>, void> {
    const { connection, rangeTurns } = this;
    const owner = ownerOf("prefix" in selector ? selector.prefix : selector.start);
    let { cursor, limit: left = Infinity } = options;
    while (left > 0) {
      const limit = Math.min(left, options.batchSize ?? 500);
      const read = () => connection.page<T>(selector, { ...options, limit, cursor });
      const page = connection.isRemote ? await read() : await rangeTurns.run(owner, read);
      yield* page.rows;
      if (page.rows.length < limit) return;
      left -= limit;
      cursor = page.cursor;
    }
  }

  /** All rows of a small range. */
  async collect<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): Promise<Deno.KvEntry<T>[]> {
    return await Array.fromAsync(this.list<T>(selector, options));
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

  /**
   * The last rows whose key is `prefix` and one more part, in descending order. On an exclusive store a short page comes
   * from memory until a row of the range is written: lists are often asked for again. Rows are shared: do not change
   * them.
   */
  async lastRows<T>(prefix: Deno.KvKey, limit: number): Promise<readonly Deno.KvEntry<T>[]> {
    const read = () => this.collect<T>({ prefix }, { limit, reverse: true });
    if (!this.exclusive) return await read();
    return await this.ranges.lastRows(prefix, limit, read) as Deno.KvEntry<T>[];
  }

  /** As `cachedRange`, for a range that is usually small: returns null if it has more than 100 rows. */
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
    return await this.queue.transact(body);
  }

  /** Runs `body` as `transact` does, up to the commit: nothing is written. */
  async rehearse(body: (tx: Tx) => Promise<void>): Promise<void> {
    const stopped = new Error("rehearsed");
    const stop = async (tx: Tx) => {
      await body(tx);
      throw stopped;
    };
    await this.transact(stop).catch((error) => {
      if (error !== stopped) throw error;
    });
  }

  /**
   * Writes rows without a transaction: only rows that nothing else reads or writes before this resolves, such as chunks
   * of a blob that is not attached yet. At most 800 KiB.
   */
  async write(rows: readonly { key: Deno.KvKey; value: unknown }[]): Promise<void> {
    await this.connection.commit((kv) => {
      const atomic = kv.atomic();
      for (const row of rows) atomic.set(row.key, row.value);
      return atomic.commit();
    });
  }

  /** The rows with their versionstamps, read from the database, not from memory. */
  async readStored(rows: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return await readTogether(this.connection, rows);
  }

  /** Removes `rows` and `others`. Returns false, with nothing removed, if one of `rows` was written after it was read. */
  async remove(
    rows: readonly Deno.KvEntryMaybe<unknown>[],
    others: readonly Deno.KvKey[],
  ): Promise<boolean> {
    const { ok } = await this.connection.commit((kv) => {
      const atomic = kv.atomic();
      for (const { key, versionstamp } of rows) atomic.check({ key, versionstamp }).delete(key);
      for (const key of others) atomic.delete(key);
      return atomic.commit();
    });
    this.forget(rows);
    return ok;
  }

  /**
   * Writes `list` in place of a row of expiring keys, and its rows again as they are, so that all have one versionstamp
   * (commits/expiring_rows.ts). Nothing is written if one of them changed meanwhile.
   */
  async relist(
    before: Deno.KvEntry<Deno.KvKey[]>,
    rows: readonly Deno.KvEntryMaybe<unknown>[],
  ): Promise<void> {
    await this.connection.commit((kv) => {
      const atomic = kv.atomic().check(before).set(before.key, rows.map(({ key }) => key));
      for (const row of rows) atomic.check(row).set(row.key, row.value);
      return atomic.commit();
    });
    this.forget(rows);
  }

  /** Drops rows from memory that were written without a transaction. */
  private forget(rows: readonly { key: Deno.KvKey }[]): void {
    for (const { key } of rows) this.rows.forget(keyText(key));
    this.ranges.forgetRangesOf(rows);
  }

  /** Resolves when nothing waits to be committed. */
  async settled(): Promise<void> {
    await this.queue.settled();
  }

  /** Closes the handles. */
  close(): void {
    this.connection.close();
  }

  /**
   * Reads rows that a transaction will need, before its turn and at the same time as other callers. Transactions run one
   * after another, so a read inside one delays all. The result may be out of date. With `isFresh` nothing comes from
   * memory.
   */
  async prefetch<T>(
    keys: readonly Deno.KvKey[],
    { likelyAbsent = false, isFresh = false }: { likelyAbsent?: boolean; isFresh?: boolean } = {},
  ): Promise<(T | null)[]> {
    const how = { fresh: isFresh, mayAssume: likelyAbsent };
    const found = await Promise.all(keys.map((key) => this.read(key, how)));
    return found.map((entry) => entry.value as T | null);
  }

  /** The row as it was last seen, for a guess; null if it is not in memory. */
  remembered<T>(key: Deno.KvKey): T | null {
    return (this.rows.known(keyText(key))?.value ?? null) as T | null;
  }

  /** Whether it is known without a read that there is no such row; never on a shared store. */
  isKnownAbsent(key: Deno.KvKey): boolean {
    return this.exclusive && this.rows.known(keyText(key))?.value === null;
  }

  /** Whether another process wrote rows of the account in the last minute, as far as this one met it. */
  isWrittenByOthers(userId: string): boolean {
    return this.queue.isWrittenByOthers(userId);
  }

  /** Not an async function: most rows are in memory. */
  private read(
    key: Deno.KvKey,
    how: { fresh: boolean; mayAssume?: boolean },
    text: string = keyText(key),
  ): Promise<Entry> {
    if (exceedsKeyLimit(key)) return Promise.resolve({ key, value: null, versionstamp: null });
    const known = how.fresh ? undefined : this.rows.known(text);
    if (known) return Promise.resolve(known);
    if (how.mayAssume && !how.fresh && this.queue.assumes) {
      return Promise.resolve({ key, value: null, versionstamp: null, assumed: true });
    }
    return this.rows.load(key, text);
  }
}

/** Keys begin with their table and the account. A blob does not tell its account: all together are one owner. */
function ownerOf([table, owner]: Deno.KvKey): string[] {
  return table === "blob_chunks" ? ["blob_chunks", String(owner)] : [String(owner)];
}
