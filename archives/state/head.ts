import { latin1 } from "../byte_reader.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Of a header block that is looked at. */
const mostHeadBytes = 256 * 1024;

/** The header block of a message, each byte as a character, and where it ends with its empty line, in bytes. */
export function headOf(raw: Uint8Array): { text: string; end: number } {
  const most = Math.min(raw.length, mostHeadBytes);
  for (let at = 0; at < most;) {
    const lf = raw.indexOf(0x0a, at);
    if (lf < 0) break;
    if (lf === at || lf === at + 1 && raw[at] === 0x0d) {
      return { text: latin1(raw.subarray(0, at)), end: lf + 1 };
    }
    at = lf + 1;
  }
  return { text: latin1(raw.subarray(0, most)), end: raw.length };
}

/** The values of a header field, each unfolded, in their order. `name` in lower case. */
export function fieldsOf(head: string, name: string): string[] {
  const values: string[] = [];
  const field = /^([!-9;-~]+)[ \t]*:(.*(?:\n[ \t].*)*)/gm;
  for (const [, found, value] of head.matchAll(field)) {
    if (found.toLowerCase() === name) values.push(value.replace(/\r?\n[ \t]/g, " ").trim());
  }
  return values;
}

/** A field's value with its encoded words (RFC 2047) decoded; a character may be split between two of them. */
export function decodedField(value: string): string {
  const run = /=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=(?:\s+=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)*/g;
  let decoded = "", at = 0;
  for (const match of value.matchAll(run)) {
    decoded += textOf(bytesOf(value.slice(at, match.index))) + decodedWords(match[0]);
    at = match.index + match[0].length;
  }
  return decoded + textOf(bytesOf(value.slice(at)));
}

function decodedWords(run: string): string {
  let charset = "utf-8", bytes: number[] = [], text = "";
  for (const [, name, encoding, body] of run.matchAll(/=\?([^?*]+)[^?]*\?(.)\?([^?]*)\?=/g)) {
    if (name.toLowerCase() !== charset) {
      text += textOf(Uint8Array.from(bytes), charset);
      [charset, bytes] = [name.toLowerCase(), []];
    }
    for (const byte of wordBytes(encoding, body)) bytes.push(byte);
  }
  return text + textOf(Uint8Array.from(bytes), charset);
}

function wordBytes(encoding: string, body: string): Uint8Array {
  if (encoding.toUpperCase() === "Q") {
    const text = body.replaceAll("_", " ").replace(
      /=([0-9A-Fa-f]{2})/g,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    );
    return bytesOf(text);
  }
  try {
    return bytesOf(atob(body));
  } catch {
    return new Uint8Array();
  }
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The text of a charset; of UTF-8 that is none and of an unknown charset as Latin-1. */
function textOf(bytes: Uint8Array, charset = "utf-8"): string {
  try {
    return charset === "utf-8" ? utf8.decode(bytes) : new TextDecoder(charset).decode(bytes);
  } catch {
    return latin1(bytes);
  }
}
