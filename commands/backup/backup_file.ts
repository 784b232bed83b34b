import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/**
 * A backup is one SQLite file: the database of the store, and two more tables. `letterbox_backup` has the counts that a
 * complete backup must have, `letterbox_index` the file of the search index in pieces.
 */
export const backupTables = `
  create table letterbox_backup (name text primary key, value integer);
  create table letterbox_index (piece integer primary key, bytes blob not null);
`;
export const dropBackupTables = "drop table letterbox_backup; drop table letterbox_index;";

/** The form of backups that this release writes and reads. */
export const backupFormat = 1;

/** Bytes of the index in one row. */
export const pieceBytes = 1_048_576;

/** The counts of a complete backup. */
export interface BackupSummary {
  format: number;
  /** The schema version of the release that made it. */
  schemaVersion: number;
  /** Rows of the database. */
  rows: number;
  indexBytes: number;
  /** Emails in the index. */
  documents: number;
  /** What `digestOf` was. */
  digest: Uint8Array;
}

export class BackupError extends Error {}

/** Runs `work` on an open SQLite file. */
export function withFile<R>(path: string, work: (file: DatabaseSync) => R): R {
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/** The rows of a table of a SQLite file, after a check of the file. Throws BackupError if it is damaged. */
export function checkedCount(file: DatabaseSync, table: "kv" | "documents"): number {
  const [first] = file.prepare("pragma integrity_check(1)").all();
  const found = String(first?.integrity_check);
  if (found !== "ok") throw new BackupError(`it is damaged: ${found.replaceAll("\n", " ")}`);
  return Number(file.prepare(`select count(*) as rows from ${table}`).get()!.rows);
}

/** SHA-256 of the rows of the database and the bytes of the index: `integrity_check` does not read what is in a row. */
export function digestOf(file: DatabaseSync): Uint8Array {
  const hash = createHash("sha256");
  const queries = [
    "select * from kv order by k",
    "select bytes from letterbox_index order by piece",
  ];
  for (const query of queries) {
    for (const row of file.prepare(query).iterate()) {
      for (const value of Object.values(row)) {
        const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
        hash.update(`${bytes.length} `).update(bytes);
      }
    }
  }
  return hash.digest();
}

export function writeSummary(file: DatabaseSync, summary: BackupSummary): void {
  const insert = file.prepare("insert into letterbox_backup values (?, ?)");
  for (const [name, value] of Object.entries(summary)) insert.run(name, value);
}

/** Throws BackupError if the file has none. */
export function readSummary(file: DatabaseSync): BackupSummary {
  const isTable = "select 1 from sqlite_schema where name = 'letterbox_backup'";
  if (!file.prepare(isTable).get()) throw new BackupError("it is not a backup of this program");
  const rows = file.prepare("select name, value from letterbox_backup").all();
  return Object.fromEntries(
    rows.map(({ name, value }) => [name, value instanceof Uint8Array ? value : Number(value)]),
  ) as unknown as BackupSummary;
}
