import { unavailable } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import { exceedsKeyLimit, keyText, sizeOf, sizeOfKey } from "../key_text.ts";
import type { Entry, Expectation, Expiry, Tx } from "../transaction.ts";
import { listExpiring } from "./expiring_rows.ts";
import { maxJournalRowChars, writeJournal } from "../journal.ts";

/** A call of `Database.transact` that has not ended. */
export interface PendingTransaction {
  body: (tx: Tx) => unknown;
  settle: (() => void) | null;
  /** How often it ran in a batch that did not become durable. */
  attempts: number;
  /** Whether it may be the reason why the database refuses the batch. */
  isSuspect: boolean;
  /** Its rows are read again, not from memory. */
  fresh: boolean;
  /** Its last run, for the next batch, if no row that it read has changed since. */
  kept: TransactionRun | null;
  /** When it was called, by `Clock.elapsed`. */
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Write extends Expiry {
  key: Deno.KvKey;
  value: unknown;
  deleted: boolean;
}

/** What is added to a number of the database. */
interface Sum {
  key: Deno.KvKey;
  by: number;
}

/** Below Deno KV's limits for one atomic: 1,000 mutations, 800 KiB of values, 80 KiB of keys. */
const maxMutations = 960;
const maxValueBytes = 720 * 1024;
const maxKeyBytes = 72 * 1024;
/** The checks that a commit may have. */
export const maxChecks = 100;
/** More transactions in one commit save nothing, and the first would wait for the last. */
const maxTransactions = 64;

/** Stands for the versionstamp of a row whose commit is in flight. */
const notYet = "in flight";

interface ReadHow {
  fresh: boolean;
  mayAssume: boolean;
}

/** With `mayAssume` a row that is not in memory is assumed to be absent. `text` is the key as text. */
export type Read = (key: Deno.KvKey, how: ReadHow, text: string) => Promise<Entry>;

/** What a batch needs of its process. */
export interface BatchParts {
  read: Read;
  /** No other process writes the store. */
  exclusive: boolean;
  shard: number | null;
  contended(key: Deno.KvKey): boolean;
}

/** Transactions that run one after another in memory and share one atomic commit. */
export class Batch {
  readonly checks = new Map<string, Entry>();
  readonly writes = new Map<string, Write>();
  private readonly sums = new Map<string, Sum>();
  /** The journal entries of each account; none for an account whose watchers are only woken. */
  readonly journal = new Map<string, string[]>();
  readonly transactions: PendingTransaction[] = [];
  private readonly runs: TransactionRun[] = [];
  private readonly effects: (() => void)[] = [];
  private valueBytes = 0;
  private keyBytes = 0;
  /** The rows that were read from the writes of the batch ahead. */
  private readonly expected = new Map<string, Entry>();

  /** `ahead`: the batch that is being committed. This one reads its writes as if they were durable. */
  constructor(private readonly parts: BatchParts, private ahead: Batch | null = null) {}

  /** To be called when the batch ahead is durable: the checks of its rows get its versionstamp. */
  landed(versionstamp: string | null): void {
    for (const entry of this.expected.values()) {
      if (entry.versionstamp === notYet) entry.versionstamp = versionstamp;
    }
    this.ahead = null;
  }

  /** Whether a row was assumed to be absent; if `changed` is known, one of these. */
  hasAssumed(changed: ReadonlySet<string> | null): boolean {
    return this.checks.entries().some(([text, { assumed }]) =>
      assumed && (changed === null || changed.has(text))
    );
  }

  get sumKeys(): Deno.KvKey[] {
    return this.sums.values().map(({ key }) => key).toArray();
  }

  get empty(): boolean {
    return this.writes.size === 0 && this.sums.size === 0 && this.journal.size === 0;
  }

  /** Estimated bytes of its keys and values. */
  get bytes(): number {
    return this.keyBytes + this.valueBytes;
  }

  /** How many rows the commit may check: on a shared store one check is for the row of this process. */
  private get maxReads(): number {
    return this.parts.exclusive ? maxChecks : maxChecks - 1;
  }

  private get mutations(): number {
    return this.writes.size + this.sums.size;
  }

  get full(): boolean {
    return this.transactions.length >= maxTransactions;
  }

  /** Runs a transaction on top of the batch. Returns false if it does not fit any more; then it was left out. */
  async add(pending: PendingTransaction): Promise<boolean> {
    let run = pending.kept ?? await this.run(pending, pending.fresh);
    // A transaction that writes nothing has no commit that checks its reads, so the rows are read again.
    const writesNothing = run.writes.size === 0 && run.sums.size === 0 && run.journal.size === 0;
    const unproved = writesNothing && run.reads.size > 0;
    const hasAssumed = () => run.reads.values().some((entry) => entry.assumed);
    if (unproved && !pending.fresh && (!this.parts.exclusive || hasAssumed())) {
      run = await this.run(pending, true);
    }
    run.isProved = run.writes.size > 0 || run.sums.size > 0;
    if (run.reads.size > this.maxReads) tooFewChecks(run);
    const weight = this.weigh(run);
    if (this.transactions.length > 0 && !weight.fits) return false;
    if (!run.failed) {
      for (const [text, entry] of run.reads) {
        if (!this.checks.has(text)) this.checks.set(text, entry);
      }
      for (const [text, write] of run.writes) this.writes.set(text, write);
      for (const sum of run.sums.values()) addTo(this.sums, sum);
      for (const [userId, entries] of run.journal) {
        const listed = this.journal.get(userId);
        if (listed) listed.push(...entries);
        else this.journal.set(userId, [...entries]);
      }
      this.effects.push(...run.effects);
      this.valueBytes += weight.valueBytes;
      this.keyBytes += weight.keyBytes;
    }
    pending.settle = () => run.failed ? pending.reject(run.outcome) : pending.resolve(run.outcome);
    pending.kept = null;
    this.transactions.push(pending);
    this.runs.push(run);
    return true;
  }

  /**
   * The transactions, after another process changed the rows of `changed`. A transaction keeps its run unless it read
   * such a row, or a row that a transaction without a kept run wrote. With null, none keeps its run. A suspect keeps none:
   * it is committed alone, and what others wrote before it in this batch could change meanwhile.
   */
  forRetry(changed: ReadonlySet<string> | null): PendingTransaction[] {
    const stale = new Set(changed);
    this.transactions.forEach((pending, i) => {
      const run = this.runs[i];
      const isStale = changed === null || pending.isSuspect || !run.isProved ||
        stale.intersection(run.reads).size > 0 || stale.intersection(run.saw).size > 0;
      pending.kept = isStale ? null : run;
      if (isStale) { for (const text of run.writes.keys()) stale.add(text); }
    });
    return this.transactions;
  }

  /**
   * The commit. On a store of this process alone, expiring rows are listed for the sweep; on a shared one, the database
   * removes them.
   */
  atomic(
    kv: Deno.Kv,
    { now, ids, shared }: { now: number; ids: Pick<Ids, "random">; shared: boolean },
  ): Deno.AtomicOperation {
    const atomic = kv.atomic();
    for (const { key, versionstamp } of this.checks.values()) atomic.check({ key, versionstamp });
    // Before the writes: the commit fails at a sum onto no number, and a local database keeps what came before it.
    for (const { key, by } of this.sums.values()) atomic.sum(key, BigInt(by));
    for (const { key, value, deleted, expireInMs } of this.writes.values()) {
      if (deleted) atomic.delete(key);
      else if (!shared || expireInMs === undefined) atomic.set(key, value);
      else atomic.set(key, value, { expireIn: expireInMs });
    }
    if (!shared) listExpiring(atomic, this.writes.values(), now, ids);
    writeJournal(atomic, kv, this.journal, { now, shared });
    return atomic;
  }

  /** Gives every caller its result. Returns the effects to run after the commit. */
  settle(): (() => void)[] {
    for (const pending of this.transactions) pending.settle?.();
    return this.effects;
  }

  private async run(pending: PendingTransaction, fresh: boolean): Promise<TransactionRun> {
    const run: TransactionRun = {
      reads: new Map(),
      saw: new Set(),
      writes: new Map(),
      sums: new Map(),
      journal: new Map(),
      effects: [],
      failed: false,
      isProved: false,
      outcome: undefined,
    };
    const tx = this.viewOf(run, fresh);
    try {
      run.outcome = await pending.body(tx);
    } catch (error) {
      run.failed = true;
      run.outcome = error;
      run.writes.clear();
      run.sums.clear();
      run.journal.clear();
    }
    return run;
  }

  /** What a transaction sees: the database under the writes of the batch ahead, of this batch, and of its own run. */
  private viewOf(run: TransactionRun, fresh: boolean): Tx {
    // Not an async function: most rows are in memory, and an arrival reads twenty.
    const value = (
      key: Deno.KvKey,
      checked: boolean,
      expected?: Expectation,
      isCurrent = false,
    ): Promise<unknown> => {
      if (exceedsKeyLimit(key)) return Promise.resolve(null);
      const text = keyText(key);
      const written = run.writes.get(text) ?? this.writes.get(text);
      if (written) {
        if (checked) run.saw.add(text);
        return Promise.resolve(written.deleted ? null : written.value);
      }
      const take = (entry: Entry) => {
        // A row that was assumed to be absent is checked as absent, even if it was read later.
        if (checked && !run.reads.get(text)?.assumed) run.reads.set(text, entry);
        return entry.value;
      };
      const known = run.reads.get(text) ?? this.checks.get(text) ?? this.expect(text);
      if (known) return Promise.resolve(take(known));
      return this.parts.read(key, {
        fresh: fresh || isCurrent,
        mayAssume: checked && expected?.likelyAbsent === true,
      }, text).then(take);
    };
    return {
      get: <T>(key: Deno.KvKey, expected?: Expectation) =>
        value(key, true, expected) as Promise<T | null>,
      peek: <T>(key: Deno.KvKey, { isCurrent = false } = {}) =>
        value(key, false, undefined, isCurrent && !this.parts.exclusive) as Promise<T | null>,
      set: (key, value, options) =>
        void run.writes.set(keyText(key), { key, value, deleted: false, ...options }),
      delete: (key) => void run.writes.set(keyText(key), { key, value: null, deleted: true }),
      add: (key, by) => addTo(run.sums, { key, by }),
      append: (userId, entry) => {
        const entries = run.journal.get(userId) ?? [];
        run.journal.set(userId, entries);
        if (entry !== null) entries.push(entry);
      },
      shard: this.parts.shard,
      contended: this.parts.contended,
      afterCommit: (effect) => void run.effects.push(effect),
    };
  }

  private expect(text: string): Entry | undefined {
    const write = this.ahead?.writes.get(text);
    if (!write) return undefined;
    const known = this.expected.get(text);
    if (known) return known;
    const entry: Entry = write.deleted
      ? { key: write.key, value: null, versionstamp: null }
      : { key: write.key, value: write.value, versionstamp: notYet };
    this.expected.set(text, entry);
    return entry;
  }

  private weigh(run: TransactionRun): { fits: boolean; valueBytes: number; keyBytes: number } {
    let valueBytes = 0, keyBytes = 0;
    for (const write of run.writes.values()) {
      valueBytes += write.deleted ? 0 : sizeOf(write.value);
      if (write.expireInMs !== undefined) valueBytes += sizeOfKey(write.key);
      keyBytes += sizeOfKey(write.key);
    }
    for (const { key } of run.sums.values()) {
      valueBytes += 10;
      keyBytes += sizeOfKey(key);
    }
    let fitsJournal = true;
    for (const [userId, entries] of run.journal) {
      const chars = charsOf(entries);
      const listed = this.journal.get(userId);
      if (listed && charsOf(listed) + chars > maxJournalRowChars) fitsJournal = false;
      valueBytes += 2 * chars;
      keyBytes += 80;
    }
    for (const entry of run.reads.values()) keyBytes += sizeOfKey(entry.key);
    const fits = fitsJournal && this.checks.size + run.reads.size <= this.maxReads &&
      this.mutations + run.writes.size + run.sums.size <= maxMutations &&
      this.valueBytes + valueBytes <= maxValueBytes && this.keyBytes + keyBytes <= maxKeyBytes;
    return { fits, valueBytes, keyBytes };
  }
}

/** A transaction that needs more checks than a commit may have is refused. */
function tooFewChecks(run: TransactionRun): void {
  run.failed = true;
  run.outcome = unavailable("The change reads too many rows for one commit.");
}

/** What one run of a transaction read, wrote and returned. */
export interface TransactionRun {
  /** The rows that it read from the database. */
  reads: Map<string, Entry>;
  /** The rows that it read as an earlier transaction of the batch wrote them. */
  saw: Set<string>;
  writes: Map<string, Write>;
  sums: Map<string, Sum>;
  journal: Map<string, string[]>;
  effects: (() => void)[];
  failed: boolean;
  /** It wrote something, so the commit checks what it read. */
  isProved: boolean;
  outcome: unknown;
}

function addTo(sums: Map<string, Sum>, { key, by }: Sum): void {
  const text = keyText(key);
  sums.set(text, { key, by: by + (sums.get(text)?.by ?? 0) });
}

function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 4, 0);
}
