const percent = 0x25;
const plusCode = 0x2b;

/** The bytes with each `%XX` decoded; a `%` without two hex digits stays. In a form `plus` is 0x20, a space. */
export function percentDecode(bytes: Uint8Array, plus = plusCode): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = bytes[at] === percent ? hexDigit(bytes[at + 1]) : -1;
    const low = high >= 0 ? hexDigit(bytes[at + 2]) : -1;
    if (low >= 0) {
      out[length++] = high << 4 | low;
      at += 2;
    } else out[length++] = bytes[at] === plusCode ? plus : bytes[at];
  }
  return out.subarray(0, length);
}

/** The value of a hex digit's character code; -1 for another. */
export function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const upper = code & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}
