/** An escape of a surrogate, as JSON writes an emoji, or half of one. */
const surrogate = /\\u[dD][89a-fA-F]/;

/** The largest body that a route takes has some thousands, with the four lists of a policy. */
const maxValues = 100_000;

/** JSON with more values than any request needs. */
export class TooManyValues extends Error {
  constructor() {
    super(`The body has more than ${maxValues.toLocaleString("en")} values.`);
  }
}

/**
 * Parses a JSON body. Half of a surrogate pair, as programs leave it that cut a text inside an emoji, becomes U+FFFD:
 * UTF-8 has no bytes for it, so mail could not hold it, and some JSON parsers refuse an answer that has one.
 *
 * @throws TooManyValues before parsing: 14 million empty objects in 40 MiB exhausted the memory.
 * @throws if the bytes are not UTF-8 (RFC 8259) or not JSON: they must not be stored as replacement characters.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (hasTooManyValues(bytes)) throw new TooManyValues();
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return JSON.parse(
    text,
    surrogate.test(text)
      ? (_key, value) => typeof value === "string" ? value.toWellFormed() : value
      : undefined,
  );
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/** Linear in the bytes. A string, such as an attachment, is skipped at once. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length < maxValues) return false;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at + 1);
    else if (byte === comma || byte === openBracket || byte === openBrace) {
      if (++values > maxValues) return true;
    }
  }
  return false;
}

/** Index of the quote that ends a string; the length if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (end - escapes > start && bytes[end - escapes - 1] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
