import { Buffer, isUtf8 } from "node:buffer";
import { decodeWords } from "postal-mime";
import { decodeCharset, isOwnCharset } from "../text/charset.ts";

/**
 * A header field as one line of text, its encoded words (RFC 2047) decoded by postal-mime, some of them after
 * {@link foreignWords}. Control characters, also line ends inside an encoded word, become single spaces.
 */
export function decodeHeaderText(text: string): string {
  return oneLine(text.includes("=?") ? decodeWords(foreignWords(text)) : text);
}

/** One line: control characters become spaces, because a decoded CR or LF must never reach a line-based protocol. */
export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ").toWellFormed().trim();
}

/**
 * In one field, so many runs may have another charset than they say; further ones are read as they say. Each takes up to 0.1
 * ms: 256 KiB of them took 1.2 s.
 */
const mostDoubted = 200;

interface EncodedWord {
  charset: string;
  encoding: string;
  body: string;
  start: number;
  end: number;
}

/**
 * The text with the encoded words that postal-mime reads wrongly as UTF-8: words of charsets that only `decodeCharset`
 * knows, words that are declared wrongly, and neighbours that split a character between them (RFC 2047, section 5,
 * forbids it). postal-mime joins their base64 before it decodes it, which fails if the first word ends in `=`.
 */
export function foreignWords(text: string): string {
  const pieces: string[] = [];
  let copied = 0, doubted = 0;
  for (const run of runsOf(text)) {
    const [{ charset }] = run;
    const isOwn = isOwnCharset(charset);
    const bytes = Buffer.concat(run.map(bytesOf));
    const saysUtf8 = /^utf-?8$/i.test(charset);
    if (run.length < 2 && !isOwn && isUtf8(bytes) === saysUtf8) continue;
    if (!saysUtf8 && ++doubted > mostDoubted) continue;
    const decoded = decodeCharset(bytes, charset);
    // Words that do not decode together may do so one by one.
    if (decoded.includes("\ufffd") && !isOwn) continue;
    pieces.push(text.slice(copied, run[0].start));
    pieces.push(`=?utf-8?B?${Buffer.from(decoded).toString("base64")}?=`);
    copied = run.at(-1)!.end;
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

/** Encoded words of one charset with only blanks between them. */
function runsOf(text: string): EncodedWord[][] {
  const runs: EncodedWord[][] = [];
  for (
    const match of text.matchAll(/=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([QqBb])\?([^?]*)\?=/g)
  ) {
    const [whole, charset, encoding, body] = match;
    const word = { charset, encoding, body, start: match.index, end: match.index + whole.length };
    const last = runs.at(-1)?.at(-1);
    const continues = last?.charset.toLowerCase() === charset.toLowerCase() &&
      text.slice(last.end, word.start).trim() === "";
    if (continues) runs.at(-1)!.push(word);
    else runs.push([word]);
  }
  return runs;
}

function bytesOf({ encoding, body }: EncodedWord): Buffer {
  return encoding.toUpperCase() === "B"
    ? Buffer.from(body, "base64")
    : Buffer.from(decodeQ(body), "latin1");
}

function decodeQ(body: string): string {
  return body.replaceAll("_", " ").replace(
    /=([0-9A-Fa-f]{2})/g,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
}
