import { Buffer } from "node:buffer";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../domain/core/clock.ts";
import { holdFile, lockOf } from "../../domain/store/file_holder.ts";
import { schemaVersion } from "../../domain/store/migrations.ts";
import {
  BackupError,
  backupFormat,
  type BackupSummary,
  checkedCount,
  digestOf,
  dropBackupTables,
  readSummary,
  withFile,
} from "./backup_file.ts";

/**
 * Puts the database and the search index of a backup in place. Throws BackupError, without a change, if a process holds
 * the store, if the file is not a whole backup, or if there is a store and `force` is false.
 */
export async function restoreBackup(
  clock: Clock,
  from: string,
  store: { path: string; indexPath: string },
  force: boolean,
): Promise<BackupSummary> {
  const info = await Deno.stat(from).catch(() => null);
  if (!info?.isFile) throw new BackupError(`${from} is not a file`);
  const folder = dirname(resolve(store.path));
  /** The first folder that was made for the store, until the store is in it. */
  let made = await mkdir(folder, { recursive: true });
  const release = await holdFile(clock, store.path, 0);
  if (!release) throw new BackupError(`a process has ${store.path} open: stop the service first`);
  const [database, index] = [`${store.path}.restoring`, `${store.indexPath}.restoring`];
  try {
    const existing = await Deno.stat(store.path).catch(() => null);
    if (existing && !force) {
      throw new BackupError(`there is a store at ${store.path}: --force replaces it`);
    }
    await removeAll(database);
    await removeAll(index);
    await Deno.copyFile(from, database);
    await Deno.chmod(database, 0o600).catch(() => {});
    const summary = unpack(from, database, index);
    for (const path of summary.indexBytes > 0 ? [database, index] : [database]) {
      using file = await Deno.open(path);
      await file.sync();
    }
    await giveTo(existing ?? await Deno.stat(folder), [
      ...(summary.indexBytes > 0 ? [database, index] : [database]),
      lockOf(store.path),
    ]);
    // If a store has no index, the service rebuilds it at the start: so a kill between any two of these steps loses
    // nothing.
    await removeAll(store.indexPath);
    if (existing) emptyJournal(store.path);
    for (const end of ["-wal", "-shm"]) await removeIfThere(store.path + end);
    await Deno.rename(database, store.path);
    if (summary.indexBytes > 0) await Deno.rename(index, store.indexPath);
    made = undefined;
    using opened = await Deno.open(folder);
    await opened.sync();
    return summary;
  } finally {
    await removeAll(database);
    await removeAll(index);
    if (made !== undefined) await removeMade(store.path, folder, made);
    release();
  }
}

/** Makes the two files of a store from a copy of a backup. Throws BackupError if the backup is not whole. */
function unpack(from: string, database: string, index: string): BackupSummary {
  try {
    return withFile(database, (file) => {
      const summary = readSummary(file);
      if (summary.format !== backupFormat || summary.schemaVersion > schemaVersion) {
        throw new BackupError("it is of a newer release");
      }
      expectSame("rows of the database", checkedCount(file, "kv"), summary.rows);
      if (Buffer.compare(digestOf(file), summary.digest) !== 0) {
        throw new BackupError("its bytes have changed");
      }
      expectSame("bytes of the index", writePieces(file, index), summary.indexBytes);
      if (summary.indexBytes > 0) {
        const documents = withFile(index, (its) => checkedCount(its, "documents"));
        expectSame("emails of the index", documents, summary.documents);
      }
      file.exec(dropBackupTables);
      return summary;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${from} is not a whole backup: ${reason}`);
  }
}

function writePieces(file: DatabaseSync, path: string): number {
  using out = Deno.openSync(path, { create: true, write: true, truncate: true, mode: 0o600 });
  let total = 0;
  for (
    const { bytes } of file.prepare("select bytes from letterbox_index order by piece").iterate()
  ) {
    const piece = bytes as Uint8Array;
    for (let at = 0; at < piece.length;) at += out.writeSync(piece.subarray(at));
    total += piece.length;
  }
  return total;
}

function expectSame(what: string, found: number, promised: number): void {
  if (found !== promised) throw new BackupError(`it has ${found} ${what} instead of ${promised}`);
}

/** What root restores belongs to the owner of the earlier store, or of the folder: the service runs as that user. */
async function giveTo({ uid, gid }: Deno.FileInfo, paths: readonly string[]): Promise<void> {
  if (Deno.uid() !== 0) return;
  for (const path of paths) await Deno.chown(path, uid, gid);
}

/** Brings the commits of the store's journal into its file, so that the journal can be removed before the file. */
function emptyJournal(path: string): void {
  try {
    withFile(path, (file) => file.exec("pragma wal_checkpoint(truncate)"));
  } catch {
    // It is damaged, and is replaced.
  }
}

/** Removes the lock and the folders that a refused restore made. Folders in which something else lies stay. */
async function removeMade(path: string, folder: string, first: string): Promise<void> {
  await removeIfThere(lockOf(path));
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) await Deno.remove(at);
  } catch {
    // Another program uses it.
  }
}

async function removeAll(path: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal"]) await removeIfThere(path + end);
}

async function removeIfThere(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}
