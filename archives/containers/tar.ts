import type { ByteReader } from "../byte_reader.ts";
import { ArchiveError, cleanPath, type Entry } from "../source.ts";
import type { Budget } from "./budget.ts";
import { nameOf } from "./names.ts";

const blockBytes = 512;
/** Of a header that has a long name or further fields. */
const mostHeaderBytes = 2 ** 20;

/**
 * The things of a tar (POSIX ustar and pax, and the long names of GNU) in their order. An entry's bytes can be read until the
 * next entry is asked for. Throws ArchiveError if the tar is damaged or breaks off.
 */
export async function* tarEntries(reader: ByteReader, budget: Budget): AsyncGenerator<Entry> {
  /** What a header before the file's own says of it. */
  let said: Record<string, string> = {};
  for (;;) {
    const header = await reader.take(blockBytes);
    if (header.length < blockBytes) throw brokenOff();
    if (header.every((byte) => byte === 0)) return;
    if (!isTarHeader(header)) throw new ArchiveError("is damaged");
    budget.countEntry();
    const kind = String.fromCharCode(header[156] || 0x30);
    const size = Number(said.size ?? numberIn(header, 124, 12));
    const padding = (blockBytes - size % blockBytes) % blockBytes;
    if ("LKxg".includes(kind)) {
      if (size > mostHeaderBytes) throw new ArchiveError("is damaged");
      const content = await reader.take(size);
      await reader.take(padding);
      if (kind === "L") said = { ...said, path: nameOf(untilZero(content)) };
      if (kind === "x") said = { ...said, ...paxFields(content) };
      continue;
    }
    const path = said.path ?? pathIn(header);
    const modifiedAt = Number(said.mtime ?? numberIn(header, 136, 12)) * 1_000;
    const isFolder = kind === "5", isFile = kind === "0" || kind === "7";
    let left = size;
    const pieces = async function* () {
      for await (const piece of reader.pieces(left)) {
        left -= piece.length;
        yield piece;
      }
      if (left > 0) throw brokenOff();
    };
    yield {
      path: cleanPath(path) + (isFolder ? "/" : ""),
      modifiedAt: Number.isFinite(modifiedAt) ? modifiedAt : null,
      isSpecial: !isFile && !isFolder,
      pieces,
    };
    for await (const _ of pieces());
    await reader.take(padding);
    said = {};
  }
}

/** Whether the first 512 bytes are a header: its checksum is the sum of all its bytes. */
export function isTarHeader(block: Uint8Array): boolean {
  if (block.length < blockBytes || block[0] === 0) return false;
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += block[at];
  return sum === numberIn(block, 148, 8);
}

/** Octal digits, or since GNU the bytes of a number after 0x80. */
function numberIn(block: Uint8Array, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  if (field[0] & 0x80) {
    return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  }
  return parseInt(nameOf(untilZero(field)).trim() || "0", 8);
}

function pathIn(header: Uint8Array): string {
  const name = nameOf(untilZero(header.subarray(0, 100)));
  const isPosix = nameOf(header.subarray(257, 263)) === "ustar\0";
  const prefix = isPosix ? nameOf(untilZero(header.subarray(345, 500))) : "";
  return prefix ? `${prefix}/${name}` : name;
}

/** `LENGTH NAME=VALUE\n`, again and again; the length counts all of it. */
function paxFields(content: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < content.length;) {
    const length = parseInt(nameOf(content.subarray(at, at + 12)), 10);
    if (!(length > 0)) break;
    const record = nameOf(content.subarray(at, at + length - 1));
    const [, name, value] = /^\d+ ([^=]*)=([^]*)$/.exec(record) ?? [];
    if (name) fields[name] = value;
    at += length;
  }
  return fields;
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function brokenOff(): ArchiveError {
  return new ArchiveError("breaks off");
}
