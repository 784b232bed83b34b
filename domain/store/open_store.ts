import type { Clock } from "../core/clock.ts";
import { dirname } from "node:path";
import { StartError } from "../core/settings/start_error.ts";
import { TookTooLong, within } from "../core/work/within.ts";
import { holdFile } from "./file_holder.ts";
import { DatabaseSync } from "node:sqlite";

/** A remote database answers its first request in well under a second. */
const remoteMs = 10_000;
const patienceMs = 3_000;
const againMs = 200;
/** No token, or a wrong one: it stays wrong. */
const isRefused = /DENO_KV_ACCESS_TOKEN|status=40[13]|40[13] /;
/** How long a start waits until the process before it has released the database: longer than its stop may take, 4 s. */
const handoverMs = 5_000;
const sqliteMagic = new TextEncoder().encode("SQLite format 3\0");

/**
 * Makes this process the holder of the database file of KV_PATH, whose search index is at `indexPath`. Returns what
 * releases the file. Throws StartError, with the reason, if one of the files cannot be used.
 */
export async function holdStore(
  clock: Clock,
  path: string,
  indexPath: string,
): Promise<() => void> {
  let release = null as (() => void) | null;
  try {
    await orStartError(path, async () => {
      await Deno.mkdir(dirname(path), { recursive: true });
      const size = await writableSize(path);
      if (size === 0 && await writableSize(indexPath) !== null) {
        throw new Error(
          `it is empty, but ${indexPath} beside it is not new: restore it, or remove both files to begin anew`,
        );
      }
      if (size !== null && size > 0 && !await beginsLike(path, sqliteMagic)) {
        throw new Error("it is not a database");
      }
      release = await holdFile(clock, path, handoverMs);
      if (!release) {
        throw new StartError(
          `KV_PATH: another process has ${path} open; stop it first, or set another KV_PATH`,
        );
      }
      await keepPrivate([path, indexPath]);
      if (size) checkFile(path);
    });
    await orStartError(indexPath, () => writableSize(indexPath));
    return release!;
  } catch (error) {
    release?.();
    throw error;
  }
}

/** The database of KV_PATH. Throws StartError if it cannot be opened. */
export async function openStore(clock: Clock, path: string | undefined): Promise<Deno.Kv> {
  return await orStartError(path, () => within(clock, Deno.openKv(path), remoteMs));
}

/**
 * The first requests to a remote database. One that restarts at the same time, or has too many requests at this moment,
 * gets three seconds. Throws StartError.
 */
export async function atStart<R>(
  clock: Clock,
  path: string | undefined,
  work: () => Promise<R>,
): Promise<R> {
  const patientUntil = clock.elapsed() + patienceMs;
  const tried = async () => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isRefused.test(String(error)) || clock.elapsed() > patientUntil) throw error;
        await new Promise<void>((done) => void clock.after(againMs, done));
      }
    }
  };
  return await orStartError(path, () => within(clock, tried(), remoteMs));
}

/** The size in bytes of a file that can be read and written; null if there is none. */
async function writableSize(path: string): Promise<number | null> {
  try {
    using file = await Deno.open(path, { read: true, write: true });
    return (await file.stat()).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Takes the rights of others from the files of a store, as a build without a umask wrote them. SQLite copies them. */
async function keepPrivate(files: string[]): Promise<void> {
  for (const file of files.flatMap((each) => ["", "-wal", "-shm"].map((end) => each + end))) {
    // The file may not exist, or belong to another user: `doctor` reports that.
    await Deno.chmod(file, 0o600).catch(() => {});
  }
}

async function beginsLike(path: string, bytes: Uint8Array): Promise<boolean> {
  using file = await Deno.open(path);
  const first = new Uint8Array(bytes.length);
  await file.read(first);
  return first.every((byte, i) => byte === bytes[i]);
}

/** Runs `work`. What it throws becomes a StartError: one sentence with the setting and the file. */
export async function orStartError<R>(
  path: string | undefined,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `KV_PATH: ${path ?? "the attached database"} cannot be used: ${why(error)}`,
    );
  }
}

function why(error: unknown): string {
  if (error instanceof TookTooLong) return `it does not answer within ${remoteMs / 1_000} seconds`;
  const text = error instanceof Error ? error.message : String(error);
  if (/Missing DENO_KV_ACCESS_TOKEN/.test(text)) {
    return "set DENO_KV_ACCESS_TOKEN to the token of the database";
  }
  return text.split("\n")[0].replace(/^Could not open Deno KV database: /, "")
    .replace(/ \(os error \d+\)(: \w+ '.*')?$/, "");
}

/** The index is in the database's folder: `letterbox.index.sqlite` for `letterbox.sqlite`. null for `:memory:`. */
export function indexPath(kvPath: string): string | null {
  if (kvPath === ":memory:") return null;
  return kvPath.replace(/(\.[^./\\]+)?$/, ".index$1");
}

/** The tables that Deno KV works on by itself, besides `kv`. All are small: this service does not use its queue. */
const ownTables = ["migration_state", "data_version", "queue", "queue_running"];
/** Reads a row, and the expired rows that Deno KV looks for at once. */
const firstReads = [
  "SELECT v FROM kv LIMIT 1",
  "SELECT k FROM kv WHERE expiration_ms >= 0 ORDER BY expiration_ms LIMIT 1",
];

/**
 * Throws if Deno KV would fail on the file of a store as soon as it is open: it ends the process with a panic if it
 * finds one of its own tables damaged. A check of the whole file would take seconds at 100,000 emails; this takes
 * milliseconds.
 */
function checkFile(path: string): void {
  try {
    const file = new DatabaseSync(path, { readOnly: true });
    try {
      checkTables(file);
    } finally {
      file.close();
    }
  } catch (error) {
    // What else can fail, such as a lock, is for openKv.
    if (error instanceof Error && /malformed|not a database/.test(error.message)) throw error;
  }
}

function checkTables(file: DatabaseSync): void {
  const found = new Set(
    file.prepare("SELECT name FROM sqlite_schema").all().map(({ name }) => String(name)),
  );
  for (const table of ownTables) {
    if (!found.has(table)) continue;
    const [first] = file.prepare(`PRAGMA integrity_check(${table})`).all();
    if (first?.integrity_check !== "ok") throw new Error(`the table ${table} is malformed`);
  }
  if (found.has("kv_expiration_ms_idx")) {
    for (const read of firstReads) {
      file.prepare(read).all();
    }
  }
}
