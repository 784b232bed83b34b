import { unzipSync } from "fflate";

/** Decompressed bytes of all parts of one file that are read. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The parts of a ZIP file whose names `wanted` accepts, while they have at most 64 MiB together by the directory of the
 * file. What a part has beyond the size that the directory names is left off. Throws if the file is no ZIP file.
 */
export function zipParts(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): Map<string, Uint8Array> {
  let left = maxBytes;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!wanted(name) || originalSize > left) return false;
      left -= originalSize;
      return true;
    },
  });
  return new Map(Object.entries(parts));
}
