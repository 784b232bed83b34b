import { deflateRawSync, inflateRawSync } from "node:zlib";

/** The first byte of a chunk is its form. */
const stored = 0;
const deflated = 1;

/**
 * Half of all mail is shorter. Deflate would not save a database page: with or without it a short mail needs one of 4
 * KiB in addition to the page of its key.
 */
const smallestDeflated = 5_000;

/** The chunk of some bytes, deflated if that is shorter. */
export function pack(bytes: Uint8Array): Uint8Array {
  if (bytes.length < smallestDeflated) return marked(stored, bytes);
  const small = deflateRawSync(bytes, { level: 1, windowBits: windowBitsFor(bytes.length) });
  return small.length < bytes.length ? marked(deflated, small) : marked(stored, bytes);
}

/** The smallest window that holds the text: a smaller one is set up in less time. */
function windowBitsFor(length: number): number {
  return Math.min(15, Math.max(9, Math.ceil(Math.log2(length + 1))));
}

/** The chunk of some bytes as they are. */
export function asIs(bytes: Uint8Array): Uint8Array {
  return marked(stored, bytes);
}

function marked(how: number, bytes: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(bytes.length + 1);
  chunk[0] = how;
  chunk.set(bytes, 1);
  return chunk;
}

/** The bytes of a blob cannot be read. */
export class DamagedBlob extends Error {}

/** The bytes of a chunk. Throws DamagedBlob. */
export function unpack(chunk: Uint8Array): Uint8Array {
  try {
    const kept = chunk.subarray(1);
    return chunk[0] === deflated ? inflateRawSync(kept) : kept;
  } catch (cause) {
    throw new DamagedBlob("a chunk is damaged", { cause });
  }
}
