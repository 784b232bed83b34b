import { Buffer } from "node:buffer";
import { base64Values, hexDigits } from "../text/hex.ts";
import { decodeUuencode } from "./uuencode.ts";

/**
 * Decodes content by its Content-Transfer-Encoding (RFC 2045, section 6), at most the first `maxBytes`. Base64,
 * quoted-printable and uuencode are decoded; any other content is returned itself, not a copy. From malformed content it
 * returns what can be read. Never throws.
 */
export function decodeTransfer(
  content: Uint8Array,
  encoding: string,
  maxBytes = Infinity,
): Uint8Array {
  if (encoding.includes("base64")) return decodeBase64(content, maxBytes);
  if (encoding.includes("quoted-printable")) return decodeQuotedPrintable(content, maxBytes);
  if (/^(?:x-)?uue(?:ncode)?$/.test(encoding)) return decodeUuencode(content).subarray(0, maxBytes);
  return content.subarray(0, maxBytes);
}

/**
 * Whether content that is declared base64 is a text that nobody encoded: its first line has other characters, or is a
 * row of words.
 */
export function isUnencoded(content: Uint8Array): boolean {
  const front = Buffer.from(content.subarray(0, maxFirstLine)).toString("latin1").trim();
  const [line] = front.split(/[\r\n]/, 1);
  const words = line.split(/[ \t]+/);
  return words.length > 2 && words.every((word) => word.length < shortestPiece) ||
    /[^A-Za-z0-9+/=_ \t-]/.test(line);
}

/** Bytes; a line of base64 has 76 (RFC 2045, section 6.8). */
const maxFirstLine = 200;
/** Some programs write blanks between lines of base64 in place of line ends; these lines are longer than words. */
const shortestPiece = 40;

/** The decoded content. A piece of it is valid until the next one is asked for. */
export function* decodedPieces(content: Uint8Array, encoding: string): Iterable<Uint8Array> {
  if (encoding.includes("base64")) yield* base64Pieces(content);
  else yield decodeTransfer(content, encoding);
}

/**
 * All bytes in a buffer of their own, which can be moved to another thread. A long content is decoded twice, first to
 * learn its size, because a copy of it would take more memory and time.
 */
function decodeBase64(content: Uint8Array, maxBytes: number): Uint8Array {
  if (content.length <= pieceCharacters) {
    const [only = new Uint8Array()] = base64Pieces(content);
    return only.slice(0, maxBytes);
  }
  let size = 0;
  for (const { length } of base64Pieces(content)) {
    size = Math.min(maxBytes, size + length);
    if (size === maxBytes) break;
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const piece of base64Pieces(content)) {
    out.set(piece.subarray(0, size - at), at);
    at += piece.length;
    if (at >= size) break;
  }
  return out;
}

/** Characters of base64 that are decoded at a time. */
const pieceCharacters = 256 * 1024;

function* base64Pieces(content: Uint8Array): Iterable<Uint8Array> {
  const out = new Uint8Array(Math.ceil(Math.min(content.length, pieceCharacters) * 3 / 4));
  const loose = new LooseBase64();
  let isStrict = true;
  for (let at = 0; at < content.length;) {
    const piece = content.subarray(at, at + pieceCharacters);
    const isLast = at + piece.length === content.length;
    const strict: Decoded | null = isStrict ? decodeStrict(piece, out, isLast) : null;
    // A piece of which nothing was read is a part of a group, and white space.
    isStrict = strict !== null && strict.read > 0;
    yield out.subarray(0, isStrict ? strict!.written : loose.decode(piece, out));
    at += isStrict ? strict!.read : piece.length;
  }
}

/** How many characters were read, and bytes written. */
type Decoded = { read: number; written: number };

/** Decodes whole groups, of the last piece all; null if the content is malformed. */
function decodeStrict(
  { buffer, byteOffset, byteLength }: Uint8Array,
  out: Uint8Array,
  isLast: boolean,
): Decoded | null {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
  try {
    const lastChunkHandling = isLast ? "loose" : "stop-before-partial";
    return out.setFromBase64(text, { lastChunkHandling });
  } catch {
    return null;
  }
}

/**
 * Base64 with other characters, an incomplete last group, or padding inside: some mailers pad every line, so each `=`
 * ends a unit. A line that begins with `-` or `_` is the footer that a mailing list has put below, and ends it. One pass,
 * because a Buffer for each unit took 1 s a megabyte.
 */
class LooseBase64 {
  private pending = 0;
  private bits = 0;
  private atLineStart = false;
  private hasEnded = false;

  /** Writes what the next piece adds to `out`; returns the number of bytes. */
  decode(content: Uint8Array, out: Uint8Array): number {
    let length = 0;
    if (this.hasEnded) return length;
    // An iterator takes ten times as long.
    for (let at = 0; at < content.length; at++) {
      const byte = content[at];
      const value = base64Values[byte];
      if (value < 0) {
        if (byte === equalsCode) this.bits = 0;
        if (this.atLineStart && (byte === dashCode || byte === underscoreCode)) {
          this.hasEnded = true;
          break;
        }
        this.atLineStart = byte === lineFeed;
        continue;
      }
      this.atLineStart = false;
      this.pending = (this.pending << 6 | value) & 0xfff;
      this.bits += 6;
      if (this.bits < 8) continue;
      this.bits -= 8;
      out[length++] = this.pending >> this.bits & 0xff;
    }
    return length;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const spaceCode = 0x20;
const tabCode = 0x09;
const equalsCode = 0x3d;
const dashCode = 0x2d;
const underscoreCode = 0x5f;

/** RFC 2045, section 6.7. White space at the end of a line was added in transport and is removed. */
function decodeQuotedPrintable(content: Uint8Array, maxBytes: number): Uint8Array {
  if (!content.includes(equalsCode)) return content.subarray(0, maxBytes);
  const out = new Uint8Array(Math.min(content.length, maxBytes));
  let length = 0;
  let lineStart = 0;
  const lastEscape = content.length - 2;
  for (let at = 0; at < content.length && length < out.length; at++) {
    const byte = content[at];
    if (byte !== equalsCode && byte !== lineFeed) {
      out[length++] = byte;
      continue;
    }
    if (byte === equalsCode) {
      const value = at < lastEscape
        ? hexDigits[content[at + 1]] << 4 | hexDigits[content[at + 2]]
        : -1;
      if (value >= 0) {
        out[length++] = value;
        // Encoded white space is content and stays.
        lineStart = length;
        at += 2;
        continue;
      }
      const next = afterSoftBreak(content, at + 1);
      if (next > 0) {
        at = next - 1;
        lineStart = length;
        continue;
      }
    } else {
      const breakBytes = length > lineStart && out[length - 1] === carriageReturn ? 1 : 0;
      let end = length - breakBytes;
      while (end > lineStart && (out[end - 1] === spaceCode || out[end - 1] === tabCode)) end--;
      if (breakBytes) out[end++] = carriageReturn;
      out[end++] = lineFeed;
      length = end;
      lineStart = length;
      continue;
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/** Offset after a soft line break whose `=` is before `at`, or 0 if there is none. */
function afterSoftBreak(content: Uint8Array, at: number): number {
  // The limit keeps a row of "=" and blanks from taking quadratic time.
  const limit = Math.min(content.length, at + 1000);
  while (at < limit && (content[at] === spaceCode || content[at] === tabCode)) at++;
  if (at >= content.length) return at;
  if (content[at] === carriageReturn && content[at + 1] === lineFeed) return at + 2;
  return content[at] === lineFeed || content[at] === carriageReturn ? at + 1 : 0;
}
