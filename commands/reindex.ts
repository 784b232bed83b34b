import type { Settings } from "../domain/core/settings.ts";
import { StartError } from "../domain/core/settings/start_error.ts";
import type { Service } from "../domain/core/service.ts";
import { reindex } from "../domain/indexing/reindex.ts";
import { isRemoteStore } from "./store_file.ts";

/** Throws StartError if KV_PATH names a file that is not there: a wrong path would become a new, empty store. */
export async function expectStore({ KV_PATH: path }: Settings): Promise<void> {
  if (path === undefined || isRemoteStore(path)) return;
  if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return;
  throw new StartError(`KV_PATH: there is no store at ${path}`);
}

/** Rebuilds the search index from the database, and prints its progress. */
export async function runReindex(service: Service): Promise<void> {
  const done = await reindex(
    service,
    (count) => Deno.stdout.writeSync(new TextEncoder().encode(`\r${count} emails`)),
  );
  console.log(`\r${done} emails indexed`);
}
