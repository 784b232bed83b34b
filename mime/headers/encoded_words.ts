import { Buffer } from "node:buffer";
import { decodeWords } from "postal-mime";
import { decodeCharset, isOwnCharset } from "../text/charset.ts";

/**
 * A header field as one line of text, its encoded words (RFC 2047) decoded by postal-mime. Words in
 * charsets that postal-mime does not know (UTF-7, code page 850) are turned into UTF-8 before. Control
 * characters, also line ends inside an encoded word, become single spaces.
 */
export function decodeHeaderText(text: string): string {
  return oneLine(text.includes("=?") ? decodeWords(foreignWords(text)) : text);
}

/** One line: control characters become spaces, because a decoded CR or LF must never reach a line-based protocol. */
export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ").toWellFormed().trim();
}

/** The text with encoded words of charsets that only `decodeCharset` knows rewritten as UTF-8. */
export function foreignWords(text: string): string {
  return text.replace(
    /=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([QqBb])\?([^?]*)\?=/g,
    (word, charset: string, encoding: string, body: string) => {
      if (!isOwnCharset(charset)) return word;
      const bytes = encoding.toUpperCase() === "B"
        ? Buffer.from(body, "base64")
        : Buffer.from(decodeQ(body), "latin1");
      const utf8 = Buffer.from(decodeCharset(bytes, charset)).toString("base64");
      return `=?utf-8?B?${utf8}?=`;
    },
  );
}

function decodeQ(body: string): string {
  return body.replaceAll("_", " ").replace(
    /=([0-9A-Fa-f]{2})/g,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
}
