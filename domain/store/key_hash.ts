import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** An arrival hashes its ids and subject twice, and the next one often has some of them. */
const recent = new LRUCache<string, string>({ max: 1_000 });

/** SHA-256 in hex of a text that a sender chose, for a key. */
export function keyHash(text: string): string {
  let hash = recent.get(text);
  if (hash === undefined) {
    hash = createHash("sha256").update(text).digest("hex");
    recent.set(text, hash);
  }
  return hash;
}
