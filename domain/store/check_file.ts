import { DatabaseSync } from "node:sqlite";

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
export function checkFile(path: string): void {
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
