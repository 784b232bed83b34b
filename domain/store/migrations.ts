import type { Log } from "../core/log.ts";
import { StartError } from "../core/settings.ts";
import type { Database } from "./database.ts";
import * as keys from "./keys.ts";
import { orStartError } from "./open_store.ts";
import { renameDevelopmentTables } from "./rename_development_tables.ts";

/** The schema that this release reads and writes. */
export const schemaVersion = 3;

/**
 * One step from a schema version to a later one; a version may have several. `run` commits in bounded pieces, and it
 * may be killed at any time and run again: it changes only rows that still have their old form.
 */
export interface Migration {
  from: number;
  to: number;
  run(database: Database): Promise<void>;
}

/** The steps for rows that the store itself knows. Steps for the rows of a floor above are passed in with them. */
export const storeMigrations: readonly Migration[] = [
  // A store from development, before versions existed.
  { from: 0, to: 1, run: renameDevelopmentTables },
];

/**
 * Brings the store forward to `schemaVersion`, and writes the version. To be called at each start, before anything else
 * uses the database. Throws StartError if the store is of a newer release, or cannot be read or written.
 */
export async function bringForward(
  database: Database,
  migrations: readonly Migration[],
  { path, log }: { path: string | undefined; log: Log },
): Promise<void> {
  await orStartError(path, () => migrate(database, migrations, path, log));
}

async function migrate(
  database: Database,
  migrations: readonly Migration[],
  path: string | undefined,
  log: Log,
): Promise<void> {
  const found = await versionOf(database);
  const isKnown = Number.isInteger(found) && found >= 0 && found <= schemaVersion;
  if (!isKnown) {
    const store = path ?? "the attached database";
    throw new StartError(
      `KV_PATH: ${store} has schema version ${found}, and this release reads ${schemaVersion}: start the release that wrote it, or set another KV_PATH`,
    );
  }
  for (let version = found; version < schemaVersion;) {
    const steps = migrations.filter(({ from }) => from === version);
    const [{ to }] = steps;
    for (const step of steps) await step.run(database);
    await writeVersion(database, to);
    log.info("store.brought_forward", { from: version, to });
    version = to;
  }
}

/** The version of a store that has rows but no version is 0. An empty store gets the present version. */
async function versionOf(database: Database): Promise<number> {
  const version = await database.get<number>(keys.mark("schema_version"));
  if (version !== null) return version;
  if ((await database.collect({ prefix: [] }, { limit: 1 })).length > 0) return 0;
  await writeVersion(database, schemaVersion);
  return schemaVersion;
}

async function writeVersion(database: Database, version: number): Promise<void> {
  await database.transact((tx) => tx.set(keys.mark("schema_version"), version));
}
