import { invalidField } from "./errors.ts";

/** One of each, because making one takes some µs. */
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** Cursors are opaque to callers: base64url of the last key parts of the last row seen. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return encoder.encode(JSON.stringify(parts)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isOf = {
  id: (part: unknown) => typeof part === "string" && idForm.test(part),
  string: (part: unknown) => typeof part === "string",
  number: (part: unknown) => typeof part === "number",
};

/**
 * Throws VALIDATION_ERROR of `field` for a text that `encodeCursor` cannot return for this list. `id`: what `Ids` makes.
 */
export function decodeCursor<const T extends readonly (keyof typeof isOf)[]>(
  cursor: string,
  types: T,
  field = "cursor",
): { [I in keyof T]: T[I] extends "number" ? number : string } {
  try {
    const parts: unknown = JSON.parse(
      decoder.decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    );
    if (
      Array.isArray(parts) && parts.length === types.length &&
      parts.every((part, i) => isOf[types[i]](part))
    ) {
      return parts as { [I in keyof T]: T[I] extends "number" ? number : string };
    }
  } catch { /* VALIDATION_ERROR below */ }
  throw invalidField(field, "is not one that this list gave");
}
