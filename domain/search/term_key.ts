/**
 * The number an index keeps in place of a word: 48 bits of a hash, so that no dictionary is
 * needed and no word stands on disk. Of a million different words two share a key once in some
 * five hundred collections.
 */
export function termKey(word: string): number {
  let key = keys.get(word);
  if (key === undefined) {
    key = hash48(word);
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(word, key);
  }
  return key;
}

/** Most words of a message have been seen a moment ago. */
const keys = new Map<string, number>();
const MAX_KEYS = 50_000;

/** Two 32-bit multiplicative hashes (cyrb53 of the public domain), cut to 48 bits. */
export function hash48(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let n = 0; n < text.length; n++) {
    const unit = text.charCodeAt(n);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (high >>> 16) * 0x1_0000_0000 + (low >>> 0);
}
