import { ServiceError } from "./errors.ts";

/** One of each, because making one takes some µs. */
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** Cursors are opaque to callers: base64url of the last key parts of the last row seen. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return encoder.encode(JSON.stringify(parts)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** Throws VALIDATION_ERROR for a text that `encodeCursor` cannot return for this list. */
export function decodeCursor<const T extends readonly ("string" | "number")[]>(
  cursor: string,
  types: T,
): { [I in keyof T]: T[I] extends "string" ? string : number } {
  try {
    const parts: unknown = JSON.parse(
      decoder.decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    );
    if (
      Array.isArray(parts) && parts.length === types.length &&
      parts.every((part, i) => typeof part === types[i])
    ) {
      return parts as { [I in keyof T]: T[I] extends "string" ? string : number };
    }
  } catch { /* VALIDATION_ERROR below */ }
  throw new ServiceError("VALIDATION_ERROR", "cursor: is not one that this list gave", {
    cursor: "is not one that this list gave",
  });
}
