import { Buffer } from "node:buffer";
import { hexDigit } from "../text/hex.ts";

/**
 * Decodes content by its Content-Transfer-Encoding (RFC 2045, section 6). Base64 and quoted-printable are decoded; any
 * other content is returned itself, not a copy. From malformed content it returns what can be read. Never throws.
 */
export function decodeTransfer(content: Uint8Array, encoding: string): Uint8Array {
  if (encoding.includes("base64")) return decodeBase64(content);
  if (encoding.includes("quoted-printable")) return decodeQuotedPrintable(content);
  return content;
}

function decodeBase64(content: Uint8Array): Uint8Array {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(
    "latin1",
  );
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return decodeLooseBase64(content);
  }
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64Values = new Int8Array(256).fill(-1);
for (const [value, c] of [...base64Alphabet].entries()) base64Values[c.charCodeAt(0)] = value;

/**
 * Base64 with other characters, an incomplete last group, or padding inside: some mailers pad every line, so each `=`
 * ends a unit. One pass, because a Buffer for each unit took 1 s a megabyte.
 */
function decodeLooseBase64(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(content.length * 3 / 4));
  let length = 0;
  let pending = 0;
  let bits = 0;
  for (const byte of content) {
    const value = base64Values[byte];
    if (value < 0) {
      if (byte === equalsCode) bits = 0;
      continue;
    }
    pending = (pending << 6 | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out[length++] = pending >> bits & 0xff;
  }
  return out.subarray(0, length);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const spaceCode = 0x20;
const tabCode = 0x09;
const equalsCode = 0x3d;

/** RFC 2045, section 6.7. White space at the end of a line was added in transport and is removed. */
function decodeQuotedPrintable(content: Uint8Array): Uint8Array {
  if (!content.includes(equalsCode)) return content;
  const out = new Uint8Array(content.length);
  let length = 0;
  let lineStart = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at];
    if (byte === equalsCode) {
      const high = hexDigit(content[at + 1]);
      const low = hexDigit(content[at + 2]);
      if (high >= 0 && low >= 0) {
        out[length++] = high << 4 | low;
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
    } else if (byte === lineFeed) {
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
