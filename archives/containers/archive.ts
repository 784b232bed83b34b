import { ByteReader } from "../byte_reader.ts";
import { ArchiveError, type Entry, type Source, SourceError, type SourceFile } from "../source.ts";
import { Budget } from "./budget.ts";
import { inflated } from "./inflate.ts";
import { isTarHeader, tarEntries } from "./tar.ts";
import { zipEntries } from "./zip.ts";

/** A file that has other files, or one in a smaller form. */
export interface Archive {
  kind: "zip" | "gzip" | "tar";
  file: SourceFile;
  gunzip: Source["gunzip"];
}

/**
 * The files of an archive; of a gzip that is no tar the one file in it. An archive of a folder begins with the folder itself,
 * whose name is left out. Throws ArchiveError if it is damaged, breaks off or is a bomb.
 */
export async function* archiveEntries(archive: Archive): AsyncGenerator<Entry> {
  let top: string | null = null;
  for await (const entry of allEntries(archive)) {
    top ??= /^(?!\.)(?!(?:cur|new|tmp)\/)[^/]+\/$/.test(entry.path) ? entry.path : "";
    const path = entry.path.startsWith(top) ? entry.path.slice(top.length) : entry.path;
    if (path !== "" && !path.endsWith("/")) yield { ...entry, path };
  }
}

async function* allEntries(archive: Archive): AsyncGenerator<Entry> {
  const { file, kind } = archive;
  const budget = new Budget(file.size);
  if (kind === "zip") return yield* zipEntries(file, budget);
  const reader = new ByteReader(kind === "tar" ? file.pieces() : unzipped(archive, budget));
  try {
    if (isTarHeader(await reader.peek(512))) return yield* tarEntries(reader, budget);
    const path = file.path.replace(/\.gz$/i, "");
    yield { path, modifiedAt: file.modifiedAt, pieces: () => reader.pieces() };
  } finally {
    await reader.close();
  }
}

/** Whether it is one packed file, not a folder of them. */
export async function isOneFile(archive: Archive): Promise<boolean> {
  if (archive.kind !== "gzip") return false;
  const reader = new ByteReader(unzipped(archive, new Budget(archive.file.size)));
  try {
    return !isTarHeader(await reader.peek(512));
  } finally {
    await reader.close();
  }
}

async function* unzipped({ file, gunzip }: Archive, budget: Budget): AsyncGenerator<Uint8Array> {
  try {
    const pieces = file.pieces();
    for await (const piece of gunzip ? gunzip(pieces) : inflated(pieces)) {
      budget.count(piece.length);
      yield piece;
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new ArchiveError("is damaged or breaks off", { cause: error });
  }
}
