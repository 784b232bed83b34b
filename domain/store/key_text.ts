/** One text a key: parts carry their type, so that 1 and "1" differ. */
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
 * Whether no row can have this key: Deno KV refuses keys above 2,048 bytes, also to read them, and a refusal would fail
 * everybody who shares the read. Ours stay below 600; a longer one is an id that somebody made up. A character has up
 * to three bytes where the size counts two.
 */
export function isBeyondKeys(key: Deno.KvKey): boolean {
  return sizeOfKey(key) > 1_300;
}

export function sizeOfKey(key: Deno.KvKey): number {
  let bytes = 0;
  for (const part of key) {
    bytes += (typeof part === "string"
      ? part.length * 2
      : part instanceof Uint8Array
      ? part.length * 2
      : 9) + 2;
  }
  return bytes;
}
