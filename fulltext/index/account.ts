import type { DatabaseSync } from "node:sqlite";
import { hash48 } from "../analysis/term_hash.ts";
import type { IndexedEmail } from "../types.ts";
import { malformed } from "./checksum.ts";
import { Columns } from "./columns.ts";
import { logRemovals, prepared } from "./database.ts";
import { type DocumentTerms, packTerms, packText, unpackTerms, unpackText } from "./document.ts";
import { flushDocuments, givenNumbers } from "./given_numbers.ts";
import { Phrases } from "./phrases.ts";
import type { SharedByAccounts } from "./open_accounts.ts";
import type { Places } from "./hashing/places.ts";
import { PostingList } from "./posting_list.ts";
import { RecentPostings } from "./recent_postings.ts";
import { readVocabulary, Vocabulary } from "./vocabulary.ts";
import { type BlockStore, readTerm, type Segment, SegmentWriter } from "./segment.ts";
import { AccountVectors } from "./vectors/account_vectors.ts";

/**
 * The most postings of new documents in memory, as `flushDocuments` is for documents: 256 emails of a quarter of a million
 * random letters have 15 million.
 */
const flushPostings = 2 ** 18;

/** Bytes of the terms of a document that `headTerms` reads, and how many stems they may hold. */
const headBytes = 1_024;
export const headStems = headBytes / 8;

/**
 * The open index of one account: the fields of each document in columns, the postings of the newest
 * documents in memory, the others in segments. A change is written to the database first, in the
 * caller's transaction, so that the object can be dropped and read again at any time.
 */
export class Account {
  readonly columns = new Columns();
  segments: Segment[] = [];
  /** The postings of documents from number `flushed` on. */
  private readonly recent: RecentPostings;
  private readonly vocabulary: Vocabulary;
  readonly vectors: AccountVectors;
  /** Shared by all accounts: whoever uses it resets it. */
  readonly places: Places;
  private readonly db: DatabaseSync;
  private readonly blocks: BlockStore;
  private phrases: Phrases | null = null;
  private readonly found = new PostingList();
  private readonly scratchColumns: Float32Array[] = [];
  private allowedColumn = new Uint8Array(0);
  flushed: number;

  /** @param id its number in the tables. */
  constructor(readonly id: number, private readonly shared: SharedByAccounts) {
    const { db, blocks, places, hash } = shared;
    this.db = db;
    this.blocks = blocks;
    this.places = places;
    this.recent = new RecentPostings(hash);
    this.vocabulary = new Vocabulary(hash);
    this.vectors = new AccountVectors(db, id);
    this.loadSegments();
    const { next, flushed } = givenNumbers(db, id, this.segments);
    this.flushed = flushed;
    this.columns.load(db, id, next);
    this.loadWords();
  }

  /**
   * Reads what another connection has added, flushed and merged since. What it removed is to be given to `forget`
   * before. Afterwards the account is the same as one that is opened now.
   */
  refresh() {
    const known = this.columns.size;
    const segments = this.segments;
    this.loadSegments();
    const { next, flushed } = givenNumbers(this.db, this.id, this.segments);
    this.columns.load(this.db, this.id, next);
    this.phrases?.addNew(this.columns, known);
    const isSame = flushed === this.flushed && segments.length === this.segments.length &&
      segments.every((segment, n) => segment === this.segments[n]);
    this.flushed = flushed;
    if (isSame) this.loadRecent(known);
    else this.loadWords();
  }

  /** False if so many different stems were met that the counts of the rarest depend on what was met before. */
  get countsAreExact(): boolean {
    return !this.vocabulary.hasForgotten;
  }

  /** Memory that mail of many words fills. */
  get bytes(): number {
    let blocks = 0;
    for (const { rows } of this.segments) blocks += rows.length;
    return this.vocabulary.bytes + this.recent.bytes + (this.phrases?.bytes ?? 0) + 16 * blocks;
  }

  /** Reads the list of segments again, after a flush or a merge. */
  loadSegments() {
    const rows = prepared(
      this.db,
      "select segment, first_document as firstDocument, span, written, level from segments " +
        "where account = ? order by first_document",
    ).all(this.id) as unknown as Omit<Segment, "firstKeys" | "rows">[];
    const known = new Map(this.segments.map((segment) => [segment.segment, segment]));
    this.segments = rows.map((row) =>
      known.get(row.segment) ?? { ...row, ...this.blocks.directory(row.segment) }
    );
  }

  /**
   * Counts the stems again: those that the segments have stored, and those of the newest documents. So counts depend
   * on the database alone, not on when the account was opened.
   */
  loadWords() {
    this.vocabulary.clear();
    this.recent.clear();
    const read = prepared(this.db, "select stems from segments where segment = ?");
    for (const { segment } of this.segments) {
      readVocabulary((read.get(segment) as { stems: Uint8Array }).stems, this.vocabulary);
    }
    this.loadRecent(this.flushed);
  }

  /** Adds an email that must not be in the index; returns its document number. */
  add(email: IndexedEmail): number {
    const { db, id: account } = this;
    const terms = this.shared.counter.terms(email);
    const document = this.columns.size;
    const phrases = {
      sender: this.phrase(email.from),
      recipients: this.phrase(email.to.join("\n")),
      subject: this.phrase(email.subject),
    };
    prepared(db, "insert into documents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      account,
      document,
      email.emailId,
      email.mailboxId,
      phrases.sender,
      phrases.recipients,
      phrases.subject,
      email.dateMs,
      email.arrivedMs,
      terms.length,
    );
    prepared(db, "insert into contents values (?, ?, ?, ?)")
      .run(account, document, packTerms(terms), packText(email.text));
    prepared(db, "update accounts set next_document = ? where account = ?")
      .run(document + 1, account);
    this.columns.add({ ...email, ...phrases, length: terms.length });
    this.remember(document, terms);
    if (document + 1 - this.flushed >= flushDocuments || this.recent.length >= flushPostings) {
      this.flush();
    }
    return document;
  }

  /** Removes documents. Their postings stay until a merge and are skipped when read. */
  remove(documents: number[]) {
    const { db, id: account } = this;
    const forget = prepared(
      db,
      "delete from documents where account = ? and document = ? returning sender, recipients, subject",
    );
    const release = prepared(
      db,
      "update phrases set uses = uses - 1 where account = ? and phrase = ?",
    );
    const drop = prepared(
      db,
      "delete from phrases where account = ? and phrase = ? and uses <= 0",
    );
    for (const document of documents) {
      const phrases = forget.get(account, document) as Record<string, number> | undefined;
      for (const phrase of Object.values(phrases ?? {})) {
        release.run(account, phrase);
        drop.run(account, phrase);
      }
      prepared(db, "delete from contents where account = ? and document = ?")
        .run(account, document);
    }
    this.vectors.remove(documents);
    logRemovals(db, account, documents);
    this.forget(documents);
  }

  /** Removes documents from memory. Those in a segment count for their stems until it is merged. */
  forget(documents: number[]) {
    const live = documents.filter((document) => this.columns.isLive[document]);
    const recent = new Set(live.filter((document) => document >= this.flushed));
    if (recent.size > 0) this.recent.eachStem(recent, (key) => this.vocabulary.remove(key));
    for (const document of live) this.columns.remove(document);
  }

  /** How many documents have a stem; removed documents count until their segment is merged. */
  stemCount(key: number): number {
    return this.vocabulary.get(key);
  }

  /** The postings of a term in documents that are not removed. The next call overwrites the list. */
  postings(key: number): PostingList {
    const { found: list, blocks, columns: { isLive } } = this;
    list.clear();
    for (const segment of this.segments) readTerm(blocks, segment, key, isLive, list);
    this.recent.read(key, isLive, list);
    return list;
  }

  /** A column of zeros, one number for each document. Each `place` is an array that every search reuses. */
  scratch(place: number): Float32Array {
    const { size } = this.columns;
    let column = this.scratchColumns[place];
    if (!column || column.length < size) {
      this.scratchColumns[place] = column = new Float32Array(Math.ceil(size * 1.25));
    }
    return column.subarray(0, size).fill(0);
  }

  /** A copy of the column `isLive`, for a search to narrow; every search reuses the array. */
  allowed(): Uint8Array {
    const { size, isLive } = this.columns;
    if (this.allowedColumn.length < size) {
      this.allowedColumn = new Uint8Array(Math.ceil(size * 1.25));
    }
    const allowed = this.allowedColumn.subarray(0, size);
    allowed.set(isLive.subarray(0, size));
    return allowed;
  }

  terms(document: number): DocumentTerms {
    return unpackTerms(this.content("terms", document));
  }

  /** The first terms of documents, as bytes, about 125 each: of the subject and of the beginning of the text. */
  headTerms(documents: number[]): Map<number, Uint8Array> {
    const found = new Map<number, Uint8Array>();
    const missing: number[] = [];
    const idOf = (document: number) => this.id * 2 ** 32 + document;
    for (const document of documents) {
      const terms = this.shared.heads.get(idOf(document));
      if (terms) found.set(document, terms);
      else missing.push(document);
    }
    if (missing.length === 0) return found;
    const rows = prepared(
      this.db,
      "select document, substr(terms, 1, ?) as terms from contents " +
        "where account = ? and document in (select value from json_each(?))",
    ).all(headBytes, this.id, JSON.stringify(missing));
    for (const { document, terms } of rows as { document: number; terms: Uint8Array }[]) {
      found.set(document, terms);
      this.shared.heads.set(idOf(document), terms);
    }
    return found;
  }

  text(document: number): string {
    return unpackText(this.content("text", document));
  }

  /** Sender, recipients and subject of a document, in lower case. */
  phrasesOf(document: number): string[] {
    const { sender, recipients, subject } = this.columns;
    const rows = prepared(
      this.db,
      "select text from phrases where account = ? and phrase in (?, ?, ?)",
    ).all(this.id, sender[document], recipients[document], subject[document]);
    return (rows as { text: string }[]).map(({ text }) => text);
  }

  /**
   * The senders, recipients and subjects that contain a text in lower case and that `isWanted`. The next call overwrites the
   * result.
   */
  phrasesWith(part: string, isWanted?: (phrase: string) => boolean): Vocabulary {
    this.phrases ??= new Phrases(this.db, this.id, this.shared.hash);
    return this.phrases.with(part, isWanted);
  }

  /** The number of a phrase (a sender, recipients, a subject), which an account stores once. */
  private phrase(text: string): number {
    const lower = text.toLowerCase();
    const phrase = hash48(lower);
    const { uses } = prepared(
      this.db,
      "insert into phrases values (?, ?, ?, 1) on conflict do update set uses = uses + 1 returning uses",
    ).get(this.id, phrase, lower) as { uses: number };
    if (uses === 1) this.phrases?.add(phrase, lower);
    return phrase;
  }

  private content(column: "terms" | "text", document: number): Uint8Array {
    const row = prepared(
      this.db,
      `select ${column} as bytes from contents where account = ? and document = ?`,
    ).get(this.id, document) as { bytes: Uint8Array } | undefined;
    if (!row) throw malformed();
    return row.bytes;
  }

  /** Remembers the documents from number `first` on that are in no segment. */
  private loadRecent(first: number) {
    const rows = prepared(
      this.db,
      "select document, terms from contents where account = ? and document >= ? order by document",
    ).all(this.id, Math.max(first, this.flushed)) as { document: number; terms: Uint8Array }[];
    for (const { document, terms } of rows) this.remember(document, unpackTerms(terms));
  }

  private remember(document: number, terms: DocumentTerms) {
    const { keys, asStem } = terms;
    for (let n = 0; n < keys.length; n++) if (asStem[n] > 0) this.vocabulary.add(keys[n], 1);
    this.recent.add(document, terms);
  }

  private flush() {
    const segment = this.shared.nextSegment();
    const writer = new SegmentWriter(this.blocks, segment);
    const list = new PostingList();
    for (const key of this.recent.terms()) {
      list.clear();
      this.recent.read(key, this.columns.isLive, list);
      writer.add(key, list);
    }
    writer.flush();
    const next = this.columns.size;
    prepared(this.db, "insert into segments values (?, ?, ?, ?, ?, 0, ?)").run(
      segment,
      this.id,
      this.flushed,
      next - this.flushed,
      this.columns.liveBetween(this.flushed, next),
      writer.stems.bytes(),
    );
    prepared(this.db, "update accounts set flushed = ? where account = ?").run(next, this.id);
    this.flushed = next;
    this.recent.clear();
    this.loadSegments();
  }
}
