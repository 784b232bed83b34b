/**
 * A row in the database: its fields by position, as JSON text. As an object with names a row takes twice the bytes, and
 * fifty rows take eighteen times as long to read. Fields whose text does not fit into a value are stored as an array.
 */
export type Packed<Fields> = string | Fields;

/** A value of Deno KV has 65,536 bytes: a byte a character, or two if any is beyond Latin-1. */
const maxTextBytes = 60_000;

export function packed<Fields>(fields: Fields): Packed<Fields> {
  const text = JSON.stringify(fields);
  const wide = beyondLatin1.test(text) ? wideCharacters(text) : 0;
  // A few curly quotes would double the bytes of the whole text; escaped, each takes six.
  const isEscaped = wide > 0 && text.length + 5 * wide < 2 * text.length;
  const bytes = isEscaped ? text.length + 5 * wide : wide > 0 ? 2 * text.length : text.length;
  if (bytes > maxTextBytes) return fields;
  return isEscaped ? narrowed(text.replace(/[^\x20-\xff]/g, escaped)) : text;
}

export function unpacked<Fields>(stored: Packed<Fields>): Fields {
  return typeof stored === "string" ? JSON.parse(stored) : stored;
}

/** Addresses and names in turn. */
export function flat(people: readonly { address: string; name: string }[]): string[] {
  return people.flatMap(({ address, name }) => [address, name]);
}

export function pairs(flat: readonly string[]): { address: string; name: string }[] {
  const people = [];
  for (let n = 0; n < flat.length; n += 2) people.push({ address: flat[n], name: flat[n + 1] });
  return people;
}

const beyondLatin1 = /[\u0100-\uffff]/;

function wideCharacters(text: string): number {
  let wide = 0;
  for (let n = 0; n < text.length; n++) if (text.charCodeAt(n) > 0xff) wide++;
  return wide;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The same text with one byte a character: `replace` returns a text of two bytes a character, which would be stored
 * like that.
 */
function narrowed(text: string): string {
  return decoder.decode(encoder.encode(text));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
