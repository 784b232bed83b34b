import { LRUCache } from "lru-cache";

/** An LRU cache of at most `count` values. Its room grows as it fills: with `max`, all of it is allocated at once. */
export function growingCache<Key extends string, Value extends object>(
  count: number,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: count, sizeCalculation: () => 1 });
}
