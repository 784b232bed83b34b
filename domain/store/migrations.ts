import type { Log } from "../core/log.ts";
import { StartError } from "../core/settings/start_error.ts";
import type { Database } from "./database.ts";
import * as keys from "./keys.ts";
import { orStartError } from "./open_store.ts";

/** The schema that this release reads and writes. */
export const schemaVersion = 6;

/**
 * One step from a schema version to a later one; a version may have several. `run` commits in bounded pieces, and it
 * may be killed at any time and run again: it changes only rows that still have their old form. `now` is in ms since
 * 1970.
 */
export interface Migration {
  from: number;
  to: number;
  run(database: Database, now: number): Promise<void>;
}

/**
 * Brings the store forward to `schemaVersion`, and writes the version. To be called at each start, before anything else
 * uses the database. Throws StartError if the store is of a newer release or of a version that no step leads from, or
 * cannot be read or written.
 */
export async function bringForward(
  database: Database,
  migrations: readonly Migration[],
  { path, now, log }: { path: string | undefined; now: number; log: Log },
): Promise<void> {
  await orStartError(path, async () => {
    for (let version = await versionOf(database); version !== schemaVersion;) {
      const steps = migrations.filter(({ from }) => from === version);
      if (steps.length === 0) {
        const store = path ?? "the attached database";
        throw new StartError(
          `KV_PATH: ${store} has schema version ${version}, and this release reads ${schemaVersion}: start the release that wrote it, or set another KV_PATH`,
        );
      }
      const [{ to }] = steps;
      for (const step of steps) await step.run(database, now);
      await writeVersion(database, to);
      log.info("store.brought_forward", { from: version, to });
      version = to;
    }
  });
}

/** The version of a store that has rows but no version is 0. An empty store gets the present version. */
async function versionOf(database: Database): Promise<number> {
  const version = await database.get<number>(keys.mark("schema_version"));
  if (version !== null) return version;
  if ((await database.collect({ prefix: [] }, { limit: 1 })).length > 0) {
    // Another process may have begun the empty store since; the version is the first row that it wrote.
    return await database.get<number>(keys.mark("schema_version")) ?? 0;
  }
  await writeVersion(database, schemaVersion);
  return schemaVersion;
}

async function writeVersion(database: Database, version: number): Promise<void> {
  await database.transact((tx) => tx.set(keys.mark("schema_version"), version));
}
