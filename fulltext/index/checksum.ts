import { crc32 } from "node:zlib";

const sumBytes = 4;

/** Bytes for a column of the file: these, and their CRC-32. */
export function withChecksum(bytes: Uint8Array): Uint8Array {
  const stored = new Uint8Array(bytes.length + sumBytes);
  stored.set(bytes);
  new DataView(stored.buffer).setUint32(bytes.length, crc32(bytes));
  return stored;
}

export const malformed = () => new Error("a value of the search index is malformed");

/**
 * A view of the bytes that `withChecksum` got. SQLite does not notice bytes that change inside a value; decoding them
 * could go on without end.
 *
 * @throws if they have changed.
 */
export function checked(stored: Uint8Array): Uint8Array {
  const end = stored.length - sumBytes;
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if (end < 0 || view.getUint32(end) !== crc32(stored.subarray(0, end))) {
    throw malformed();
  }
  return stored.subarray(0, end);
}
