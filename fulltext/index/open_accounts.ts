import type { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { Account } from "./account.ts";
import { prepared } from "./database.ts";
import { TermCounter } from "./document.ts";
import { type FillRandom, KeyHash } from "./hashing/key_hash.ts";
import { Places } from "./hashing/places.ts";
import { BlockStore } from "./segment.ts";

/** Documents of open accounts in memory: about 100 bytes each, and the postings of the newest. */
const maxOpenDocuments = 300_000;
const maxOpenAccounts = 40;
/** Bytes in memory for their vocabularies, newest postings and phrases. */
const maxOpenBytes = 64 * 2 ** 20;
/** First terms of so many documents stay in memory, at most 1 KB each: a different query reads 36. */
const maxHeads = 8_192;

/** What the open accounts of a database share. */
export interface SharedByAccounts {
  db: DatabaseSync;
  blocks: BlockStore;
  nextSegment(): number;
  hash: KeyHash;
  places: Places;
  counter: TermCounter;
  /** What `Account.headTerms` read lately, by the numbers of account and document; cleared when numbers are given again. */
  heads: LRUCache<number, Uint8Array>;
}

/** The accounts of a database that are in memory, the most recently used ones, and what they share. */
export class OpenAccounts {
  /** By user, the least recently used first. */
  private readonly open = new Map<string, Account>();
  private readonly shared: SharedByAccounts;

  /**
   * @param nextSegment numbers a new segment.
   * @param isBusy an account for which it is true stays open.
   * @param maxDocuments documents in memory; the largest account stays even if it has more.
   */
  constructor(
    private readonly db: DatabaseSync,
    fillRandom: FillRandom,
    nextSegment: () => number,
    private readonly isBusy: (account: Account) => boolean = () => false,
    private readonly maxDocuments = maxOpenDocuments,
  ) {
    const hash = new KeyHash(fillRandom);
    this.shared = {
      db,
      blocks: new BlockStore(db),
      nextSegment,
      hash,
      places: new Places(hash),
      counter: new TermCounter(hash),
      heads: new LRUCache({ max: maxHeads }),
    };
  }

  get blocks(): BlockStore {
    return this.shared.blocks;
  }

  has(userId: string): boolean {
    return this.open.has(userId);
  }

  all(): Iterable<Account> {
    return this.open.values();
  }

  /** The account of a user, opened if necessary; null if the database has none. */
  get(userId: string): Account | null {
    let account = this.open.get(userId);
    if (!account) {
      const row = prepared(this.db, "select account from accounts where user_id = ?").get(userId);
      if (!row) return null;
      account = new Account((row as { account: number }).account, this.shared);
    }
    this.open.delete(userId);
    this.open.set(userId, account);
    this.makeRoom(account);
    return account;
  }

  /** Drops the account of a user, whose number may be given again. */
  drop(userId: string) {
    this.open.delete(userId);
    this.shared.heads.clear();
  }

  /** Drops all from memory. */
  clear() {
    this.open.clear();
    this.shared.heads.clear();
  }

  /** The same after all tables were made again, whose numbers begin again. */
  reset() {
    this.clear();
    this.blocks.clear();
  }

  private makeRoom(current: Account) {
    let documents = 0;
    let bytes = 0;
    let large: Account | null = null;
    for (const account of this.open.values()) {
      const { size } = account.columns;
      documents += size;
      bytes += account.bytes;
      if (size > Math.max(this.maxDocuments, large?.columns.size ?? 0)) large = account;
    }
    // The largest stays: else mail of any other account would close it, and its next search would take seconds.
    documents -= large?.columns.size ?? 0;
    for (const [userId, account] of this.open) {
      const fits = documents <= this.maxDocuments && bytes <= maxOpenBytes;
      if (fits && this.open.size <= maxOpenAccounts) return;
      if (account === current || account === large || this.isBusy(account)) continue;
      this.open.delete(userId);
      documents -= account.columns.size;
      bytes -= account.bytes;
    }
  }
}
