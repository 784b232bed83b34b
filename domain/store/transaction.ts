/** What a transaction may do; see `Database.transact`. */
export interface Tx {
  /**
   * The row as it is at the commit, which checks it; null if there is none. With `likelyAbsent` a row that is not in
   * memory is assumed to be absent and is not read; if it exists, the commit fails and the transaction runs again.
   */
  get<T>(key: Deno.KvKey, options?: Expectation): Promise<T | null>;
  /**
   * The row without the check at the commit: for reads whose race is harmless. With `isCurrent`, on a store that several
   * processes write, it is read from the database: another process may have removed the row in memory long ago.
   */
  peek<T>(key: Deno.KvKey, options?: { isCurrent?: boolean }): Promise<T | null>;
  /**
   * Writes a row. `expireInMs` removes it some time later: readers check the row's own `expiresAt`. A row that is
   * written again without `expireInMs` stays. `expiresAt` is for a row that is written many times and ends at one time: on
   * a local store, which lists expiring rows, it is then listed once and not once for each time.
   */
  set(key: Deno.KvKey, value: unknown, options?: Expiry): void;
  delete(key: Deno.KvKey): void;
  /**
   * Adds `by`, a whole number above 0, to a number of 64 bits; an absent one is 0. The row is neither read nor checked,
   * so that processes which count in one row do not conflict. Such a row is read with `list` and `collect` (a
   * `Deno.KvU64`) and removed with `delete`, never read or set in a transaction.
   */
  add(key: Deno.KvKey, by: number): void;
  /**
   * Appends an entry (JSON text) to the journal of an account. Entries are in the order of commits. Wakes those who
   * watch the account; with null it only wakes them.
   */
  append(userId: string, entry: string | null): void;
  /**
   * A row that all processes write has extra rows; this is the number of the one for this process, from 0 to `shards` -
   * 1. null on a local store, whose rows are not split.
   */
  readonly shard: number | null;
  /** Whether another process wrote the row between a read and a commit of this one in the last minute. */
  contended(key: Deno.KvKey): boolean;
  /**
   * Runs `effect` after the commit, in this process only. Work that must not be lost is a job; an effect only wakes its
   * worker.
   */
  afterCommit(effect: () => void): void;
}

/** When a row is removed: so many ms after its commit. `expiresAt`: see `Tx.set`. */
export interface Expiry {
  expireInMs?: number;
  expiresAt?: number;
}

/** The transaction for code that reads with `get`, without the checks at the commit: for reads whose race is harmless. */
export function withoutChecks(tx: Pick<Tx, "peek">): Pick<Tx, "get"> {
  return { get: (key) => tx.peek(key) };
}

/** A row that several processes write often has this number of extra rows. Two of few processes rarely have the same. */
export const shards = 16;

/** What a caller knows about a row before it is read. */
export interface Expectation {
  /** The row is usually new, such as one whose key has the hash of a message that has just come. */
  likelyAbsent?: boolean;
}

export interface Entry {
  key: Deno.KvKey;
  value: unknown;
  versionstamp: string | null;
  /** Assumed to be absent, not read: the commit checks it. */
  assumed?: boolean;
}
