import type { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { bestPassage, wantedWords } from "../analysis/best_passage.ts";
import { tokenize } from "../analysis/tokens.ts";
import type {
  EmbeddedEmail,
  IndexedEmail,
  PassageQuery,
  SearchHit,
  SearchQuery,
  VectorHit,
  VectorQuery,
  WordWeights,
} from "../types.ts";
import { Account, type HeadTerms } from "./account.ts";
import { dropAll, inTransaction, openDatabase, prepared } from "./database.ts";
import { allowedDocuments } from "./filters.ts";
import { type FillRandom, KeyHash } from "./hashing/key_hash.ts";
import { Merging } from "./merging.ts";
import { Places } from "./hashing/places.ts";
import { queryTerms } from "./query_terms.ts";
import { rankDocuments } from "./ranking.ts";
import { sparseScores } from "./score.ts";
import { BlockStore } from "./segment.ts";

/** Documents of open accounts in memory: about 100 bytes each, and the postings of the newest. */
const maxOpenDocuments = 300_000;
const maxOpenAccounts = 40;
/** Bytes in memory for their vocabularies, newest postings and phrases. */
const maxOpenBytes = 64 * 2 ** 20;
/**
 * First terms of so many documents stay in memory, 1 KB each: half of those that 1,000 different queries over 10,000
 * emails read.
 */
const maxHeads = 2_048;

/**
 * The index, synchronous. A change is on disk when its method returns; one that throws changed
 * nothing. Everything is per account (`userId`): no query sees another account's documents.
 */
export class IndexEngine {
  private readonly db: DatabaseSync;
  private readonly blocks: BlockStore;
  /** Open accounts by user, the least recently used first. */
  private readonly open = new Map<string, Account>();
  private readonly merging: Merging;
  private readonly hash: KeyHash;
  private readonly places: Places;
  private readonly heads: HeadTerms = new LRUCache({ max: maxHeads });
  private lastSegment: number;

  /**
   * @param path the file, created if absent and emptied if damaged; null for one in memory.
   * @param elapsed ms of a clock that never goes back, to measure the steps of merges.
   * @param fillRandom keys the tables in memory; nothing in the file depends on it.
   * @throws if the file cannot be opened.
   */
  constructor(path: string | null, elapsed: () => number, fillRandom: FillRandom) {
    this.hash = new KeyHash(fillRandom);
    this.places = new Places(this.hash);
    this.db = openDatabase(path);
    this.blocks = new BlockStore(this.db);
    const { last } = this.db.prepare("select max(segment) as last from segments").get() as {
      last: number | null;
    };
    this.lastSegment = last ?? 0;
    this.merging = new Merging(this.db, this.blocks, () => ++this.lastSegment, elapsed);
  }

  /** Indexes emails; one that is in the index already is replaced, and its vectors are removed. */
  add(emails: IndexedEmail[]) {
    this.change(() => {
      for (const email of emails) {
        const account = this.account(email.userId, true)!;
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
    this.open.delete(userId);
    this.heads.clear();
    this.change(() => {
      const ofIt = "where segment in (select segment from segments where account = ?)";
      prepared(this.db, `delete from blocks ${ofIt}`).run(account);
      for (const table of ["segments", "vectors", "contents", "phrases", "documents", "accounts"]) {
        prepared(this.db, `delete from ${table} where account = ?`).run(account);
      }
    });
  }

  /**
   * The best hits, one for each email; how many there are, at most `window`; and the weights of the words, for a reader
   * of passages.
   */
  search(query: SearchQuery): { hits: SearchHit[]; total: number; weights: WordWeights } {
    const account = this.account(query.userId, false);
    if (!account) return { hits: [], total: 0, weights: [] };
    const terms = queryTerms(query.text);
    const allowed = allowedDocuments(account, query.filters);
    const ranked = rankDocuments(account, terms, allowed, query.window);
    const scores = sparseScores(ranked);
    const hits = ranked.slice(0, query.wanted).map((
      { document, value, literal, named },
      place,
    ) => ({
      emailId: account.columns.emailId[document],
      score: scores[place],
      value,
      ...(literal ? { literal } : {}),
      ...(named ? { named } : {}),
    }));
    return { hits, total: ranked.length, weights: wordWeights(account, query.text) };
  }

  /** The passage of each email that has most of the words of a text; "" for an unknown email. */
  passages({ userId, text, emailIds }: PassageQuery): string[] {
    const account = this.account(userId, false);
    if (!account) return emailIds.map(() => "");
    const weights = new Map(wordWeights(account, text));
    const wanted = wantedWords(text, ({ stemKey }) => weights.get(stemKey)!);
    return emailIds.map((emailId) => {
      const [document] = this.documentsWhere(account, "email_id = ?", emailId);
      return document === undefined ? "" : bestPassage(account.text(document), wanted);
    });
  }

  /** Replaces the vectors of emails. An email that is not in the index gets none. */
  addVectors(emails: EmbeddedEmail[]) {
    this.change(() => {
      for (const email of emails) {
        const account = this.account(email.userId, false);
        const [document] = account
          ? this.documentsWhere(account, "email_id = ?", email.emailId)
          : [];
        if (account && document !== undefined) account.addVectors(document, email);
      }
    });
  }

  removeVectors(userId: string, emailIds: string[]) {
    const account = this.account(userId, false);
    if (!account) return;
    this.change(() =>
      account.removeVectors(
        this.documentsWhere(
          account,
          "email_id in (select value from json_each(?))",
          JSON.stringify(emailIds),
        ),
      )
    );
  }

  /** The nearest emails, each once, best first; only vectors of the query's model count. */
  searchVectors({ userId, model, vector, filters, window }: VectorQuery): VectorHit[] {
    const account = this.account(userId, false);
    if (!account) return [];
    const allowed = allowedDocuments(account, filters);
    return account.dense(model).nearest(vector, allowed, window).map(
      ({ document, place, cosine }) => ({
        emailId: account.columns.emailId[document],
        cosine,
        passage: account.passage(document, place),
      }),
    ).sort((a, b) => b.cosine - a.cosine || (a.emailId < b.emailId ? 1 : -1));
  }

  /** Deletes the vectors of all accounts. */
  resetVectors() {
    this.open.clear();
    this.merging.stop();
    inTransaction(this.db, () => this.db.exec("delete from vectors"));
  }

  /** Deletes everything of all accounts. */
  reset() {
    this.merging.stop();
    this.open.clear();
    this.heads.clear();
    inTransaction(this.db, () => dropAll(this.db));
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
    const account = this.account(userId, false);
    if (!account) return;
    this.change(() => {
      account.remove(this.documentsWhere(account, condition, value));
      this.merging.consider(account);
    });
  }

  private documentsWhere({ account }: Account, condition: string, value: string): number[] {
    const rows = prepared(
      this.db,
      `select document from documents where account = ? and ${condition}`,
    ).all(account, value) as { document: number }[];
    return rows.map(({ document }) => document);
  }

  /** If a change fails, the database stays as it was, and accounts are read from it again. */
  private change(work: () => void) {
    try {
      inTransaction(this.db, work);
    } catch (error) {
      this.merging.stop();
      this.open.clear();
      this.heads.clear();
      throw error;
    }
  }

  private account(userId: string, make: boolean): Account | null {
    let account = this.open.get(userId);
    if (!account) {
      const find = prepared(this.db, "select account from accounts where user_id = ?");
      let row = find.get(userId) as { account: number } | undefined;
      if (!row && !make) return null;
      if (!row) {
        prepared(this.db, "insert into accounts (user_id) values (?)").run(userId);
        row = find.get(userId) as { account: number };
      }
      account = new Account(
        this.db,
        this.blocks,
        row.account,
        () => ++this.lastSegment,
        this.hash,
        this.places,
        this.heads,
      );
    }
    this.open.delete(userId);
    this.open.set(userId, account);
    this.makeRoom(account);
    return account;
  }

  private makeRoom(current: Account) {
    let documents = 0;
    let bytes = 0;
    for (const account of this.open.values()) {
      documents += account.columns.size;
      bytes += account.bytes;
    }
    for (const [userId, account] of this.open) {
      const fits = documents <= maxOpenDocuments && bytes <= maxOpenBytes;
      if (fits && this.open.size <= maxOpenAccounts) return;
      if (account === current || this.merging.isBusyWith(account)) continue;
      this.open.delete(userId);
      documents -= account.columns.size;
      bytes -= account.bytes;
    }
  }
}

/** The weight of each stem of a text in the choice of a passage: its inverse document frequency. */
function wordWeights(account: Account, text: string): WordWeights {
  const { live } = account.columns;
  const stems = new Set(tokenize(text).map(({ word }) => word.stemKey));
  return Array.from(stems, (key) => [key, Math.log(1 + live / (account.stemCount(key) + 0.5))]);
}
