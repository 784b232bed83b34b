import { ServiceError, unavailable } from "../errors.ts";
import { describeError, type Log } from "../log.ts";
import { Batch, type Draft, type Entry, keyText, type Tx } from "./batch.ts";

export type { Tx } from "./batch.ts";

/** Rows kept in memory with their versionstamp: every one is checked again by the commit that relies on it. */
const maxCachedEntries = 20_000;
const maxAttempts = 12;
/** How long a locked or full database is retried before the callers hear 503. */
const maxFaultMs = 1_000;
/** Deno KV answers at most 10 keys a getMany. */
const getManyKeys = 10;

/**
 * The database. Reads go straight to Deno KV; every write of this process goes through `transact`,
 * which runs the waiting transactions one after another in memory and commits them together: one fsync
 * for many callers (notes: a local commit is one fsync whatever it holds), and no lost races inside a process.
 */
export class Entries {
  private readonly cache = new Map<string, Entry>();
  private readonly waiting: Draft[] = [];
  private pumping: Promise<void> | null = null;

  constructor(
    readonly kv: Deno.Kv,
    private readonly options: {
      log: Log;
      /** True where no other process writes this database: a cached row is then the truth, not only a guess. */
      exclusive: boolean;
    },
  ) {}

  get exclusive(): boolean {
    return this.options.exclusive;
  }

  async get<T>(key: Deno.KvKey): Promise<T | null> {
    return (await faultsToUnavailable(() => this.kv.get<T>(key))).value;
  }

  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<(T | null)[]> {
    return (await this.entriesOf<T>(keys)).map((entry) => entry.value);
  }

  /** Rows of a range in key order (or reversed), read `batchSize` at a time. */
  list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncIterableIterator<Deno.KvEntry<T>> {
    return this.kv.list<T>(selector, {
      batchSize: Math.min(options.limit ?? 500, 500),
      ...options,
    });
  }

  /** All rows of a range that is known to be small. */
  async collect<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): Promise<Deno.KvEntry<T>[]> {
    return await faultsToUnavailable(async () =>
      await Array.fromAsync(this.list<T>(selector, options))
    );
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

  /** Resolves when nothing waits to be committed. */
  async settled(): Promise<void> {
    while (this.pumping) await this.pumping;
  }

  private async prefetch(keys: readonly Deno.KvKey[]): Promise<void> {
    const missing = keys.filter((key) => !this.cache.has(keyText(key)));
    if (missing.length === 0) return;
    for (const entry of await this.entriesOf<unknown>(missing)) this.remember(entry);
  }

  private async entriesOf<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    const pages: Promise<Deno.KvEntryMaybe<T>[]>[] = [];
    for (let i = 0; i < keys.length; i += getManyKeys) {
      pages.push(
        faultsToUnavailable(() =>
          this.kv.getMany<T[]>(keys.slice(i, i + getManyKeys)) as Promise<Deno.KvEntryMaybe<T>[]>
        ),
      );
    }
    return (await Promise.all(pages)).flat();
  }

  private remember(entry: Deno.KvEntryMaybe<unknown>): Entry {
    const text = keyText(entry.key);
    const known: Entry = { key: entry.key, value: entry.value, versionstamp: entry.versionstamp };
    this.cache.delete(text);
    this.cache.set(text, known);
    if (this.cache.size > maxCachedEntries) this.cache.delete(this.cache.keys().next().value!);
    return known;
  }

  private async read(key: Deno.KvKey, fresh: boolean): Promise<Entry> {
    const known = fresh ? undefined : this.cache.get(keyText(key));
    return known ?? this.remember(await faultsToUnavailable(() => this.kv.get(key)));
  }

  /**
   * Ends in the very turn that finds nothing waiting: a turn later, a transaction that came meanwhile (the
   * continuation of one just settled) would take this pump for one that still runs, and wait for ever.
   */
  private async pump(): Promise<void> {
    await null;
    try {
      while (this.waiting.length > 0) await this.commit(await this.fill());
    } finally {
      this.pumping = null;
    }
  }

  /** Runs waiting transactions into one batch, as many as fit; one that has failed before goes alone. */
  private async fill(): Promise<Batch> {
    const batch = new Batch((key, fresh) => this.read(key, fresh));
    while (this.waiting.length > 0 && !batch.full) {
      const draft = this.waiting[0];
      const alone = draft.attempts > 0;
      if (alone && batch.drafts.length > 0) break;
      if (draft.attempts > 1) {
        await new Promise((done) => setTimeout(done, Math.random() * 5 * draft.attempts));
      }
      if (!await batch.add(draft, this.options.exclusive)) break;
      this.waiting.shift();
      if (alone) break;
    }
    return batch;
  }

  private async commit(batch: Batch): Promise<void> {
    const verdict = await this.attempt(batch);
    if (verdict === "again") return this.retry(batch);
    if ("error" in verdict) {
      this.options.log.error("store.commit_failed", {
        drafts: batch.drafts.length,
        error: describeError(verdict.error),
      });
      this.forget(batch);
      for (const draft of batch.drafts) draft.reject(verdict.error);
      return;
    }
    if (verdict.versionstamp) this.learn(batch, verdict.versionstamp);
    for (const effect of batch.settle()) {
      try {
        effect();
      } catch (error) {
        this.options.log.error("store.effect_failed", { error: describeError(error) });
      }
    }
  }

  /** One commit, a locked or full database retried for a second: committed, to be run again, or failed. */
  private async attempt(
    batch: Batch,
  ): Promise<{ versionstamp: string | null } | { error: unknown } | "again"> {
    const startedAt = performance.now();
    if (batch.empty) return { versionstamp: null };
    for (;;) {
      try {
        const result = await batch.atomic(this.kv).commit();
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

  /** A check failed (another process wrote) or one draft of many is not acceptable: each runs again, alone. */
  private retry(batch: Batch): void {
    this.forget(batch);
    const again: Draft[] = [];
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
      if (!this.cache.has(text)) continue;
      if (write.expireInMs !== undefined) this.cache.delete(text);
      else if (write.deleted) {
        this.cache.set(text, { key: write.key, value: null, versionstamp: null });
      } else this.cache.set(text, { key: write.key, value: write.value, versionstamp });
    }
  }

  private forget(batch: Batch): void {
    for (const text of [...batch.checks.keys(), ...batch.writes.keys()]) this.cache.delete(text);
  }
}

/** SQLite's words for a database that is locked, full or failing; they pass, or a person mends them. */
function isPassingFault(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ServiceError) &&
    /locked|busy|full|disk|i\/o|readonly|unable to open|connection|network|timed? ?out|temporar/i
      .test(error.message);
}

async function faultsToUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      if (performance.now() - startedAt > maxFaultMs) {
        throw unavailable("The database is not available.");
      }
      await new Promise((done) => setTimeout(done, 20 + Math.random() * 60));
    }
  }
}
