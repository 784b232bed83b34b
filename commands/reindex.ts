import type { Service } from "../domain/core/service.ts";
import { reindex } from "../domain/indexing/reindex.ts";

/** Builds the search index anew from the database, and prints how far it is. */
export async function runReindex(service: Service): Promise<void> {
  const done = await reindex(
    service,
    (count) => Deno.stdout.writeSync(new TextEncoder().encode(`\r${count} emails`)),
  );
  console.log(`\r${done} emails indexed`);
}
