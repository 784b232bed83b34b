/** A key as one text. Parts carry their type, so 1 and "1" differ. */
export function keyText(key: Deno.KvKey): string {
  let text = "";
  for (const part of key) {
    text += typeof part === "string"
      ? `s${part}\u0000`
      : part instanceof Uint8Array
      ? `b${part.toHex()}\u0000`
      : `${typeof part}${String(part)}\u0000`;
  }
  return text;
}

/**
 * Whether no row can have this key. Deno KV refuses to read keys above 2,048 bytes, and that would fail all reads in the
 * same getMany. Keys of the service are below 600 bytes; a longer one has an id that a client invented. The limit is
 * lower than 2,048 because a character may have three bytes and `sizeOfKey` counts two.
 */
export function exceedsKeyLimit(key: Deno.KvKey): boolean {
  return sizeOfKey(key) > 1_300;
}

/** An upper estimate of the bytes of a key: two for each character or byte of a text, and 11 for a number. */
export function sizeOfKey(key: Deno.KvKey): number {
  let bytes = 0;
  for (const part of key) {
    const isText = typeof part === "string" || part instanceof Uint8Array;
    bytes += (isText ? part.length * 2 : 9) + 2;
  }
  return bytes;
}

/** An upper estimate of the serialised size in bytes: two for each character, and a few for each value. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length * 2 + 8;
  if (value instanceof Uint8Array) return value.length + 16;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 8);
  if (value !== null && typeof value === "object") {
    let bytes = 8;
    for (const [name, item] of Object.entries(value)) bytes += name.length + 4 + sizeOf(item);
    return bytes;
  }
  return 10;
}
