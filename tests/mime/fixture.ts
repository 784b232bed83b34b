/** A message of tests/fixtures/mail, byte for byte. */
export function fixture(name: string): Uint8Array {
  return Deno.readFileSync(new URL(`../fixtures/mail/${name}.eml`, import.meta.url));
}

/** A message out of text, as UTF-8; LF becomes CRLF. */
export function message(text: string): Uint8Array {
  return new TextEncoder().encode(text.replaceAll("\n", "\r\n"));
}
