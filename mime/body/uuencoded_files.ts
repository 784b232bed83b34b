import { Buffer } from "node:buffer";
import { decodeCharset } from "../text/charset.ts";
import { bufferOf } from "../text/buffer_of.ts";

/** A file that is written into a text (POSIX uuencode), with the lines around it from `begin` to `end`. */
export interface UuencodedFile {
  name: string;
  /** Its lines, without the quote marks before them. */
  encoded: Uint8Array;
}

const lineFeed = 0x0a, spaceCode = 0x20, graveCode = 0x60;
/** At most this many files of a text; later ones stay text. */
const maxFiles = 100;
const beginLine = /^((?:> ?){0,9})begin [0-7]{3,4} (\S[^\r\n]{0,254}?)\s{0,9}$/;

/**
 * The files in a text and the text without them; null if it has none. A file is a `begin` with a name, lines of the
 * length that they announce, and `end`; the lines may be quoted. `charset` is that of the text. Linear time.
 */
export function uuencodedFiles(
  text: Uint8Array,
  charset: string | null = null,
): { rest: Uint8Array; files: UuencodedFile[] } | null {
  const bytes = bufferOf(text);
  const files: UuencodedFile[] = [];
  const rest: Uint8Array[] = [];
  let copied = 0;
  for (let at = bytes.indexOf("begin "); at >= 0 && files.length < maxFiles;) {
    const start = lineStart(bytes, at);
    const file = start === null ? null : fileAt(bytes, start, charset);
    if (file && start !== null) {
      rest.push(bytes.subarray(copied, start));
      files.push(file);
      copied = file.end;
    }
    at = bytes.indexOf("begin ", file?.end ?? at + 1);
  }
  if (files.length === 0) return null;
  rest.push(bytes.subarray(copied));
  return { rest: Buffer.concat(rest), files };
}

/** The beginning of the line of `at`, before which only a few quote marks stand; else null. */
function lineStart(bytes: Buffer, at: number): number | null {
  const front = bytes.subarray(Math.max(0, at - maxQuoteBytes), at);
  const start = at - front.length + front.lastIndexOf(lineFeed) + 1;
  return start === 0 || bytes[start - 1] === lineFeed ? start : null;
}

const maxQuoteBytes = 20;

function fileAt(
  bytes: Buffer,
  start: number,
  charset: string | null,
): UuencodedFile & { end: number } | null {
  const first = endOfLine(bytes, start);
  const [, quote, name] = beginLine.exec(bytes.toString("latin1", start, first.end)) ?? [];
  if (name === undefined) return null;
  const lines: Buffer[] = [bytes.subarray(start + quote.length, first.next)];
  for (let at = first.next, count = 0; at < bytes.length; count++) {
    const line = endOfLine(bytes, at);
    if (bytes.toString("latin1", at, at + quote.length) !== quote) return null;
    const content = bytes.subarray(at + quote.length, line.end);
    at = line.next;
    if (count > 0 && content.toString("latin1").trimEnd() === "end") {
      return {
        name: decodeCharset(Buffer.from(name, "latin1"), charset),
        encoded: Buffer.concat(lines),
        end: at,
      };
    }
    if (!isEncoded(content)) return null;
    lines.push(content, newline);
  }
  return null;
}

const newline = Buffer.of(lineFeed);

/** Whether a line has as many characters as its first one says; blanks at its end may have been lost. */
function isEncoded(line: Buffer): boolean {
  if (line.length === 0) return true;
  if (line[0] < spaceCode || line[0] > graveCode) return false;
  const wanted = Math.ceil((line[0] - spaceCode & 0x3f) / 3) * 4;
  if (line.length - 1 > wanted + 2) return false;
  for (let n = 1; n < line.length; n++) {
    if (line[n] < spaceCode || line[n] > graveCode) return false;
  }
  return true;
}

function endOfLine(bytes: Buffer, at: number): { end: number; next: number } {
  const lf = bytes.indexOf(lineFeed, at);
  if (lf < 0) return { end: bytes.length, next: bytes.length };
  return { end: bytes[lf - 1] === 0x0d ? lf - 1 : lf, next: lf + 1 };
}
