import { Buffer } from "node:buffer";

/** RFC 5322, 2.1.1, without the CRLF. */
const maxLineBytes = 998;

/** Whether mail may carry bytes as they are (RFC 2045, 2.8): no long line, no NUL, and no CR without LF. */
export function isLines(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.includes(0)) return false;
  let cr = bytes.indexOf(13);
  for (let at = 0; at < bytes.length;) {
    const lf = bytes.indexOf(10, at);
    const end = lf < 0 ? bytes.length : lf;
    const hasCr = cr >= 0 && cr < end;
    if (hasCr && (lf < 0 || cr !== end - 1)) return false;
    if (end - at - (hasCr ? 1 : 0) > maxLineBytes) return false;
    if (hasCr) cr = bytes.indexOf(13, end);
    at = end + 1;
  }
  return true;
}
