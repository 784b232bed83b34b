/** Bytes at the beginning of a file in which `BEGIN:` is looked for: a byte order mark and blanks may stand before it. */
const lookedAt = 100;

/** Whether a file is a calendar (RFC 5545) or a card (RFC 6350): both have long lines folded and characters escaped. */
export function hasContentLines(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, lookedAt));
  return /^(?:\xef\xbb\xbf)?\s{0,20}BEGIN:V(?:CALENDAR|CARD)\b/i.test(start);
}

/**
 * The bytes of a calendar or card without its folds, a line end and a blank (RFC 5545, section 3.1). Before they are
 * decoded: a fold may stand inside a character. Linear time.
 */
export function unfolded(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let n = 0; n < bytes.length; n++) {
    const lineEnd = endOfLine(bytes, n);
    if (lineEnd > 0 && (bytes[n + lineEnd] === 0x20 || bytes[n + lineEnd] === 0x09)) n += lineEnd;
    else kept[length++] = bytes[n];
  }
  return kept.subarray(0, length);
}

/** The length of the line end at `at`, or 0. */
function endOfLine(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x0a) return 1;
  if (bytes[at] !== 0x0d) return 0;
  return bytes[at + 1] === 0x0a ? 2 : 1;
}

/** A value, or a whole text of values, without the escapes of RFC 5545, section 3.3.11. */
export function unescapedValue(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, c: string) => c === "n" || c === "N" ? "\n" : c);
}
