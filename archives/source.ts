/** A file that was chosen: of a disk, or of a browser. */
export interface SourceFile {
  /** From the chosen file or folder on, with `/` between names. */
  path: string;
  /** In bytes. */
  size: number;
  /** In ms since 1970; null if it is not known. */
  modifiedAt: number | null;
  /** A link, a device: what is no file. */
  isSpecial?: boolean;
  /** Why it cannot be read, as in a SourceError. */
  problem?: string;
  /** The bytes from `start` to before `end`; without them the whole file. It can be read again and again. */
  pieces(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/** What was chosen: one file, or a folder with all that is in it. */
export interface Source {
  /** For people: the path as it was given. */
  name: string;
  isFolder: boolean;
  /** The files in the order in which they are read. It can be asked again and again. */
  files(): AsyncIterable<SourceFile>;
  /** Unpacks gzip of several parts, as `gzip >> FILE` makes it. Without it DecompressionStream does, in a browser one part. */
  gunzip?(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** A thing of a folder or an archive. */
export interface Entry {
  /** Names with `/` between them; never `..`, and no `/` at its beginning. */
  path: string;
  modifiedAt: number | null;
  /** Why its bytes cannot be had, as in a SourceError. */
  problem?: string;
  /** A link, a device: what is no file and no folder. */
  isSpecial?: boolean;
  /** The file itself, if it can be read from any place: a zip is read from its end. */
  file?: SourceFile;
  /** Its bytes, once. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Something cannot be read. The message says why, as a sentence without its subject: "is encrypted". */
export class SourceError extends Error {}

/** An archive cannot be read any further. */
export class ArchiveError extends SourceError {}

/** A chosen file of a browser. */
export function browserFile(file: File): SourceFile {
  return {
    path: cleanPath(file.webkitRelativePath || file.name),
    size: file.size,
    modifiedAt: file.lastModified,
    pieces: (start = 0, end = file.size) => piecesOf(file.slice(start, end).stream()),
  };
}

/** The pieces of a stream; not every browser iterates streams. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A path that leads nowhere else: without `..`, `.`, empty names, a drive, and with `/` alone between its names. */
export function cleanPath(path: string): string {
  return path.split(/[/\\]/).filter((name) => !/^(?:\.{0,2}|[A-Za-z]:)$/.test(name)).join("/");
}
