import { isUtf8 } from "node:buffer";
import { isBlankCode, trimBlanks } from "../text/blanks.ts";
import type { HeaderValues } from "./automatic.ts";
import { FieldNames } from "./field_names.ts";
import { decodeCharset } from "../text/charset.ts";

/** One header field: name in lower case, and the bytes after the colon, folds included. */
export interface HeaderField {
  name: string;
  bytes: Uint8Array;
  /** True if the field was longer than its limit and was cut. */
  cut: boolean;
}

/** The result of {@link readHeader}. */
export interface Header {
  /** The wanted fields in document order, duplicates included. */
  fields: HeaderField[];
  /** Offset of the first byte after the empty line, or of the end of the range. */
  bodyStart: number;
  /** False if the range has no empty line. */
  ended: boolean;
  /** True if a limit left something out. */
  truncated: boolean;
}

export interface HeaderLimits {
  /** Bytes of header that are searched for fields. */
  scanBytes: number;
  /** Bytes of one field. */
  fieldBytes: number;
  /** Bytes of all wanted fields together. */
  totalBytes: number;
  /** Limits of single fields, whose bytes do not count in `totalBytes`. */
  longer?: ReadonlyMap<string, number>;
  /** Bytes before a colon; absent: as many as the longest name that is looked for, and white space. */
  nameBytes?: number;
}

/**
 * Header limits of a whole message. Other fields cost a scan, but no memory: 2 MB of the shortest take 50 ms. At most
 * 128 KiB reach a decoder, because postal-mime's is quadratic in encoded words. 32 KiB of a field hold 200 addresses
 * with their names.
 */
export const messageHeaderLimits: HeaderLimits = {
  scanBytes: 2 * 1024 * 1024,
  fieldBytes: 32 * 1024,
  totalBytes: 128 * 1024,
};

/** Header limits of a part inside a message, which needs four content fields. */
export const partHeaderLimits: HeaderLimits = {
  scanBytes: 64 * 1024,
  fieldBytes: 8 * 1024,
  totalBytes: 16 * 1024,
};

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colonCode = 0x3a;

const usualNameBytes = 64;

/**
 * Reads the header block in `bytes[start, end)` (RFC 5322, section 2.2) and returns the fields named in `wanted`. A line
 * ends at LF, with or without CR before it. A line that begins with SP or HTAB continues a field; one without a colon is
 * skipped. The block also ends before a line for which `endsBefore` returns true: so even a thousand headers without an
 * empty line are each read once. Never throws.
 */
export function readHeader(
  bytes: Uint8Array,
  start: number,
  end: number,
  wanted: FieldNames,
  limits: HeaderLimits,
  endsBefore: (lineStart: number, lineEnd: number) => boolean = () => false,
): Header {
  const { longer, nameBytes = usualNameBytes } = limits;
  const found: { name: string; from: number; to: number }[] = [];
  const scanEnd = Math.min(end, start + limits.scanBytes);
  let open: { name: string; from: number; to: number } | null = null;
  let at = start;
  let ended = false;
  while (at < end) {
    const lf = bytes.indexOf(lineFeed, at);
    const next = lf < 0 || lf >= end ? end : lf + 1;
    let lineEnd = next;
    while (
      lineEnd > at && (bytes[lineEnd - 1] === lineFeed || bytes[lineEnd - 1] === carriageReturn)
    ) lineEnd--;
    if (lineEnd === at) {
      ended = lf >= 0 && lf < end;
      at = next;
      break;
    }
    if (endsBefore(at, lineEnd)) break;
    if (at < scanEnd) {
      const first = bytes[at];
      if (isBlankCode(first) && at > start) {
        if (open) open.to = lineEnd;
      } else {
        open = null;
        const colon = colonIn(bytes, at, Math.min(lineEnd, at + nameBytes));
        const name = colon < 0 ? undefined : nameIn(bytes, at, colon, wanted);
        if (name !== undefined) {
          open = { name, from: colon + 1, to: lineEnd };
          found.push(open);
        }
      }
    }
    at = next;
  }

  let truncated = at > scanEnd;
  let total = 0;
  const fields: HeaderField[] = [];
  for (const { name, from, to } of found) {
    const limit = longer?.get(name) ?? limits.fieldBytes;
    const kept = Math.min(to - from, limit, Math.max(0, limits.totalBytes - total));
    const cut = kept < to - from;
    if (cut) truncated = true;
    if (!longer?.has(name)) total += kept;
    if (kept === 0 && cut) continue;
    fields.push({ name, bytes: bytes.subarray(from, from + kept), cut });
  }
  return { fields, bodyStart: at, ended, truncated };
}

/** The first field of a name, or null. */
export function firstField(fields: readonly HeaderField[], name: string): HeaderField | null {
  return fields.find((field) => field.name === name) ?? null;
}

/** Fields by name; one that nobody asks for is not decoded. */
export function headerValues(fields: readonly HeaderField[]): HeaderValues {
  return {
    first(name) {
      const field = firstField(fields, name);
      return field === null ? undefined : fieldText(field);
    },
    count(name) {
      let count = 0;
      for (const field of fields) if (field.name === name) count++;
      return count;
    },
  };
}

// Keeps a BOM, because it belongs to the value.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The body of a field, trimmed and unfolded: line ends are removed, the white space after them stays (RFC 5322, section
 * 2.2.3). Bytes are UTF-8 (RFC 6532) or, if they are not valid UTF-8 or switch to another alphabet as ISO-2022-JP does,
 * in `charset`, the charset of the message.
 */
export function fieldText(field: HeaderField, charset: string | null = null): string {
  let text = utf8Decoder.decode(field.bytes);
  const isBroken = text.includes("\ufffd") && !field.cut && !isUtf8(field.bytes);
  if (isBroken || text.includes("\x1b$")) {
    text = decodeCharset(field.bytes, /^utf-?8$/i.test(charset ?? "") ? null : charset);
  }
  return trimBlanks(unfolded(text));
}

/** Text without line ends; one that no blank follows becomes a blank. */
function unfolded(text: string): string {
  let at = nextLineEnd(text, 0);
  if (at === text.length) return text;
  let out = "";
  let copied = 0;
  while (at < text.length) {
    out += text.slice(copied, at);
    while (isLineEnd(text.charCodeAt(at))) at++;
    if (!isBlankCode(text.charCodeAt(at))) out += " ";
    copied = at;
    at = nextLineEnd(text, at);
  }
  return out + text.slice(copied);
}

const isLineEnd = (code: number) => code === lineFeed || code === carriageReturn;

function nextLineEnd(text: string, at: number): number {
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++;
  return at;
}

/** Index of the colon after a name, or -1. */
function colonIn(bytes: Uint8Array, from: number, to: number): number {
  // A loop, because a view of the line for `indexOf` would cost more than everything else here.
  let colon = from;
  while (colon < to && bytes[colon] !== colonCode) colon++;
  return colon < to ? colon : -1;
}

/** The wanted name in `bytes[from, to)`, without the blanks around it. */
function nameIn(bytes: Uint8Array, from: number, to: number, wanted: FieldNames) {
  while (from < to && isBlankCode(bytes[from])) from++;
  while (to > from && isBlankCode(bytes[to - 1])) to--;
  return wanted.at(bytes, from, to);
}
