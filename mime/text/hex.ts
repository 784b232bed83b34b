/** The value of a hexadecimal digit by its code, in either case; -1 for anything else. */
function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const upper = code & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

const percentCode = 0x25;
const plusCode = 0x2b;

/** {@link hexDigit} by code. In a loop over megabytes a table is several times as fast as a function. */
export const hexDigits = Int8Array.from({ length: 256 }, (_, code) => hexDigit(code));

/**
 * Decodes `%` and two hexadecimal digits to a byte each; any other `%` stays. Bytes with nothing to decode are returned
 * themselves, not copied.
 *
 * @param plus the byte that a `+` becomes: a space in a form.
 */
export function percentDecode(bytes: Uint8Array, plus = plusCode): Uint8Array {
  const hasPlus = plus !== plusCode && bytes.includes(plusCode);
  if (!hasPlus && !bytes.includes(percentCode)) return bytes;
  const out = new Uint8Array(bytes.length);
  const lastEscape = bytes.length - 3;
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === percentCode && at <= lastEscape) {
      const value = hexDigits[bytes[at + 1]] << 4 | hexDigits[bytes[at + 2]];
      if (value >= 0) {
        out[length++] = value;
        at += 2;
        continue;
      }
    }
    out[length++] = byte === plusCode ? plus : byte;
  }
  return out.subarray(0, length);
}

/** The value of a byte in base64; -1 for any other. */
export const base64Values = new Int8Array(256).fill(-1);
const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (const [value, c] of [...base64Alphabet].entries()) base64Values[c.charCodeAt(0)] = value;
