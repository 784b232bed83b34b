import { Buffer } from "node:buffer";
import { decodeWords } from "postal-mime";
import { decodeCharset, isOwnCharset } from "../text/charset.ts";

/**
 * Decodes the encoded words of a header field (RFC 2047) into one line of text: postal-mime's
 * decoder, given the words in charsets that it leaves out (UTF-7, code page 850 and so on) as
 * UTF-8. Control characters, line ends out of an encoded word included, become single spaces.
 */
export function decodeHeaderText(text: string): string {
  return oneLine(text.includes("=?") ? decodeWords(foreignWords(text)) : text);
}

/** Control characters become spaces: a decoded CR or LF must never reach a line-based protocol. */
export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ").toWellFormed().trim();
}

/** Encoded words in charsets that only this service decodes, written again as UTF-8. */
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
