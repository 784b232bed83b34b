import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { bufferOf } from "../../mime/text/buffer_of.ts";

/** At most this many decompressed bytes of a file's parts are read. */
const maxBytes = 64 * 1024 * 1024;
/** A directory ends at most this far from the end of the file: its fixed part and a comment. */
const endBytes = 22 + 0xffff;

/** At most this many parts are read: each needs buffers for inflating. A document has some twenty. */
const maxParts = 1_000;

/**
 * The parts of a ZIP file (APPNOTE.TXT 4.3) whose names `wanted` accepts, until they have 64 MiB according to the
 * directory of the file. Each is inflated when it is asked for. Throws, then too, if the file is no ZIP file, or a part
 * is encrypted or larger than the directory says. It inflates no further than that; no library for ZIP files promises
 * this.
 */
export function zipParts(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): Map<string, () => Uint8Array> {
  const file = bufferOf(bytes);
  const parts = new Map<string, () => Uint8Array>();
  let left = maxBytes;
  for (const { name, size, packedSize, method, isEncrypted, offset } of entries(file)) {
    if (parts.size === maxParts) break;
    if (!wanted(name) || size > left || parts.has(name)) continue;
    left -= size;
    if (isEncrypted || file.readUInt32LE(offset) !== 0x04034b50) throw new Error("no part");
    const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
    const packed = file.subarray(start, start + packedSize);
    if (method !== 0 && method !== 8) throw new Error("packed in another way");
    if (method === 0 && packedSize > size) throw new Error("larger than said");
    // 0 would mean no limit.
    const maxOutputLength = Math.max(size, 1);
    parts.set(name, () => method === 0 ? packed : inflateRawSync(packed, { maxOutputLength }));
  }
  return parts;
}

interface Entry {
  name: string;
  size: number;
  packedSize: number;
  /** 0: as it is; 8: deflated. */
  method: number;
  isEncrypted: boolean;
  /** Where its local header begins. */
  offset: number;
}

/** The entries of the directory. Files above 4 GiB do not come by mail, so their directory is not read. */
function* entries(file: Buffer): Generator<Entry> {
  const tail = Math.max(0, file.length - endBytes);
  const end = tail + file.subarray(tail).lastIndexOf("PK\x05\x06");
  if (end < tail) throw new Error("no ZIP file");
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error("a broken directory");
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    yield {
      name: file.toString("utf8", at + 46, nameEnd),
      size: file.readUInt32LE(at + 24),
      packedSize: file.readUInt32LE(at + 20),
      method: file.readUInt16LE(at + 10),
      isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
      offset: file.readUInt32LE(at + 42),
    };
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}
