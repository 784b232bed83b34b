import type { Ids } from "../../core/ids.ts";
import { keyHash } from "../key_hash.ts";
import { keyText } from "../key_text.ts";
import * as keys from "../keys.ts";
import type { Expiry } from "../transaction.ts";

/**
 * The removal of expired rows on a local store. Deno KV can remove them itself (`expireIn`), but that removal in 2.9.6
 * panics on a full disk and ends the process within two minutes. So a commit lists its expiring rows in an additional
 * row, and the sweep removes them when their time has come. On a full disk the sweep fails, and it tries again.
 *
 * A commit gives all its rows one versionstamp. A listed row is removed only if it still has the versionstamp of its
 * list: a row that was written again stays until its newer list is due.
 */
export function listExpiring(
  atomic: Deno.AtomicOperation,
  writes: Iterable<{ key: Deno.KvKey } & Expiry>,
  now: number,
  ids: Pick<Ids, "random">,
): void {
  const bySpan = new Map<number, Deno.KvKey[]>();
  for (const { key, expireInMs, expiresAt } of writes) {
    if (expireInMs === undefined) continue;
    if (expiresAt !== undefined) {
      // Its next list replaces this one.
      atomic.set(keys.expiring(expiresAt, keyHash(keyText(key))), [key]);
      continue;
    }
    const listed = bySpan.get(expireInMs);
    if (listed) listed.push(key);
    else bySpan.set(expireInMs, [key]);
  }
  for (const [spanMs, listed] of bySpan) {
    for (let i = 0; i < listed.length; i += keysPerList) {
      atomic.set(keys.expiring(now + spanMs, ids.random()), listed.slice(i, i + keysPerList));
    }
  }
}

/** A key has at most 600 bytes, so a list stays below the 64 KiB of a value. */
const keysPerList = 50;
