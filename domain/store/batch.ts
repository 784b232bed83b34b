import { listExpiring } from "./expiry.ts";
import { isBeyondKeys, keyText, sizeOfKey } from "./key_text.ts";

/** What a transaction may do; see Entries.transact. */
export interface Tx {
  /**
   * The row, as it will be when the transaction commits: read and checked. `null` where there is none. A row that
   * hardly ever is there need not be read for that: its absence is assumed, and the commit proves it.
   */
  get<T>(key: Deno.KvKey, options?: Expectation): Promise<T | null>;
  /** The row without the promise that it stays so until the commit: for reads whose race is harmless. */
  peek<T>(key: Deno.KvKey): Promise<T | null>;
  /**
   * Writes a row. `expireInMs` only cleans up, some time after: readers check their own `expiresAt`. A row that is
   * written again without it stays.
   */
  set(key: Deno.KvKey, value: unknown, options?: { expireInMs?: number }): void;
  delete(key: Deno.KvKey): void;
  /** Runs `effect` after the commit, in this process only: for waking a worker, never for what must happen. */
  afterCommit(effect: () => void): void;
}

/** What a reader knows of rows beforehand. */
export interface Expectation {
  /** True where they are new as a rule, as what is written under the hash of a message that has just come. */
  likelyAbsent?: boolean;
}

export interface Entry {
  key: Deno.KvKey;
  value: unknown;
  versionstamp: string | null;
  /** Not read: the commit's check will tell. */
  assumed?: boolean;
}

export interface PendingTransaction {
  body: (tx: Tx) => unknown;
  settle: (() => void) | null;
  attempts: number;
  fresh: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Write {
  key: Deno.KvKey;
  value: unknown;
  deleted: boolean;
  expireInMs?: number;
}

/** Deno KV's limits for one atomic (notes/platform: 100 checks, 1,000 mutations, 800 KiB, 80 KiB of keys), with room. */
const maxChecks = 100;
const maxMutations = 960;
const maxValueBytes = 720 * 1024;
const maxKeyBytes = 72 * 1024;
/** More drafts in one commit gain nothing and make the first wait for the last. */
const maxDrafts = 64;

/** In place of the versionstamp of a row whose commit is in flight. */
const notYet = "in flight";

/** `mayAssume`: an absent row need not be read, because the commit checks it. */
type Read = (key: Deno.KvKey, how: { fresh: boolean; mayAssume: boolean }) => Promise<Entry>;

/** Several transactions, run one after another in memory, that will share one atomic commit. */
export class Batch {
  readonly checks = new Map<string, Entry>();
  readonly writes = new Map<string, Write>();
  readonly drafts: PendingTransaction[] = [];
  private readonly effects: (() => void)[] = [];
  private valueBytes = 0;
  private keyBytes = 0;
  /** Rows as the batch ahead will leave them, as far as they were asked for. */
  private readonly expected = new Map<string, Entry>();

  /** `ahead`: a batch that is being committed, whose writes this one reads as if they were. */
  constructor(private readonly read: Read, private ahead: Batch | null = null) {}

  /** The batch ahead is durable: the checks on its rows now have a versionstamp. */
  landed(versionstamp: string | null): void {
    for (const entry of this.expected.values()) {
      if (entry.versionstamp === notYet) entry.versionstamp = versionstamp;
    }
    this.ahead = null;
  }

  /** Whether it stands on rows that were assumed to be absent. */
  get assumes(): boolean {
    return this.checks.values().some((entry) => entry.assumed);
  }

  get empty(): boolean {
    return this.writes.size === 0;
  }

  get full(): boolean {
    return this.drafts.length >= maxDrafts;
  }

  /** Runs the draft on top of what the batch holds. False: it does not fit any more and was left out. */
  async add(draft: PendingTransaction, exclusive: boolean): Promise<boolean> {
    let layer = await this.run(draft, draft.fresh);
    // A refusal, or an answer that writes nothing, has no commit to prove its reads: read them again.
    const unproved = layer.writes.size === 0 && layer.reads.size > 0;
    const assumed = layer.reads.values().some((entry) => entry.assumed);
    if (unproved && !draft.fresh && (!exclusive || assumed)) {
      layer = await this.run(draft, true);
    }
    const weight = this.weigh(layer);
    if (this.drafts.length > 0 && !weight.fits) return false;
    if (!layer.failed) {
      for (const [text, entry] of layer.reads) {
        if (!this.checks.has(text)) this.checks.set(text, entry);
      }
      for (const [text, write] of layer.writes) this.writes.set(text, write);
      this.effects.push(...layer.effects);
      this.valueBytes += weight.valueBytes;
      this.keyBytes += weight.keyBytes;
    }
    draft.settle = () => layer.failed ? draft.reject(layer.outcome) : draft.resolve(layer.outcome);
    this.drafts.push(draft);
    return true;
  }

  /** The commit. With `listFrom`, the present time, expiring rows are listed for the sweep; without, the database removes them. */
  atomic(kv: Deno.Kv, listFrom: number | null): Deno.AtomicOperation {
    const atomic = kv.atomic();
    for (const { key, versionstamp } of this.checks.values()) atomic.check({ key, versionstamp });
    for (const { key, value, deleted, expireInMs } of this.writes.values()) {
      if (deleted) atomic.delete(key);
      else if (listFrom !== null || expireInMs === undefined) atomic.set(key, value);
      else atomic.set(key, value, { expireIn: expireInMs });
    }
    if (listFrom !== null) listExpiring(atomic, this.writes.values(), listFrom);
    return atomic;
  }

  /** Tells every caller how its transaction ended; answers what is to be done after the commit. */
  settle(): (() => void)[] {
    for (const draft of this.drafts) draft.settle?.();
    return this.effects;
  }

  private async run(draft: PendingTransaction, fresh: boolean): Promise<TransactionRun> {
    const layer: TransactionRun = {
      reads: new Map(),
      writes: new Map(),
      effects: [],
      failed: false,
      outcome: undefined,
    };
    const value = async (key: Deno.KvKey, checked: boolean, expected?: Expectation) => {
      if (isBeyondKeys(key)) return null;
      const text = keyText(key);
      const written = layer.writes.get(text) ?? this.writes.get(text);
      if (written) return written.deleted ? null : written.value;
      const entry = layer.reads.get(text) ?? this.checks.get(text) ?? this.expect(text) ??
        await this.read(key, { fresh, mayAssume: checked && expected?.likelyAbsent === true });
      // An assumption that an answer stands on is checked, though the row was read beside it.
      if (checked && !layer.reads.get(text)?.assumed) layer.reads.set(text, entry);
      return entry.value;
    };
    const tx: Tx = {
      get: <T>(key: Deno.KvKey, expected?: Expectation) =>
        value(key, true, expected) as Promise<T | null>,
      peek: <T>(key: Deno.KvKey) => value(key, false) as Promise<T | null>,
      set: (key, value, options) =>
        void layer.writes.set(keyText(key), {
          key,
          value,
          deleted: false,
          expireInMs: options?.expireInMs,
        }),
      delete: (key) => void layer.writes.set(keyText(key), { key, value: null, deleted: true }),
      afterCommit: (effect) => void layer.effects.push(effect),
    };
    try {
      layer.outcome = await draft.body(tx);
    } catch (error) {
      layer.failed = true;
      layer.outcome = error;
      layer.writes.clear();
    }
    return layer;
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

  private weigh(layer: TransactionRun): { fits: boolean; valueBytes: number; keyBytes: number } {
    let valueBytes = 0, keyBytes = 0;
    for (const write of layer.writes.values()) {
      valueBytes += write.deleted ? 0 : sizeOf(write.value);
      if (write.expireInMs !== undefined) valueBytes += sizeOfKey(write.key);
      keyBytes += sizeOfKey(write.key);
    }
    for (const entry of layer.reads.values()) keyBytes += sizeOfKey(entry.key);
    const fits = this.checks.size + layer.reads.size <= maxChecks &&
      this.writes.size + layer.writes.size <= maxMutations &&
      this.valueBytes + valueBytes <= maxValueBytes && this.keyBytes + keyBytes <= maxKeyBytes;
    return { fits, valueBytes, keyBytes };
  }
}

interface TransactionRun {
  reads: Map<string, Entry>;
  writes: Map<string, Write>;
  effects: (() => void)[];
  failed: boolean;
  outcome: unknown;
}

/** An upper estimate of the serialised size: two bytes a character, a little for each value. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length * 2 + 8;
  if (value instanceof Uint8Array) return value.length + 16;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 8);
  if (value !== null && typeof value === "object") {
    let bytes = 8;
    for (const [name, item] of Object.entries(value)) bytes += name.length + 4 + sizeOf(item);
    return bytes;
  }
  return 10;
}
