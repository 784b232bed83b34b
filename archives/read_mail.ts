import { ByteReader } from "./byte_reader.ts";
import { type Archive, archiveEntries, isOneFile } from "./containers/archive.ts";
import { headBytes, type Kind, kindOf, refusalOf } from "./kinds.ts";
import { type Found, messagesOf, type ReadOptions } from "./messages.ts";
import { isRecords, mboxName, readRecords, type Records } from "./own_export.ts";
import { ArchiveError, type Entry, type Source, SourceError, type SourceFile } from "./source.ts";
import { placeOf } from "./state/folders.ts";

/** A thing of a source, and how far into the source's files the reading is, in bytes. */
export type Item = Found & { position: number };

/**
 * Reads what was chosen: mbox, MMDF, Maildir, `.eml`, our own export, a folder of these, and zip, tgz, tar.gz and gz of these.
 * Yields each message with its state, what is left out, and what cannot be read; the order is the same each time. Throws
 * SourceError if what was chosen is one file of which nothing can be read.
 *
 * Memory: a message, and the names of one folder; never a whole file.
 */
export async function* readMail(source: Source, options: ReadOptions): AsyncGenerator<Item> {
  const { isFolder, name } = source;
  const around: Surroundings = {
    entries: async function* () {
      for await (const file of source.files()) yield entryOf(file);
    },
    gunzip: source.gunzip,
    records: new Map(),
    isArchive: false,
    isOneFile: !isFolder,
    root: name.replace(/^.*[/\\]/, ""),
    prefix: isFolder ? `${name}/` : name.replace(/[^/\\]*$/, ""),
  };
  let before = 0, isAny = false;
  for await (const file of source.files()) {
    let at = before;
    const pieces: SourceFile["pieces"] = async function* (start, end) {
      for await (const piece of file.pieces(start, end)) {
        at = Math.min(before + file.size, at + piece.length);
        yield piece;
      }
    };
    for await (const found of readEntry(entryOf({ ...file, pieces }), around, options)) {
      if (found.kind === "refused" && found.name === name && !isAny) {
        throw new SourceError(found.reason);
      }
      isAny = true;
      yield { ...found, position: at };
    }
    before += file.size;
  }
}

function entryOf(file: SourceFile): Entry {
  return { ...file, file, pieces: () => file.pieces() };
}

/** Where an entry was found: in what was chosen, or in an archive of it. */
interface Surroundings extends Pick<Source, "gunzip"> {
  /** All that is there, from the beginning: an export's records may stand after its messages. */
  entries(): AsyncIterable<Entry>;
  /** Of our export, by the folder that has it. */
  records: Map<string, Records | null>;
  isArchive: boolean;
  /** One file was chosen, perhaps packed: its name says nothing of its messages. */
  isOneFile: boolean;
  /** What its own folder is called. */
  root: string;
  /** What stands before a path when it is shown. */
  prefix: string;
}

async function* readEntry(
  entry: Entry,
  around: Surroundings,
  options: ReadOptions,
): AsyncGenerator<Found> {
  const { path, problem, isSpecial } = entry;
  const { folder, maildir } = around.isOneFile ? { folder: [], maildir: null } : placeOf(path);
  const shown = folder.join("/") || (maildir ? "INBOX" : around.root);
  const base = { folder: shown, name: around.prefix + path };
  if (problem) return yield { ...base, kind: "refused", reason: problem };
  // A name with a dot in front hides a file: of a Maildir server, or what macOS puts beside each.
  const isHidden = /(?:^|\/)\.[^/]*$/.test(path);
  if (isSpecial || isHidden || maildir === "tmp") {
    return yield { ...base, kind: "left out", reason: "no mail" };
  }
  const reader = new ByteReader(entry.pieces());
  try {
    const records = await recordsFor(path, around);
    if (records && isRecords(path)) return;
    const head = await reader.peek(headBytes);
    const kind = kindIn(path, head, Boolean(maildir), Boolean(records));
    if (kind === "zip" || kind === "gzip" || kind === "tar") {
      if (around.isArchive) {
        throw new SourceError("is an archive in an archive: unpack the outer one, and import that");
      }
      const archive = { kind, file: entry.file!, gunzip: around.gunzip };
      return yield* readArchive(archive, base.name, around, options);
    }
    // A text among others may begin like a message.
    const isText = kind === "message" && !maildir && !around.isOneFile && !/\.eml$/i.test(path);
    if (kind === "other" || isText) {
      if (around.isOneFile) throw new SourceError(refusalOf(path, head));
      return yield { ...base, kind: "left out", reason: "no mail" };
    }
    const isOne = kind === "message";
    yield* messagesOf(reader, kind, {
      path,
      name: base.name,
      shown: isOne ? shown : path,
      place: isOne || around.isOneFile ? { folder, maildir } : placeOf(path, true),
      modifiedAt: entry.modifiedAt,
      records,
    }, options);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // The archive itself is refused, once.
    if (error instanceof ArchiveError && around.isArchive) throw error;
    yield { ...base, kind: "refused", reason: error.message };
  } finally {
    await reader.close();
  }
}

function kindIn(path: string, head: Uint8Array, isMaildir: boolean, isExport: boolean): Kind {
  if (isMaildir) return "message";
  // That of an empty mailbox is empty.
  return isExport && path.endsWith(mboxName) ? "mbox" : kindOf(path, head);
}

async function* readArchive(
  archive: Archive,
  name: string,
  around: Surroundings,
  options: ReadOptions,
): AsyncGenerator<Found> {
  const isFile = await isOneFile(archive);
  const inside: Surroundings = {
    ...around,
    entries: () => archiveEntries(archive),
    records: new Map(),
    isArchive: true,
    isOneFile: around.isOneFile && isFile,
    root: archive.file.path,
    prefix: isFile ? around.prefix : `${name}/`,
  };
  for await (const entry of inside.entries()) yield* readEntry(entry, inside, options);
}

/** What our export says of the messages in a file's folder; null if none is there. */
async function recordsFor(path: string, { records, entries }: Surroundings) {
  if (!/(?:^|\/)(?:mail\.mbox|emails\.jsonl|manifest\.json|[0-9a-f-]{36}\.eml)$/.test(path)) {
    return null;
  }
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const known = records.get(folder);
  if (known !== undefined) return known;
  const found = await readRecords(entries(), folder);
  records.set(folder, found);
  return found;
}
