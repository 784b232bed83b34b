/** An escape of a surrogate, as JSON writes an emoji, or half of one. */
const surrogate = /\\u[dD][89a-fA-F]/;

/**
 * Parses a JSON body. Half of a surrogate pair, as programs leave it that cut a text inside an emoji, becomes U+FFFD:
 * UTF-8 has no bytes for it, so mail could not hold it, and some JSON parsers refuse an answer that has one.
 *
 * @throws if the bytes are not UTF-8 (RFC 8259) or not JSON: they must not be stored as replacement characters.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return JSON.parse(
    text,
    surrogate.test(text)
      ? (_key, value) => typeof value === "string" ? value.toWellFormed() : value
      : undefined,
  );
}
