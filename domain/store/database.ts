import { type Clock, systemClock } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import { describeError, type Log } from "../core/log.ts";
import { Batch, type Entry, type Expectation, type PendingTransaction, type Tx } from "./batch.ts";
import { faultsToUnavailable, isPassingFault, maxFaultMs } from "./faults.ts";
import { maxRowsOfRange, RangeCache } from "./range_cache.ts";
import { RowCache } from "./row_cache.ts";
import { isBeyondKeys, keyText } from "./key_text.ts";

export type { Tx } from "./batch.ts";

const maxAttempts = 12;
/** How long rows are read after one was there that had been assumed to be absent: the commit was for nothing. */
const readingMs = 1_000;

/**
 * The database. Every write of this process goes through `transact`, which runs the waiting transactions one
 * after another in memory and commits them together: one fsync for many callers (a local commit is one fsync
 * whatever it holds), and no lost races inside a process.
 *
 * Rows that were read or written lately are kept in memory. Where no other process writes the store
 * (`exclusive`) they answer reads as well; elsewhere they only serve transactions, whose commit checks them.
 */
export class Database {
  private readonly reader: Deno.Kv;
  private readonly clock: Clock;
  private readonly rows: RowCache;
  private readonly waiting: PendingTransaction[] = [];
  private pumping: Promise<void> | null = null;
  /** Lets the batch that is being filled look again: something waits, or the one ahead has ended. */
  private wake: (() => void) | null = null;
  private readonly ranges = new RangeCache();
  private assumesFrom = 0;

  constructor(
    readonly kv: Deno.Kv,
    private readonly options: {
      log: Log;
      /**
       * True where no other process writes this database: a cached row is then the truth, not only a guess, and the
       * sweep of this process removes expired rows (expiry.ts).
       */
      exclusive: boolean;
      /** Says when rows expire. */
      clock?: Clock;
      /**
       * A second handle on the same file, for reads alone. A handle of a local database works off its requests one
       * after another, so that a read would wait for the commit before it; this one sees a commit once it is answered.
       */
      reader?: Deno.Kv;
    },
  ) {
    this.reader = options.reader ?? kv;
    this.clock = options.clock ?? systemClock;
    this.rows = new RowCache((keys) => faultsToUnavailable(() => this.reader.getMany(keys)));
  }

  get exclusive(): boolean {
    return this.options.exclusive;
  }

  /** The row, or null. Rows are shared: do not change what you get. */
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
    return await faultsToUnavailable(async () =>
      await Array.fromAsync(this.list<T>(selector, options))
    );
  }

  /**
   * All rows that share `prefix`, the whole key but its last part: from memory where the store is exclusive, until one of
   * them is written. For small ranges that are asked for with every request. Rows are shared: do not change them.
   */
  async remembered<T>(prefix: Deno.KvKey): Promise<readonly Deno.KvEntry<T>[]> {
    const read = () => this.collect<T>({ prefix });
    if (!this.exclusive) return await read();
    return await this.ranges.rows(prefix, read) as Deno.KvEntry<T>[];
  }

  /** As `remembered`, for a range that is small as a rule: null while it has more rows than are kept. */
  async rememberedIfSmall<T>(prefix: Deno.KvKey): Promise<readonly Deno.KvEntry<T>[] | null> {
    const read = () => this.collect<T>({ prefix }, { limit: maxRowsOfRange + 1 });
    const rows = this.exclusive ? await this.ranges.rows(prefix, read) : await read();
    return rows.length > maxRowsOfRange ? null : rows as Deno.KvEntry<T>[];
  }

  /**
   * Runs `body` against a consistent view and commits what it wrote, all or nothing; answers what `body`
   * answered, after the commit is durable. What `body` throws is thrown, and nothing of it is written.
   *
   * `body` may be run several times: it does nothing but read through `tx`, compute, and write through `tx`.
   * It must never call `transact`. Rows are shared: do not change an object that `tx.get` gave.
   * `prefetch` names keys that `body` will ask for, so that their reads overlap those of other callers.
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
   * Writes rows that nobody reads or writes before this resolves (chunks of a blob not yet attached), past the
   * queue of transactions. At most 800 KiB.
   */
  async write(rows: readonly { key: Deno.KvKey; value: unknown }[]): Promise<void> {
    const atomic = this.kv.atomic();
    for (const row of rows) atomic.set(row.key, row.value);
    await faultsToUnavailable(() => atomic.commit());
  }

  /** Removes `rows` and `others`. False: one of `rows` was written since it was read, and nothing was removed. */
  async remove(
    rows: readonly Deno.KvEntryMaybe<unknown>[],
    others: readonly Deno.KvKey[],
  ): Promise<boolean> {
    const atomic = this.kv.atomic();
    for (const { key, versionstamp } of rows) atomic.check({ key, versionstamp }).delete(key);
    for (const key of others) atomic.delete(key);
    const { ok } = await faultsToUnavailable(() => atomic.commit());
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
   * Reads what a transaction is about to ask for, before its turn comes, and beside what other callers read: inside
   * transactions, which run one after another, a read holds up everybody. What it answers may be out of date.
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
    if (how.mayAssume && !how.fresh && performance.now() >= this.assumesFrom) {
      return { key, value: null, versionstamp: null, assumed: true };
    }
    return await this.rows.load(key);
  }

  /**
   * Two batches at once: one is being committed while the next is filled on top of it. Should the first not become
   * durable, what was computed on it runs again.
   *
   * Ends in the very turn that finds nothing waiting: a turn later, a transaction that came meanwhile (the
   * continuation of one just settled) would take this pump for one that still runs, and wait for ever.
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
            this.waiting.unshift(...next.drafts);
            next = null;
          }
          if (outcome === "again") this.retry(batch);
        }
        ahead = next && next.drafts.length > 0 ? this.launch(next) : null;
      }
    } finally {
      this.pumping = null;
    }
  }

  private launch(batch: Batch): InFlightCommit {
    const flight: InFlightCommit = { batch, over: false, verdict: this.commit(batch) };
    flight.verdict.finally(() => {
      flight.over = true;
      this.wake?.();
    });
    return flight;
  }

  /**
   * Runs waiting transactions into one batch, as many as fit, and those that come for as long as the batch ahead is in
   * flight; one that has failed twice goes alone.
   */
  private async fill(ahead: InFlightCommit | null): Promise<Batch> {
    const batch = new Batch((key, how) => this.read(key, how), ahead?.batch ?? null);
    while (!batch.full) {
      if (this.waiting.length === 0) {
        if (!ahead || ahead.over) break;
        await new Promise<void>((resolve) => this.wake = resolve);
        continue;
      }
      const draft = this.waiting[0];
      const alone = draft.attempts > 1;
      if (alone && batch.drafts.length > 0) break;
      if (alone) {
        await new Promise((done) => setTimeout(done, Math.random() * 5 * draft.attempts));
      }
      if (!await batch.add(draft, this.options.exclusive)) break;
      this.waiting.shift();
      if (alone) break;
    }
    return batch;
  }

  /** Commits a batch and, but where it is to be run again, tells its callers at once, whatever the next one waits for. */
  private async commit(batch: Batch): Promise<Verdict> {
    const verdict = await this.attempt(batch);
    if (verdict === "again") return verdict;
    if ("error" in verdict) {
      this.options.log.error("store.commit_failed", {
        drafts: batch.drafts.length,
        error: describeError(verdict.error),
      });
      this.forget(batch);
      for (const draft of batch.drafts) draft.reject(verdict.error);
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

  /** One commit, a locked or full database retried for a second: committed, to be run again, or failed. */
  private async attempt(batch: Batch): Promise<Verdict> {
    const startedAt = performance.now();
    if (batch.empty) return { versionstamp: null };
    for (;;) {
      try {
        const listFrom = this.exclusive ? this.clock.now() : null;
        const result = await batch.atomic(this.kv, listFrom).commit();
        return result.ok ? { versionstamp: result.versionstamp } : "again";
      } catch (error) {
        if (!isPassingFault(error)) return batch.drafts.length > 1 ? "again" : { error };
        if (performance.now() - startedAt > maxFaultMs) {
          return { error: unavailable("The database is not available.") };
        }
        await new Promise((done) => setTimeout(done, 20 + Math.random() * 60));
      }
    }
  }

  /**
   * A check failed (another process wrote) or one draft of many is not acceptable: they run
   * again on rows read anew, together once, after that each alone.
   */
  private retry(batch: Batch): void {
    if (batch.assumes) this.assumesFrom = performance.now() + readingMs;
    this.forget(batch);
    const again: PendingTransaction[] = [];
    for (const draft of batch.drafts) {
      draft.attempts++;
      draft.fresh = true;
      if (draft.attempts < maxAttempts) again.push(draft);
      else draft.reject(unavailable("Too many writers at once; try again."));
    }
    this.waiting.unshift(...again);
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

/** How the commit of a batch ended; a batch that wrote nothing has no versionstamp. */
type Verdict = { versionstamp: string | null } | { error: unknown } | "again";

/** A batch that is being committed. */
interface InFlightCommit {
  batch: Batch;
  verdict: Promise<Verdict>;
  over: boolean;
}

function isDurable(verdict: Verdict): verdict is { versionstamp: string | null } {
  return verdict !== "again" && "versionstamp" in verdict;
}
