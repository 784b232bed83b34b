import { dirname, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { schemaVersion } from "../../domain/store/migrations.ts";
import {
  BackupError,
  backupFormat,
  type BackupSummary,
  backupTables,
  checkedCount,
  digestOf,
  pieceBytes,
  withFile,
  writeSummary,
} from "./backup_file.ts";

/** All pages in one step: a commit of the service between two steps would restart the copy. */
const allPages = 2 ** 31 - 1;

/**
 * Writes one file with the database and its search index, also while a service uses them. It is written under another
 * name in the same folder, checked and then renamed. The index is copied after the database: for mail that it lacks,
 * the copy of the database has a job. A damaged index is left out: the service rebuilds it from the database. Throws
 * BackupError, or the error of the disk.
 */
export async function makeBackup(
  store: { path: string; indexPath: string },
  out: string,
): Promise<BackupSummary> {
  for (const taken of [store.path, store.indexPath]) {
    // A commit may be in the log alone.
    const isPart = ["", "-wal", "-shm", ".lock"].some((end) =>
      resolve(out) === resolve(taken) + end
    );
    if (isPart) throw new BackupError(`${out} is a file of the store itself`);
  }
  if ((await Deno.stat(out).catch(() => null))?.isDirectory) {
    throw new BackupError(`${out} is a folder: give the name of a file`);
  }
  if (!await isFile(store.path)) throw new BackupError(`there is no store at ${store.path}`);
  const folder = dirname(resolve(out));
  await Deno.mkdir(folder, { recursive: true });
  // Other users of the machine must not read it: it has everybody's mail.
  const partial = await Deno.makeTempFile({ dir: folder, prefix: ".letterbox-backup-" });
  const index = `${partial}.index`;
  try {
    await copy(store.path, partial);
    const documents = await copyIndex(store.indexPath, index);
    const hasIndex = documents !== null;
    const summary = withFile(partial, (file) => {
      file.exec("pragma journal_mode = delete");
      const rows = checkedCount(file, "kv");
      file.exec(backupTables);
      file.exec("begin");
      const indexBytes = hasIndex ? storePieces(file, index) : 0;
      const written = {
        format: backupFormat,
        schemaVersion,
        rows,
        indexBytes,
        documents: documents ?? 0,
        digest: digestOf(file),
      };
      writeSummary(file, written);
      file.exec("commit");
      return written;
    });
    await sync(partial);
    await Deno.rename(partial, out);
    await sync(folder);
    return summary;
  } finally {
    for (const path of [partial, index]) {
      for (const end of ["", "-wal", "-shm", "-journal"]) {
        await Deno.remove(path + end).catch(() => {});
      }
    }
  }
}

/** Copies the index; returns how many emails it has, or null if there is none or it is damaged. */
async function copyIndex(from: string, to: string): Promise<number | null> {
  if (!await isFile(from)) return null;
  try {
    await copy(from, to);
    return withFile(to, (file) => checkedCount(file, "documents"));
  } catch (error) {
    if (error instanceof BackupError || isDamage(error)) return null;
    throw error;
  }
}

/** By the message: the error of `backup` has no code of SQLite. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed/.test(error.message);
}

async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: allPages });
  } finally {
    source.close();
  }
  withFile(to, (file) => file.exec("pragma journal_mode = delete"));
}

/** Stores a file in pieces; returns its size in bytes. */
function storePieces(file: DatabaseSync, path: string): number {
  const insert = file.prepare("insert into letterbox_index values (?, ?)");
  using source = Deno.openSync(path);
  const piece = new Uint8Array(pieceBytes);
  let total = 0;
  for (let n = 0;; n++) {
    let read = 0;
    while (read < piece.length) {
      const more = source.readSync(piece.subarray(read));
      if (more === null) break;
      read += more;
    }
    if (read === 0) return total;
    insert.run(n, piece.subarray(0, read));
    total += read;
  }
}

async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isFile, () => false);
}

/** After this, the file (or the names in the folder) survives a loss of power. */
async function sync(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}
