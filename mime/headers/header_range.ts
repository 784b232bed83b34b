import type { FieldNames } from "./field_names.ts";
import { type Header, messageHeaderLimits, readHeader } from "./header_fields.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colonCode = 0x3a;

/** The header block is `bytes[start, end)`; `bytes` is the message, or a copy of its front with LF. */
export interface HeadRange {
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * The range of the header block in the first `maxBytes` of a message. A byte order mark is skipped. If
 * the message has no LF, a bare CR ends a line. Empty lines and one line that is no field are skipped if usual fields
 * follow. A message that does not begin with a header field has an empty range, so that its first lines are text.
 */
export function headRange(raw: Uint8Array, maxBytes: number): HeadRange {
  const bytes = usesBareCr(raw) ? withLineFeeds(raw.subarray(0, maxBytes)) : raw;
  const mark = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  const end = Math.min(bytes.length, mark + maxBytes);
  const start = beforeUsualFields(bytes, mark, end);
  return { bytes, start, end: startsWithField(bytes, start, end) ? end : start };
}

/** Names with which a header begins. */
const usualField =
  /^(?:from|to|cc|subject|date|message-id|mime-version|content-type|received|return-path|delivered-to|reply-to|sender|dkim-signature|authentication-results|arc-seal|x-[a-z0-9-]{1,60})[ \t]{0,9}:/i;

/** Lines above the header that are skipped; one of them may have text. */
const maxLinesAbove = 10;

/** `start`, or where usual fields begin below empty lines, below a line of something else, or after blanks. */
function beforeUsualFields(bytes: Uint8Array, start: number, end: number): number {
  if (beginsWithName(bytes, start, end)) return start;
  let hasText = false;
  for (let at = start, lines = 0; at < end && lines < maxLinesAbove; lines++) {
    const line = lineAt(bytes, at, end);
    const text = line.text.trimStart();
    const isField = usualField.test(text);
    const next = isField && lines > 0 ? lineAt(bytes, line.next, end).text : "";
    // A text may begin with one such line.
    if (isField && (lines === 0 || anyField.test(next))) return at + line.text.length - text.length;
    if (text !== "") {
      if (isField || hasText || lines === 0 && startsWithField(bytes, at, end)) return start;
      hasText = true;
    }
    at = line.next;
  }
  return start;
}

const anyField = /^(?:[!-9;-~]{1,100}[ \t]{0,9}:|[ \t]{1,9}\S)/;

/** The beginning of a line, and where the next one begins. */
function lineAt(bytes: Uint8Array, at: number, end: number): { text: string; next: number } {
  const lf = bytes.indexOf(lineFeed, at);
  const next = lf < 0 || lf >= end ? end : lf + 1;
  const front = bytes.subarray(at, Math.min(next, at + longestName));
  return { text: String.fromCharCode(...front).trimEnd(), next };
}

/** True if the first 64 KiB have CR but no LF: line ends of old Macintosh computers. */
function usesBareCr(raw: Uint8Array): boolean {
  const front = raw.subarray(0, 64 * 1024);
  return !front.includes(lineFeed) && front.includes(carriageReturn);
}

/** A copy of the bytes in which each CR without LF after it is LF. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  for (let at = out.indexOf(carriageReturn); at >= 0; at = out.indexOf(carriageReturn, at + 1)) {
    if (out[at + 1] !== lineFeed) out[at] = lineFeed;
  }
  return out;
}

/**
 * True if the first line is a header field (RFC 5322, section 2.2: printable ASCII, then a colon), an
 * empty line, or the `From ` line of an mbox.
 */
export function startsWithField(bytes: Uint8Array, start: number, end: number): boolean {
  if (beginsWithName(bytes, start, end)) return true;
  const lf = bytes.subarray(start, end).indexOf(lineFeed);
  const line = bytes.subarray(start, lf < 0 ? end : start + lf);
  const text = String.fromCharCode(...line.subarray(0, longestName));
  return /^\s*$/.test(text) || /^>?From /.test(text) || /^[!-9;-~]+[ \t]*:/.test(text);
}

function beginsWithName(bytes: Uint8Array, start: number, end: number): boolean {
  const last = Math.min(end, start + longestName);
  let at = start;
  while (at < last && isFieldName(bytes[at])) at++;
  return at > start && at < last && bytes[at] === colonCode;
}

/** A line without a colon in this many bytes is no header field. */
const longestName = 200;

/** RFC 5322, section 2.2: printable ASCII but the colon. */
function isFieldName(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f && byte !== colonCode;
}

/**
 * The header of a whole message, and the bytes in which its body begins at `header.bodyStart`: those of the message, or a
 * copy with LF. If no empty line ends the header, the body begins at the first line that is neither a field nor the
 * continuation of one.
 */
export function wholeHeader(
  raw: Uint8Array,
  wanted: FieldNames,
): { bytes: Uint8Array; header: Header } {
  const { bytes, start, end } = headRange(raw, raw.length);
  const read = (to: number) => readHeader(bytes, start, to, wanted, messageHeaderLimits);
  const header = read(end);
  if (end === start || endsInEmptyLine(bytes, start, header) || hasEmptyLine(bytes, start)) {
    return { bytes, header };
  }
  return { bytes, header: read(endOfFields(bytes, start)) };
}

/** True if the last line that was read is LF or CRLF. */
function endsInEmptyLine(bytes: Uint8Array, start: number, { ended, bodyStart }: Header): boolean {
  if (!ended) return false;
  const hasCr = bytes[bodyStart - 2] === carriageReturn;
  const before = bodyStart - (hasCr ? 3 : 2);
  return before < start || bytes[before] === lineFeed;
}

function hasEmptyLine(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < bytes.length;) {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed)) {
      return true;
    }
    const lf = bytes.indexOf(lineFeed, at);
    if (lf < 0) return false;
    at = lf + 1;
  }
  return false;
}

function endOfFields(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const lf = bytes.indexOf(lineFeed, at);
    const next = lf < 0 ? bytes.length : lf + 1;
    const folded = at > start && (bytes[at] === 0x20 || bytes[at] === 0x09);
    if (!folded && !startsWithField(bytes, at, next)) return at;
    at = next;
  }
  return at;
}
