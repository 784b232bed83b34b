import { textOf } from "../byte_reader.ts";

/** Of a header block that is looked at. */
const mostHeadBytes = 256 * 1024;

/** The header block of a message as text, and where it ends with its empty line, in bytes. */
export function headOf(raw: Uint8Array): { text: string; end: number } {
  const most = Math.min(raw.length, mostHeadBytes);
  for (let at = 0; at < most;) {
    const lf = raw.indexOf(0x0a, at);
    if (lf < 0) break;
    if (lf === at || lf === at + 1 && raw[at] === 0x0d) {
      return { text: textOf(raw.subarray(0, at)), end: lf + 1 };
    }
    at = lf + 1;
  }
  return { text: textOf(raw.subarray(0, most)), end: raw.length };
}

/** The fields that are read. One expression for each: to look at every field of a message took longer than to read it. */
const fields = {
  "content-length": /^content-length[ \t]*:([^\n]*)/gim,
  "from": /^from[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)/gim,
  "in-reply-to": /^in-reply-to[ \t]*:(.*)/gim,
  "references": /^references[ \t]*:(.*)/gim,
  "status": /^status[ \t]*:([^\n]*)/gim,
  "subject": /^subject[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)/gim,
  "x-gmail-labels": /^x-gmail-labels[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)/gim,
  "x-mozilla-status": /^x-mozilla-status[ \t]*:([^\n]*)/gim,
  "x-status": /^x-status[ \t]*:([^\n]*)/gim,
};

/** The values of a header field, each unfolded, in their order. */
export function fieldsOf(head: string, name: keyof typeof fields): string[] {
  return [...head.matchAll(fields[name])].map(([, value]) =>
    value.replace(/\r?\n[ \t]/g, " ").trim()
  );
}

/** A field's value with its encoded words (RFC 2047) decoded; a character may be split between two of them. */
export function decodedField(value: string): string {
  const run = /=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=(?:\s+=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)*/g;
  return value.replace(run, decodedWords);
}

function decodedWords(run: string): string {
  let charset = "utf-8", bytes: number[] = [], text = "";
  for (const [, name, encoding, body] of run.matchAll(/=\?([^?*]+)[^?]*\?(.)\?([^?]*)\?=/g)) {
    if (name.toLowerCase() !== charset) {
      text += wordText(bytes, charset);
      [charset, bytes] = [name.toLowerCase(), []];
    }
    for (const byte of wordBytes(encoding, body)) bytes.push(byte);
  }
  return text + wordText(bytes, charset);
}

function wordBytes(encoding: string, body: string): Uint8Array {
  const plain = encoding.toUpperCase() === "Q"
    ? body.replaceAll("_", " ").replace(
      /=([0-9A-Fa-f]{2})/g,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    )
    : fromBase64(body);
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Each byte as a character; "" if it is no base64. */
function fromBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** Of an unknown charset as UTF-8. */
function wordText(bytes: number[], charset: string): string {
  try {
    return new TextDecoder(charset).decode(Uint8Array.from(bytes));
  } catch {
    return textOf(Uint8Array.from(bytes));
  }
}
