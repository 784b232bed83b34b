import type { Ids } from "../../core/ids.ts";
import * as keys from "../keys.ts";

/** Deno's own databases take 100 checks in a commit; a self-hosted server may take 10. */
const tried = [100, 50, 20, 10];

/**
 * How many checks a remote database takes in one commit: the greatest number of `tried` that it does not refuse. The
 * commits check rows that do not exist, and write nothing.
 */
export async function findMaxChecks(kv: Deno.Kv, ids: Pick<Ids, "random">): Promise<number> {
  for (const count of tried.slice(0, -1)) {
    const atomic = kv.atomic();
    for (let n = 0; n < count; n++) {
      atomic.check({ key: keys.commits(ids.random()), versionstamp: null });
    }
    try {
      await atomic.commit();
      return count;
    } catch (error) {
      if (!/checks/i.test(String(error))) throw error;
    }
  }
  return tried[tried.length - 1];
}
