import type { Service } from "../domain/core/service.ts";
import { reindex } from "../domain/indexing/reindex.ts";

/** Rebuilds the search index from the database, and prints its progress. */
export async function runReindex(service: Service): Promise<void> {
  const done = await reindex(
    service,
    (count) => Deno.stdout.writeSync(new TextEncoder().encode(`\r${count} emails`)),
  );
  console.log(`\r${done} emails indexed`);
}
