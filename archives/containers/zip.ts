import { ByteReader, wholeOf } from "../byte_reader.ts";
import { ArchiveError, cleanPath, type Entry, SourceError, type SourceFile } from "../source.ts";
import type { Budget } from "./budget.ts";
import { inflated } from "./inflate.ts";
import { nameOf } from "./names.ts";

const damage = "is damaged";
const endBytes = 22, longestComment = 65_535, wideLocatorBytes = 20;

/** Of an entry's name and further fields above its bytes, in bytes: it is read with them, unless it is longer. */
const longestNames = 1_024;

/** Where the directory of a zip stands, in bytes. */
interface Directory {
  start: number;
  size: number;
  /** What stands before the archive: a program that unpacks it. */
  shift: number;
}

/** The fields of an entry's header in the directory. */
interface Header {
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/**
 * The files of a zip (PKWARE APPNOTE 6.3.10, also with 64 bits), in the order of its directory. Nothing is unpacked
 * until the pieces of an entry are read.
 */
export async function* zipEntries(file: SourceFile, budget: Budget): AsyncGenerator<Entry> {
  const directory = await findDirectory(file);
  const reader = new ByteReader(file.pieces(directory.start, directory.start + directory.size));
  try {
    for (let left = directory.size; left >= 46;) {
      const fixed = viewOf(await reader.take(46));
      if (fixed.byteLength < 46 || fixed.getUint32(0, true) !== 0x02014b50) {
        throw new ArchiveError(damage);
      }
      const lengths = [28, 30, 32].map((at) => fixed.getUint16(at, true));
      const [name, extra] = [await reader.take(lengths[0]), await reader.take(lengths[1])];
      await reader.take(lengths[2]);
      left -= 46 + lengths[0] + lengths[1] + lengths[2];
      budget.countEntry();
      const path = nameOf(name);
      const header = headerOf(fixed, extra);
      const mode = fixed.getUint16(4, true) >> 8 === 3 ? fixed.getUint16(40, true) & 0xf000 : 0;
      yield {
        path: cleanPath(path) + (/[/\\]$/.test(path) ? "/" : ""),
        modifiedAt: null,
        problem: problemOf(header),
        isSpecial: ![0, 0x4000, 0x8000].includes(mode),
        pieces: () => unpacked(file, header, directory.shift, budget),
      };
    }
  } finally {
    await reader.close();
  }
}

function problemOf({ flags, method }: Header): string | undefined {
  if (flags & 1) return "is encrypted";
  if (method !== 0 && method !== 8) return `is packed with method ${method}, not with deflate`;
}

async function findDirectory(file: SourceFile): Promise<Directory> {
  const tailStart = Math.max(0, file.size - endBytes - longestComment - wideLocatorBytes);
  const tail = viewOf(await wholeOf(file.pieces(tailStart, file.size)));
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    if (at + endBytes + tail.getUint16(at + 20, true) > tail.byteLength) continue;
    const locator = at - wideLocatorBytes;
    if (locator >= 0 && tail.getUint32(locator, true) === 0x07064b50) {
      const place = Number(tail.getBigUint64(locator + 8, true));
      const wide = viewOf(await wholeOf(file.pieces(place, place + 56)));
      if (wide.byteLength < 56 || wide.getUint32(0, true) !== 0x06064b50) break;
      const size = Number(wide.getBigUint64(40, true));
      return placed(Number(wide.getBigUint64(48, true)), size, place);
    }
    const size = tail.getUint32(at + 12, true);
    return placed(tail.getUint32(at + 16, true), size, tailStart + at);
  }
  throw new ArchiveError("breaks off: a zip has its list of files at its end");
}

/** The directory ends where its end record begins. */
function placed(offset: number, size: number, end: number): Directory {
  const start = end - size, shift = start - offset;
  if (start < 0 || shift < 0) throw new ArchiveError(damage);
  return { start, size, shift };
}

function headerOf(fixed: DataView, extra: Uint8Array): Header {
  const narrow = [24, 20, 42].map((at) => fixed.getUint32(at, true));
  const wide = viewOf(extra);
  for (let at = 0; at + 4 <= wide.byteLength;) {
    const length = wide.getUint16(at + 2, true);
    if (wide.getUint16(at, true) === 1) {
      let next = at + 4;
      // Each value that does not fit in 32 bits stands here, in this order.
      narrow.forEach((value, n) => {
        if (value !== 0xffffffff || next + 8 > wide.byteLength) return;
        narrow[n] = Number(wide.getBigUint64(next, true));
        next += 8;
      });
    }
    at += 4 + length;
  }
  const [size, packed, offset] = narrow;
  return {
    flags: fixed.getUint16(8, true),
    method: fixed.getUint16(10, true),
    crc: fixed.getUint32(16, true),
    size,
    packed,
    offset,
  };
}

async function* unpacked(
  file: SourceFile,
  { method, crc, size, packed, offset }: Header,
  shift: number,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  const at = offset + shift;
  const reader = new ByteReader(file.pieces(at, at + 30 + longestNames + packed));
  const local = viewOf(await reader.take(30));
  if (local.byteLength < 30 || local.getUint32(0, true) !== 0x04034b50) {
    await reader.close();
    throw new SourceError(damage);
  }
  const names = local.getUint16(26, true) + local.getUint16(28, true);
  const isShort = names <= longestNames;
  if (!isShort) await reader.close();
  const pieces = isShort
    ? afterNames(reader, names, packed)
    : file.pieces(at + 30 + names, at + 30 + names + packed);
  let left = size;
  try {
    for await (const piece of method === 8 ? inflated(asGzip(pieces, crc, size)) : pieces) {
      budget.count(piece.length);
      left -= piece.length;
      if (left < 0) break;
      yield piece;
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(damage, { cause: error });
  }
  if (left !== 0) throw new SourceError(damage);
}

async function* afterNames(
  reader: ByteReader,
  names: number,
  packed: number,
): AsyncGenerator<Uint8Array> {
  try {
    await reader.take(names);
    yield* reader.pieces(packed);
  } finally {
    await reader.close();
  }
}

/** A zip's deflate has the checksum of gzip, which whoever unpacks gzip checks. */
async function* asGzip(
  packed: AsyncIterable<Uint8Array>,
  crc: number,
  size: number,
): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  yield* packed;
  const end = new DataView(new ArrayBuffer(8));
  end.setUint32(0, crc, true);
  end.setUint32(4, size % 2 ** 32, true);
  yield new Uint8Array(end.buffer);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
