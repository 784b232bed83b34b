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

/** How many values may still be parsed. */
export interface ValuesLeft {
  left: number;
}

export const allValues = (): ValuesLeft => ({ left: maxValues });

/**
 * Parses a JSON body.
 *
 * @throws as `parseJsonText`
 * @throws if the bytes are not UTF-8 (RFC 8259): they must not be stored as replacement characters.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes), allValues());
}

/**
 * Parses a JSON text. Half of a surrogate pair, as programs leave it that cut a text inside an emoji, becomes U+FFFD:
 * UTF-8 has no bytes for it, so mail could not hold it, and some JSON parsers refuse an answer that has one.
 *
 * @throws TooManyValues before parsing: 14 million empty objects in 40 MiB exhausted the memory.
 * @throws if it is not JSON
 */
export function parseJsonText(text: string, values: ValuesLeft): unknown {
  values.left -= valuesIn(text, values.left);
  if (values.left < 0) throw new TooManyValues();
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

/** At least so many values, at most `most + 1`. Linear in the text. A string, such as an attachment, is skipped at once. */
function valuesIn(text: string, most: number): number {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === comma || code === openBracket || code === openBrace) values++;
  }
  return values;
}

/** Index of the quote that ends a string; the length if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes > start && text.charCodeAt(end - escapes - 1) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
