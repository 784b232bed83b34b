import { DatabaseSync } from "node:sqlite";
import { bestPassage } from "./analysis/best_passage.ts";
import type { Account } from "./index/account.ts";
import { inSnapshot, prepared } from "./index/database.ts";
import { unpackText } from "./index/document.ts";
import type { FillRandom } from "./index/hashing/key_hash.ts";
import { OpenAccounts } from "./index/open_accounts.ts";
import { type Found, searchAccount, weightedWords } from "./index/search.ts";
import type { SearchQuery, WeightedPassageQuery } from "./types.ts";

/**
 * Searches the file of an index that another thread writes. Each call sees all that was committed before it, in one
 * snapshot, and answers the same as the engine: an account in memory follows the changes of the file.
 */
export class IndexReader {
  private readonly db: DatabaseSync;
  private readonly accounts: OpenAccounts;
  /** SQLite's number of the commit that an account was last brought up to. */
  private readonly versions = new WeakMap<Account, number>();
  private lastRemoval = 0;

  /** @throws if the file is no index. */
  constructor(path: string, fillRandom: FillRandom) {
    this.db = new DatabaseSync(path, { readOnly: true });
    this.db.exec("pragma cache_size = -2000");
    const noSegment = () => {
      throw new Error("a reader writes no segments");
    };
    this.accounts = new OpenAccounts(this.db, fillRandom, noSegment);
  }

  /**
   * Reads an account into memory, 0.5 s for 100,000 documents: `search` answers only for such accounts. False if it
   * cannot search this one.
   */
  open(userId: string): boolean {
    return this.inSnapshot(() => this.current(userId)?.countsAreExact ?? false);
  }

  /** The same as `IndexEngine.search`; null if the account is not open, or only the engine knows its counts. */
  search(query: SearchQuery): Found | null {
    return this.inSnapshot(() => {
      if (!this.accounts.has(query.userId)) return null;
      const account = this.current(query.userId);
      return account?.countsAreExact ? searchAccount(account, query) : null;
    });
  }

  /** The same as `IndexEngine.passages`, with the weights that `search` gave; no account needs to be open. */
  passages({ userId, text, emailIds, weights }: WeightedPassageQuery): string[] {
    const wanted = weightedWords(text, weights);
    const select = prepared(
      this.db,
      "select text from accounts join documents using (account) " +
        "join contents using (account, document) where user_id = ? and email_id = ?",
    );
    return emailIds.map((emailId) => {
      const row = select.get(userId, emailId) as { text: Uint8Array } | undefined;
      return row === undefined ? "" : bestPassage(unpackText(row.text), wanted);
    });
  }

  close(): void {
    this.db.close();
  }

  /** Runs `read` on the newest state of the file, which then stays as it is. */
  private inSnapshot<Result>(read: () => Result): Result {
    try {
      return inSnapshot(this.db, () => {
        this.forgetRemoved();
        return read();
      });
    } catch (error) {
      // An account may have been brought up to date in part.
      this.accounts.clear();
      throw error;
    }
  }

  /** The account of a user as the snapshot has it. */
  private current(userId: string): Account | null {
    const { data_version: version } = prepared(this.db, "pragma data_version").get() as {
      data_version: number;
    };
    const isOpen = this.accounts.has(userId);
    const account = this.accounts.get(userId);
    if (account && isOpen && this.versions.get(account) !== version) account.refresh();
    if (account) this.versions.set(account, version);
    return account;
  }

  /** Removes from memory what was removed from the file since the call before. */
  private forgetRemoved() {
    const rows = prepared(
      this.db,
      "select removal, account, document from removals where removal > ? order by removal",
    ).all(this.lastRemoval) as { removal: number; account: number; document: number | null }[];
    if (rows.length === 0) return;
    const missed = rows[0].removal !== this.lastRemoval + 1;
    this.lastRemoval = rows[rows.length - 1].removal;
    // The numbers of a removed account, and of all after a reset, are given again.
    if (missed || rows.some(({ document }) => document === null)) return this.accounts.reset();
    for (const account of this.accounts.all()) {
      const documents = rows.filter((row) => row.account === account.id);
      if (documents.length > 0) account.forget(documents.map(({ document }) => document!));
    }
  }
}
