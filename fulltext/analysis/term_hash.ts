/**
 * The 48-bit hash by which the index knows a word or phrase: it needs no dictionary, and words are not
 * stored in its tables of terms. With a million different words, two share a hash in one of 560
 * collections.
 *
 * Two 32-bit multiplicative hashes (cyrb53, public domain), cut to 48 bits. Not keyed, because it is
 * stored: a sender can find words that share a hash, so tables in memory hash it again (`KeyHash`).
 */
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
