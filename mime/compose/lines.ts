/** RFC 5322, 2.1.1, without the CRLF. */
const maxLineBytes = 998;

/** Whether mail may carry bytes as they are (RFC 2045, 2.8): no long line, no NUL, and no CR without LF. */
export function isLines(bytes: Uint8Array): boolean {
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0 || (byte === 13 && bytes[at + 1] !== 10)) return false;
    if (byte === 10) start = at + 1;
    else if (byte !== 13 && at - start >= maxLineBytes) return false;
  }
  return true;
}
