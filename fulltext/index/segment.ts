import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { ByteReader, ByteWriter, keyAt } from "./byte_buffer.ts";
import { checked, withChecksum } from "./checksum.ts";
import { VocabularyWriter } from "./vocabulary.ts";
import { PostingList, readPostings, writePostings } from "./posting_list.ts";

/**
 * A segment: the posting lists of consecutive documents, sorted by term and packed into blocks. It
 * never changes once written.
 */
export interface Segment {
  segment: number;
  firstDocument: number;
  /**
   * `span`: how many document numbers it covers. `written`: how many of these documents existed when it was written.
   */
  span: number;
  written: number;
  level: number;
  /** The first term of each block, and the row of the block. */
  firstKeys: Float64Array;
  rows: Float64Array;
}

/** A block has about this many bytes, one page of SQLite. */
const blockBytes = 4000;

/** Blocks in memory: all of an account with 100,000 emails. With a third of it a search takes 1.4 times as long. */
const keptBytes = 64 * 2 ** 20;

/** Reads and writes blocks, with a cache. */
export class BlockStore {
  /** Never stale: a row number is not used twice (`autoincrement`). */
  private readonly cache = new LRUCache<number, Block>({
    maxSize: keptBytes,
    sizeCalculation: ({ data }) => data.length + 200,
  });
  private readonly insertBlock: StatementSync;
  private readonly selectBlock: StatementSync;
  private readonly selectFirstKeys: StatementSync;

  constructor(db: DatabaseSync) {
    this.insertBlock = db.prepare("insert into blocks (segment, first_key, data) values (?, ?, ?)");
    this.selectBlock = db.prepare("select data from blocks where block = ?");
    this.selectFirstKeys = db.prepare(
      "select block as row, first_key as key from blocks where segment = ? order by first_key",
    );
  }

  /** To be called when the table of blocks was made again: its row numbers begin again. */
  clear() {
    this.cache.clear();
  }

  write(segment: number, firstKey: number, data: Uint8Array) {
    this.insertBlock.run(segment, firstKey, withChecksum(data));
  }

  /** A block, cached for the next search. */
  read(row: number): Block {
    let block = this.cache.get(row);
    if (!block) this.cache.set(row, block = this.readOnce(row));
    return block;
  }

  /** A block, not cached: for a merge. */
  readOnce(row: number): Block {
    return new Block(checked((this.selectBlock.get(row) as { data: Uint8Array }).data));
  }

  directory(segment: number): { firstKeys: Float64Array; rows: Float64Array } {
    const blocks = this.selectFirstKeys.all(segment) as { row: number; key: number }[];
    return {
      firstKeys: Float64Array.from(blocks, ({ key }) => key),
      rows: Float64Array.from(blocks, ({ row }) => row),
    };
  }
}

/** Writes the lists of a segment, which must come in ascending order of their terms. */
export class SegmentWriter {
  readonly stems = new VocabularyWriter();
  private readonly block = new ByteWriter();
  private readonly postings = new ByteWriter();
  private keys: number[] = [];
  private ends: number[] = [];

  constructor(readonly store: BlockStore, readonly segment: number) {}

  add(key: number, list: PostingList) {
    if (list.length === 0) return;
    writePostings(list, this.postings);
    this.keys.push(key);
    this.ends.push(this.postings.length);
    this.stems.add(key, list.stems);
    if (this.postings.length + this.keys.length * entryBytes >= blockBytes) this.flush();
  }

  flush() {
    if (this.keys.length === 0) return;
    const block = this.block;
    block.clear();
    block.uint32(this.keys.length);
    for (const key of this.keys) block.key(key);
    for (const end of this.ends) block.uint32(end);
    block.bytes(this.postings.written);
    this.store.write(this.segment, this.keys[0], block.written);
    this.postings.clear();
    this.keys = [];
    this.ends = [];
  }
}

const headBytes = 4;
const keyBytes = 6;
const entryBytes = keyBytes + 4;

/** A block: the number of lists, their keys, where each list ends, the lists. */
class Block {
  readonly size: number;
  private readonly reader: ByteReader;
  private readonly lists: number;

  constructor(readonly data: Uint8Array) {
    this.reader = new ByteReader(data);
    this.size = this.reader.uint32();
    this.lists = headBytes + this.size * entryBytes;
  }

  key(place: number): number {
    return keyAt(this.data, headBytes + place * keyBytes);
  }

  /** The place of the list of a key, or -1. */
  find(key: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.key(middle) < key) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.key(low) === key ? low : -1;
  }

  read(place: number, isLive: Uint8Array, into: PostingList) {
    const start = this.lists + (place === 0 ? 0 : this.end(place - 1));
    readPostings(this.data, start, this.lists + this.end(place), isLive, into);
  }

  private end(place: number): number {
    this.reader.offset = headBytes + this.size * keyBytes + place * 4;
    return this.reader.uint32();
  }
}

/** Appends the postings of a term in a segment to `into`, without removed documents. */
export function readTerm(
  store: BlockStore,
  segment: Segment,
  key: number,
  isLive: Uint8Array,
  into: PostingList,
) {
  let low = 0;
  let high = segment.firstKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.firstKeys[middle] <= key) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return;
  const block = store.read(segment.rows[low - 1]);
  const place = block.find(key);
  if (place >= 0) block.read(place, isLive, into);
}

/** Merges neighbouring segments, without removed documents. Each `next()` writes 500 lists. */
export function* mergeSegments(
  store: BlockStore,
  segments: Segment[],
  writer: SegmentWriter,
  isLive: () => Uint8Array,
): Generator<void, void> {
  const cursors = segments.map((segment) => new Cursor(store, segment));
  const list = new PostingList();
  for (let written = 1;; written++) {
    const key = Math.min(...cursors.map((cursor) => cursor.key));
    if (key === Infinity) break;
    list.clear();
    for (const cursor of cursors) if (cursor.key === key) cursor.take(isLive(), list);
    writer.add(key, list);
    if (written % 500 === 0) yield;
  }
  writer.flush();
}

/** Walks the lists of a segment in order of their terms; `key` is Infinity after the last. */
class Cursor {
  key = Infinity;
  private block: Block | null = null;
  private place = 0;
  private next = 0;

  constructor(readonly store: BlockStore, readonly segment: Segment) {
    this.advance();
  }

  take(isLive: Uint8Array, into: PostingList) {
    this.block!.read(this.place++, isLive, into);
    this.advance();
  }

  private advance() {
    if (!this.block || this.place === this.block.size) {
      const row = this.segment.rows[this.next++];
      this.block = row === undefined ? null : this.store.readOnce(row);
      this.place = 0;
    }
    this.key = this.block ? this.block.key(this.place) : Infinity;
  }
}
