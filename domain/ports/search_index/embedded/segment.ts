import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ByteReader, ByteWriter } from "./byte_buffer.ts";
import { VocabularyWriter } from "./vocabulary.ts";
import { PostingList, readPostings, writePostings } from "./posting_list.ts";

/**
 * A segment: the posting lists of a run of documents, sorted by term and packed into blocks,
 * never changed once written. A block is a row of entries `key, bytes, postings`.
 */
export interface Segment {
  segment: number;
  firstDocument: number;
  /** How many document numbers it covers, and how many of them were there when it was written. */
  span: number;
  written: number;
  level: number;
  /** The first term of each block, and its row. */
  firstKeys: Float64Array;
  rows: Float64Array;
}

/** Small enough to skim for one term, large enough that few are needed. */
const BLOCK_BYTES = 8192;

/** The statements on blocks, prepared once. */
export class BlockStore {
  readonly #insert: StatementSync;
  readonly #read: StatementSync;
  readonly #directory: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare("insert into blocks (segment, first_key, data) values (?, ?, ?)");
    this.#read = db.prepare("select data from blocks where rowid = ?");
    this.#directory = db.prepare(
      "select rowid as row, first_key as key from blocks where segment = ? order by first_key",
    );
  }

  write(segment: number, firstKey: number, data: Uint8Array) {
    this.#insert.run(segment, firstKey, data);
  }

  read(row: number): Uint8Array {
    return (this.#read.get(row) as { data: Uint8Array }).data;
  }

  directory(segment: number): { firstKeys: Float64Array; rows: Float64Array } {
    const blocks = this.#directory.all(segment) as { row: number; key: number }[];
    return {
      firstKeys: Float64Array.from(blocks, ({ key }) => key),
      rows: Float64Array.from(blocks, ({ row }) => row),
    };
  }
}

/** Writes the lists of a segment, which must come in rising order of their terms. */
export class SegmentWriter {
  readonly #block = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly stems = new VocabularyWriter();
  #firstKey = 0;

  constructor(readonly store: BlockStore, readonly segment: number) {}

  add(key: number, list: PostingList) {
    if (list.length === 0) return;
    this.#postings.clear();
    writePostings(list, this.#postings);
    if (this.#block.length === 0) this.#firstKey = key;
    this.stems.add(key, list.counts().stems);
    this.#block.key(key);
    this.#block.varint(this.#postings.length);
    this.#block.bytes(this.#postings.written);
    if (this.#block.length >= BLOCK_BYTES) this.flush();
  }

  flush() {
    if (this.#block.length === 0) return;
    this.store.write(this.segment, this.#firstKey, this.#block.copy());
    this.#block.clear();
  }
}

/** One list of a segment, not yet read. */
export interface Entry {
  key: number;
  reader: ByteReader;
  end: number;
}

/** The list of a term in a segment, or null; the entry's reader stands before the postings. */
export function findEntry(store: BlockStore, segment: Segment, key: number): Entry | null {
  let low = 0;
  let high = segment.firstKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.firstKeys[middle] <= key) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return null;
  const reader = new ByteReader(store.read(segment.rows[low - 1]));
  while (!reader.atEnd) {
    const entry = nextEntry(reader);
    if (entry.key === key) return entry;
    if (entry.key > key) return null;
    reader.offset = entry.end;
  }
  return null;
}

function nextEntry(reader: ByteReader): Entry {
  const key = reader.key();
  const bytes = reader.varint();
  return { key, reader, end: reader.offset + bytes };
}

/**
 * Merges neighbouring segments, a few milliseconds a step: each `next()` writes
 * some blocks. Documents that are gone are left out.
 */
export function* mergeSegments(
  store: BlockStore,
  segments: Segment[],
  writer: SegmentWriter,
  isLive: () => Uint8Array,
): Generator<void, void> {
  const cursors = segments.map((segment) => new Cursor(store, segment));
  const list = new PostingList();
  for (let written = 1;; written++) {
    let key = Infinity;
    for (const { entry } of cursors) if (entry && entry.key < key) key = entry.key;
    if (key === Infinity) break;
    list.clear();
    for (const cursor of cursors) {
      if (cursor.entry?.key !== key) continue;
      readPostings(cursor.entry.reader, cursor.entry.end, isLive(), list);
      cursor.advance();
    }
    writer.add(key, list);
    if (written % 2000 === 0) yield;
  }
  writer.flush();
}

/** Walks the entries of a segment in order. */
class Cursor {
  entry: Entry | null = null;
  #block = 0;

  constructor(readonly store: BlockStore, readonly segment: Segment) {
    this.advance();
  }

  advance() {
    const { entry } = this;
    if (entry) entry.reader.offset = entry.end;
    let reader = entry?.reader;
    if (!reader || reader.atEnd) {
      if (this.#block === this.segment.rows.length) {
        this.entry = null;
        return;
      }
      reader = new ByteReader(this.store.read(this.segment.rows[this.#block++]));
    }
    this.entry = nextEntry(reader);
  }
}
