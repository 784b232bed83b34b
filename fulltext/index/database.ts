import { rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

/** The version of the file format. A file of another version is emptied: the index is a cache. */
const format = 5;

/**
 * Opens the file of an index; null opens one in memory. Creates the file if absent, empties it if it
 * has another version, and replaces it if it is damaged. A commit is on disk when it returns
 * (`synchronous = full`).
 *
 * `documents` decides what is indexed: postings of a document without a row are skipped, and vanish
 * when their segment is merged.
 *
 * @throws if the file cannot be opened, read or written.
 */
export function openDatabase(path: string | null): DatabaseSync {
  try {
    return open(path ?? ":memory:");
  } catch (error) {
    if (path === null || !isDamage(error)) throw error;
    removeFile(path);
    return open(path);
  }
}

/** Removes the file of an index, which must be closed. */
export function removeFile(path: string): void {
  // The journal of the old file would be replayed into a new one.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

/**
 * SQLite's messages for a file that is cut, overwritten, or no database, that of `malformed`, and those of numbers that
 * cannot be: rows that the engine writes fit all constraints.
 */
export function isDamage(error: unknown): boolean {
  return error instanceof Error &&
    /not a database|malformed|constraint failed|too large to be represented/.test(error.message);
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function prepare(db: DatabaseSync) {
  db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -2000");
  const { user_version: version } = db.prepare("pragma user_version").get() as {
    user_version: number;
  };
  if (version !== 0 && version !== format) dropAll(db);
  db.exec(schema);
  // Written only if it differs: a full disk refuses any write.
  if (version !== format) db.exec(`pragma user_version = ${format}`);
  // Blocks of an interrupted merge have no segment.
  db.exec("delete from blocks where segment not in (select segment from segments)");
}

/** Drops and creates all tables but the log of removals, whose numbers must not begin again. */
export function dropAll(db: DatabaseSync) {
  const tables = ["accounts", "documents", "contents", "phrases", "segments", "blocks", "vectors"];
  db.exec(tables.map((table) => `drop table if exists ${table};`).join(""));
  db.exec(schema);
}

const schema = `
  create table if not exists accounts (
    account integer primary key, user_id text not null unique,
    next_document integer not null default 0, flushed integer not null default 0);
  create table if not exists documents (
    account integer not null, document integer not null, email_id text not null,
    mailbox_id text not null, sender integer not null, recipients integer not null,
    subject integer not null, date_ms real not null, arrived_ms real not null,
    length integer not null, primary key (account, document)) without rowid;
  create unique index if not exists documents_by_email on documents (account, email_id);
  create table if not exists contents (
    account integer not null, document integer not null, terms blob not null, text blob not null);
  create unique index if not exists contents_by_document on contents (account, document);
  create table if not exists phrases (
    account integer not null, phrase integer not null, text text not null, uses integer not null,
    primary key (account, phrase)) without rowid;
  create table if not exists segments (
    segment integer primary key, account integer not null, first_document integer not null,
    span integer not null, written integer not null, level integer not null, stems blob not null);
  create index if not exists segments_by_account on segments (account, first_document);
  create table if not exists blocks (
    block integer primary key autoincrement, segment integer not null,
    first_key integer not null, data blob not null);
  create index if not exists blocks_by_key on blocks (segment, first_key);
  create table if not exists vectors (
    account integer not null, document integer not null, model text not null,
    vectors blob not null, passages blob not null);
  create unique index if not exists vectors_by_document on vectors (account, document);
  create index if not exists vectors_by_model on vectors (account, model, document);
  create table if not exists removals (
    removal integer primary key autoincrement, account integer, document integer);
`;

/** Runs `work` in one transaction, which is rolled back if it throws. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec("begin immediate");
  try {
    const result = work();
    db.exec("commit");
    return result;
  } catch (error) {
    // A full disk has already ended the transaction (https://sqlite.org/lang_transaction.html, section 2.3).
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

/**
 * Runs `read` on one state of the database. A read outside a transaction begins its own, which takes twice as long as the
 * read of a block.
 */
export function inSnapshot<Result>(db: DatabaseSync, read: () => Result): Result {
  db.exec("begin");
  try {
    return read();
  } finally {
    db.exec("commit");
  }
}

/** Removals that are kept for a reader; one that has missed more opens its accounts again. */
const keptRemovals = 10_000;

/** Logs that documents of an account were removed; null stands for everything. */
export function logRemovals(
  db: DatabaseSync,
  account: number | null,
  documents: (number | null)[],
) {
  if (documents.length === 0) return;
  const log = prepared(db, "insert into removals (account, document) values (?, ?)");
  for (const document of documents) log.run(account, document);
  prepared(db, "delete from removals where removal <= (select max(removal) from removals) - ?")
    .run(keptRemovals);
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** The prepared statement of an SQL text, cached by database. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(db);
  if (!known) statements.set(db, known = new Map());
  let statement = known.get(sql);
  if (!statement) known.set(sql, statement = db.prepare(sql));
  return statement;
}
