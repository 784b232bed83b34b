import type { DatabaseSync } from "node:sqlite";
import { bestPassage } from "../analysis/best_passage.ts";
import type {
  EmbeddedEmail,
  IndexedEmail,
  PassageQuery,
  SearchQuery,
  VectorHit,
  VectorQuery,
} from "../types.ts";
import type { Account } from "./account.ts";
import {
  dropAll,
  inSnapshot,
  inTransaction,
  logRemovals,
  openDatabase,
  prepared,
} from "./database.ts";
import { allowedDocuments } from "./filters.ts";
import type { FillRandom } from "./hashing/key_hash.ts";
import { Merging } from "./merging.ts";
import { OpenAccounts } from "./open_accounts.ts";
import { countLacking, lackingAccounts, newestLacking } from "./vectors/lacking.ts";
import { type Found, searchAccount, weightedWords, wordWeights } from "./search.ts";

/**
 * The index, synchronous. A change is on disk when its method returns; one that throws changed
 * nothing. Everything is per account (`userId`): no query sees another account's documents.
 */
export class IndexEngine {
  private readonly db: DatabaseSync;
  private readonly accounts: OpenAccounts;
  private readonly merging: Merging;
  private lastSegment: number;

  /**
   * @param path the file, created if absent and emptied if damaged; null for one in memory.
   * @param elapsed ms of a clock that never goes back, to measure the steps of merges.
   * @param fillRandom keys the tables in memory; nothing in the file depends on it.
   * @throws if the file cannot be opened.
   */
  constructor(path: string | null, elapsed: () => number, fillRandom: FillRandom) {
    this.db = openDatabase(path);
    const { last } = this.db.prepare("select max(segment) as last from segments").get() as {
      last: number | null;
    };
    this.lastSegment = last ?? 0;
    const nextSegment = () => ++this.lastSegment;
    this.accounts = new OpenAccounts(
      this.db,
      fillRandom,
      nextSegment,
      (account) => this.merging.isBusyWith(account),
    );
    this.merging = new Merging(this.db, this.accounts.blocks, nextSegment, elapsed);
  }

  /** Indexes emails; one that is in the index already is replaced, and its vectors are removed. */
  add(emails: IndexedEmail[]) {
    this.change(() => {
      for (const email of emails) {
        const account = this.accounts.get(email.userId) ?? this.newAccount(email.userId);
        account.remove(this.documentsWhere(account, "email_id = ?", email.emailId));
        account.add(email);
        this.merging.consider(account);
      }
    });
  }

  /** Unknown ids are ignored. */
  remove(userId: string, emailIds: string[]) {
    this.removeWhere(
      userId,
      "email_id in (select value from json_each(?))",
      JSON.stringify(emailIds),
    );
  }

  removeMailbox(userId: string, mailboxId: string) {
    this.removeWhere(userId, "mailbox_id = ?", mailboxId);
  }

  /** Deletes everything of an account. */
  removeAccount(userId: string) {
    const found = prepared(this.db, "select account from accounts where user_id = ?").get(userId);
    if (!found) return;
    const { account } = found as { account: number };
    // A merge of its segments may be running. Merges of other accounts begin again with their next mail.
    this.merging.stop();
    this.accounts.drop(userId);
    this.change(() => {
      const ofIt = "where segment in (select segment from segments where account = ?)";
      prepared(this.db, `delete from blocks ${ofIt}`).run(account);
      for (const table of ["segments", "vectors", "contents", "phrases", "documents", "accounts"]) {
        prepared(this.db, `delete from ${table} where account = ?`).run(account);
      }
      logRemovals(this.db, account, [null]);
    });
  }

  search(query: SearchQuery): Found {
    return inSnapshot(this.db, () => {
      const wasOpen = this.accounts.has(query.userId);
      const account = this.accounts.get(query.userId);
      // A merge that the end of the process cut off goes on, although no mail comes.
      if (account && !wasOpen) this.merging.consider(account);
      return searchAccount(account, query);
    });
  }

  /** The passage of each email that has most of the words of a text; "" for an unknown email. */
  passages({ userId, text, emailIds }: PassageQuery): string[] {
    const account = this.accounts.get(userId);
    if (!account) return emailIds.map(() => "");
    const wanted = weightedWords(text, wordWeights(account, text));
    const texts = inSnapshot(this.db, () =>
      emailIds.map((emailId) => {
        const [document] = this.documentsWhere(account, "email_id = ?", emailId);
        return document === undefined ? "" : account.text(document);
      }));
    return texts.map((text) => text && bestPassage(text, wanted));
  }

  /** Replaces the vectors of emails. An email that is not in the index gets none. */
  addVectors(emails: EmbeddedEmail[]) {
    this.change(() => {
      for (const email of emails) {
        const account = this.accounts.get(email.userId);
        const [document] = account
          ? this.documentsWhere(account, "email_id = ?", email.emailId)
          : [];
        if (account && document !== undefined) account.vectors.add(document, email);
      }
    });
  }

  removeVectors(userId: string, emailIds: string[]) {
    const account = this.accounts.get(userId);
    if (!account) return;
    this.change(() =>
      account.vectors.remove(
        this.documentsWhere(
          account,
          "email_id in (select value from json_each(?))",
          JSON.stringify(emailIds),
        ),
      )
    );
  }

  /** The nearest emails, each once, best first; only vectors of the query's model count. */
  searchVectors(
    { userId, model, vector, parts, filters, window, shown = window }: VectorQuery,
  ): VectorHit[] {
    const account = this.accounts.get(userId);
    if (!account) return [];
    const allowed = allowedDocuments(account, filters);
    return account.vectors.dense(model).nearest(vector, allowed, window, parts).map(
      ({ document, place, cosine }, n) => ({
        emailId: account.columns.emailId[document],
        cosine,
        passage: n < shown ? account.vectors.passage(document, place) : "",
      }),
    ).sort((a, b) => b.cosine - a.cosine || (a.emailId < b.emailId ? 1 : -1));
  }

  /** How many emails of an account have no vectors of a model. */
  countLacking({ userId, model }: { userId: string; model: string }): number {
    const account = this.accounts.get(userId);
    return account ? countLacking(this.db, account.id, model) : 0;
  }

  /** These emails, the newest first. */
  newestLacking(
    { userId, model, limit }: { userId: string; model: string; limit: number },
  ): string[] {
    const account = this.accounts.get(userId);
    return account ? newestLacking(this.db, account.id, model, limit) : [];
  }

  /** The accounts that have such emails, with how many. */
  lackingAccounts(model: string): { userId: string; count: number }[] {
    return lackingAccounts(this.db, model);
  }

  /** Deletes the vectors of all accounts. */
  resetVectors() {
    this.accounts.clear();
    this.merging.stop();
    inTransaction(this.db, () => this.db.exec("delete from vectors"));
  }

  /** Deletes everything of all accounts. */
  reset() {
    this.merging.stop();
    inTransaction(this.db, () => {
      dropAll(this.db);
      logRemovals(this.db, null, [null]);
    });
    this.accounts.reset();
  }

  isEmpty(): boolean {
    return this.db.prepare("select document from documents limit 1").get() === undefined;
  }

  /** @throws if the database cannot be read. */
  check() {
    this.db.prepare("select count(*) from accounts where account = 0").get();
  }

  /** Merges segments for about 8 ms; returns whether there is more to do. */
  work(): boolean {
    return this.merging.step();
  }

  close() {
    this.merging.stop();
    this.db.close();
  }

  private removeWhere(userId: string, condition: string, value: string) {
    const account = this.accounts.get(userId);
    if (!account) return;
    this.change(() => {
      account.remove(this.documentsWhere(account, condition, value));
      this.merging.consider(account);
    });
  }

  private documentsWhere({ id }: Account, condition: string, value: string): number[] {
    const rows = prepared(
      this.db,
      `select document from documents where account = ? and ${condition}`,
    ).all(id, value) as { document: number }[];
    return rows.map(({ document }) => document);
  }

  /** If a change fails, the database stays as it was, and accounts are read from it again. */
  private change(work: () => void) {
    try {
      inTransaction(this.db, work);
    } catch (error) {
      this.merging.stop();
      this.accounts.clear();
      throw error;
    }
  }

  private newAccount(userId: string): Account {
    prepared(this.db, "insert into accounts (user_id) values (?)").run(userId);
    return this.accounts.get(userId)!;
  }
}
