const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A longer field is not plain. */
const maxHeaderBytes = 32 * 1024;
const maxFieldChars = 600;

const loneCr = /\r(?!\n)/;
/** Every line that a program could take for a From field. */
const fromFields = /^[ \t]*from[^:\n]*:.*$/gim;
/** `Name <local@domain>` or `local@domain`, without anything that two programs could read differently. */
const plainFrom =
  /^from:[ \t]?(?:"?[^"<>@,;:()\\\r\n]{0,200}"?[ \t]?<)?([^\s"<>@,;:()\\[\]]{1,64}@[A-Za-z0-9.-]{1,253})>?[ \t]{0,9}\r?$/i;

const latin1 = new TextDecoder("latin1");

/**
 * The author of a message without a signature (DKIM-Signature, ARC) and with one plain From field in one line, like
 * most mail; null for any other message. Linear in the header, at most 32 KiB.
 */
export function plainAuthor(raw: Uint8Array): string | null {
  const end = headerEnd(raw);
  if (end === null) return null;
  const text = latin1.decode(raw.subarray(0, end));
  if (loneCr.test(text)) return null;
  const fields = [...text.matchAll(fromFields)];
  if (fields.length !== 1) return null;
  const [{ 0: field, index }] = fields;
  const next = text[text.indexOf("\n", index + field.length) + 1];
  if (next === " " || next === "\t" || field.length > maxFieldChars) return null;
  return plainFrom.exec(field)?.[1] ?? null;
}

/**
 * Where the header ends: after the line end before the empty line; null if it is too long, has no end, or has a
 * signature. Most mail has one, and needs no more than this.
 */
function headerEnd(raw: Uint8Array): number | null {
  const front = raw.subarray(0, maxHeaderBytes);
  if (isSignature(front, 0)) return null;
  for (let at = front.indexOf(lineFeed); at >= 0; at = front.indexOf(lineFeed, at + 1)) {
    const next = front[at + 1] === carriageReturn ? front[at + 2] : front[at + 1];
    if (next === lineFeed) return at + 1;
    if (isSignature(front, at + 1)) return null;
  }
  return null;
}

/** True if a line begins with the name of a field that signs the message. */
function isSignature(bytes: Uint8Array, at: number): boolean {
  return standsAt("dkim-signature", bytes, at) || standsAt("arc-", bytes, at);
}

/** `name` in lower case; the bytes in either. */
function standsAt(name: string, bytes: Uint8Array, at: number): boolean {
  for (let n = 0; n < name.length; n++) {
    const byte = bytes[at + n];
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== name.charCodeAt(n)) return false;
  }
  return true;
}
