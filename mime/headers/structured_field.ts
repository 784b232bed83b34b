import { Buffer } from "node:buffer";
import { decodeCharset } from "../text/charset.ts";
import { isBlankCode, trimBlanks } from "../text/blanks.ts";
import { percentDecode } from "../text/hex.ts";

/** A field such as `text/plain; charset=utf-8`: the value in lower case, and its parameters. */
export interface StructuredField {
  value: string;
  params: Map<string, string>;
}

/** Parameters that are read; real mail has fewer. */
const maxParams = 64;

/**
 * Parses Content-Type and Content-Disposition (RFC 2045, section 5.1; RFC 2183). Comments are left out, continued and
 * encoded parameters (RFC 2231) are joined. Of duplicate parameters the first counts, so that a message cannot show one
 * boundary to a scanner and another one here. Never throws; from a malformed field it returns what can be read.
 */
export function parseStructuredField(text: string): StructuredField {
  if (text === "") return { value: "", params: new Map() };
  const reader: Reader = { text, at: 0, comments: null };
  let value = readToken(reader, ";").replace(/\s+/g, "").toLowerCase();
  if (value.includes("=")) {
    // The first semicolon is missing: `text/html charset=utf-8`.
    reader.at = endOfWord(text);
    value = trimBlanks(text.slice(0, reader.at)).toLowerCase();
  }
  const raw = new Map<string, string>();
  let isJoined = true;
  // The name of a file that nobody quoted: its parameter, and where it begins.
  let named: { parameter: string; at: number } | null = null;
  while (reader.at < text.length && raw.size < maxParams) {
    reader.at++;
    const name = readToken(reader, "=;").trim().toLowerCase();
    const isParameter = text[reader.at] === "=";
    const valueAt = reader.at + 1;
    const parameter = isParameter ? (reader.at++, readToken(reader, ";")) : "";
    if (!isParameter && named !== null) {
      const whole = trimBlanks(text.slice(named.at, reader.at));
      if (isRestOfName(raw.get(named.parameter)!, whole)) raw.set(named.parameter, whole);
      continue;
    }
    if (name === "" || raw.has(name)) continue;
    const isName = name === "filename" || name === "name";
    const written = trimBlanks(text.slice(valueAt, reader.at));
    const isBare = isName && !written.includes('"');
    named = isBare ? { parameter: name, at: valueAt } : null;
    // "Invoice (1).pdf" has no comment.
    raw.set(name, isBare && ending.test(written) ? written : parameter);
    isJoined &&= !name.includes("*");
  }
  return { value, params: isJoined ? raw : joinContinuations(raw) };
}

/** Whether what follows a semicolon without `=` belongs to the name of a file before it, which nobody quoted. */
function isRestOfName(name: string, whole: string): boolean {
  return whole.length > name.length + 1 && (!ending.test(name) || ending.test(whole));
}

const ending = /\.[A-Za-z0-9]{1,5}$/;

/** Where the first word of a text ends. */
function endOfWord(text: string): number {
  let at = 0;
  while (isBlankCode(text.charCodeAt(at))) at++;
  while (at < text.length && text[at] !== "," && !isBlankCode(text.charCodeAt(at))) at++;
  return at;
}

interface Reader {
  text: string;
  at: number;
  /** The end of each comment by its beginning; null until needed. */
  comments: Map<number, number> | null;
}

/**
 * Reads up to one of `stops`. A comment is skipped only after white space: `a(1).pdf` is a name, `a (1)`
 * a token with a comment. A quoted string loses its quotes, and what follows it is dropped. White space
 * outside quotes is trimmed.
 */
function readToken(reader: Reader, stops: string): string {
  const { text } = reader;
  const plain = plainToken(reader, stops);
  if (plain !== null) return plain;
  let out = "";
  let space = "";
  let quoted = false;
  while (reader.at < text.length && !stops.includes(text[reader.at])) {
    const c = text[reader.at];
    if (c === '"') {
      const piece = readQuoted(reader);
      if (!quoted) out += (out === "" ? "" : space) + piece;
      quoted = true;
      space = "";
    } else if (c === "(" && (out === "" || space !== "") && closesComment(reader)) {
      space ||= " ";
    } else {
      reader.at++;
      if (c === " " || c === "\t") space += c;
      else if (!quoted) {
        out += (out === "" ? "" : space) + c;
        space = "";
      }
    }
  }
  return out;
}

/** The same for a token without signs that need care, and for a quoted string alone; else null, and nothing is read. */
function plainToken(reader: Reader, stops: string): string | null {
  const { text, at: start } = reader;
  let at = start;
  while (at < text.length && !stops.includes(text[at])) {
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1);
      const isAlone = close > 0 && (close + 1 === text.length || stops.includes(text[close + 1])) &&
        trimBlanks(text.slice(start, at)) === "";
      const quoted = text.slice(at + 1, close);
      if (!isAlone || quoted.includes("\\")) return null;
      reader.at = close + 1;
      return quoted;
    }
    if (text[at] === "(") return null;
    at++;
  }
  reader.at = at;
  return trimBlanks(text.slice(start, at));
}

function readQuoted(reader: Reader): string {
  let out = "";
  for (reader.at++; reader.at < reader.text.length; reader.at++) {
    const c = reader.text[reader.at];
    if (c === '"') {
      reader.at++;
      break;
    }
    if (c === "\\" && reader.at + 1 < reader.text.length) {
      // `\` before a letter is part of a Windows path that the sender did not escape.
      const next = reader.text[reader.at + 1];
      if (next === '"' || next === "\\" || !/[A-Za-z0-9]/.test(next)) {
        out += next;
        reader.at++;
        continue;
      }
    }
    out += c;
  }
  return out;
}

/** Skips a comment, with those inside it. Returns false, and skips nothing, if it never closes. */
function closesComment(reader: Reader): boolean {
  reader.comments ??= commentsOf(reader.text);
  const end = reader.comments.get(reader.at);
  if (end !== undefined) reader.at = end;
  return end !== undefined;
}

/** One pass over the text: searching the ends of 32,000 comments that never close took 200 ms. */
function commentsOf(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") open.push(at);
    else if (text[at] === ")") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at + 1);
    }
  }
  return ends;
}

/** RFC 2231, sections 3 and 4: `name*0*=utf-8''%e2%82; name*1=rest` is one parameter `name`. */
function joinContinuations(raw: Map<string, string>): Map<string, string> {
  const params = new Map<string, string>();
  const sections = new Map<string, { number: number; encoded: boolean; text: string }[]>();
  for (const [key, text] of raw) {
    const match = /^([^*]+)\*(?:(\d{1,3})(\*)?)?$/.exec(key);
    if (!match) {
      params.set(key, text);
      continue;
    }
    const encoded = match[2] === undefined || match[3] === "*";
    const list = sections.get(match[1]) ?? [];
    list.push({ number: Number(match[2] ?? 0), encoded, text });
    sections.set(match[1], list);
  }
  for (const [name, list] of sections) {
    list.sort((a, b) => a.number - b.number);
    let charset: string | null = null;
    // Bytes are joined before decoding, because a character may be split over two sections.
    const pieces: Uint8Array[] = [];
    for (const [n, section] of list.entries()) {
      let text = section.text;
      if (section.encoded && n === 0) {
        const tagged = /^([^']*)'[^']*'/.exec(text);
        if (tagged) {
          charset = tagged[1] || null;
          text = text.slice(tagged[0].length);
        }
      }
      pieces.push(section.encoded ? percentDecode(Buffer.from(text)) : Buffer.from(text));
    }
    params.set(name, decodeCharset(Buffer.concat(pieces), charset));
  }
  return params;
}
