import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A message has its ids and subject hashed before its turn and in it; what the next one names is often the same. */
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
