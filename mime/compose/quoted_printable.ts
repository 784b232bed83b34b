import { Buffer } from "node:buffer";

const tab = 0x09, lineFeed = 0x0a, carriageReturn = 0x0d, space = 0x20, dash = 0x2d, equals = 0x3d;

/** With the `=` of a soft line break a line has 76 characters. */
const maxColumns = 75;
const maxPieceBytes = 64 * 1024;
/** What one byte adds at most: a soft line break, and three characters. */
const mostAdded = 6;
const hexDigits = Buffer.from("0123456789ABCDEF");

/**
 * Text as quoted-printable (RFC 2045, section 6.7). CRLF, and LF alone, end a line; a CR alone is encoded. No line begins with
 * a dash, so that none is taken for the boundary of a multipart.
 */
export function quotedPrintable(text: Uint8Array): Buffer {
  const pieces: Buffer[] = [];
  const pieceBytes = Math.min(maxPieceBytes, mostAdded * (text.length + 1));
  let out = Buffer.allocUnsafe(pieceBytes), length = 0, column = 0;
  const endLine = () => {
    out[length++] = carriageReturn;
    out[length++] = lineFeed;
    column = 0;
  };
  const endsLine = (at: number) =>
    at >= text.length || text[at] === lineFeed ||
    (text[at] === carriageReturn && text[at + 1] === lineFeed);
  for (let at = 0; at < text.length; at++) {
    if (length > pieceBytes - mostAdded) {
      pieces.push(out.subarray(0, length));
      out = Buffer.allocUnsafe(pieceBytes);
      length = 0;
    }
    const byte = text[at];
    if (byte === lineFeed || (byte === carriageReturn && text[at + 1] === lineFeed)) {
      if (byte === carriageReturn) at++;
      endLine();
      continue;
    }
    const isPlain = byte === space || byte === tab
      ? !endsLine(at + 1)
      : byte > space && byte < 0x7f && byte !== equals;
    const isLast = endsLine(at + 1);
    const width = isPlain ? 1 : 3;
    if (column + width > maxColumns + (isLast ? 1 : 0)) {
      out[length++] = equals;
      endLine();
    }
    if (isPlain && !(byte === dash && column === 0)) {
      out[length++] = byte;
      column++;
    } else {
      out[length++] = equals;
      out[length++] = hexDigits[byte >> 4];
      out[length++] = hexDigits[byte & 0xf];
      column += 3;
    }
  }
  pieces.push(out.subarray(0, length));
  return Buffer.concat(pieces);
}
