import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { concatBytes } from "../core/bytes.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Database, Tx } from "./database.ts";
import * as keys from "./keys.ts";
import { removeKeys } from "./row_ranges.ts";

/**
 * Raw bytes in a chunk. Together with the byte for its form, and in deflate's worst case, a chunk is below Deno KV's
 * 65,536 bytes a value.
 */
export const chunkBytes = 60 * 1024;
/** 13 chunks fill an atomic of 800 KiB. */
const chunksPerCommit = 13;
/** The first byte of a chunk is its form. */
const stored = 0;
const deflated = 1;
/**
 * After its first megabyte a message is not deflated: that part is an attachment in base64, of which deflate saves a
 * quarter, and a download would need three times longer to inflate than to read.
 */
const maxDeflatedChunks = 16;

/** Refers to a blob: `size` (bytes) and `sha256` are of the bytes before deflate, `chunks` is the number of rows. */
export interface BlobRef {
  blobId: string;
  size: number;
  chunks: number;
  sha256: string;
}

/** What blobs need of the service. */
interface BlobParts {
  database: Database;
  ids: Ids;
  clock: Clock;
}

/**
 * Takes bytes as they come: up to one chunk in memory, more in the database under a pending mark. `finish` returns the
 * blob, and `attach(tx)` in the commit of its owner makes it permanent. Without that commit its chunks are orphans,
 * which the sweep removes.
 */
export class BlobWriter {
  private readonly hash = createHash("sha256");
  private readonly blobId: string;
  private tail: Uint8Array[] = [];
  private tailBytes = 0;
  private size = 0;
  private chunks = 0;
  private full: { n: number; bytes: Uint8Array }[] = [];
  /** One commit is in flight at a time, so that small messages are committed in between. */
  private committing: Promise<void> = Promise.resolve();
  private spooled = false;
  private failure: unknown = null;

  constructor(private readonly parts: BlobParts) {
    this.blobId = parts.ids.timed(parts.clock.now());
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.hash.update(bytes);
    this.size += bytes.length;
    for (let offset = 0; offset < bytes.length;) {
      if (this.tailBytes === chunkBytes) await this.cut();
      const piece = bytes.subarray(offset, offset + chunkBytes - this.tailBytes);
      this.tail.push(piece);
      this.tailBytes += piece.length;
      offset += piece.length;
    }
  }

  /** Writes the rest. When it resolves, all chunks are durable; a blob of one chunk is written by `attach`. */
  async finish(): Promise<FinishedBlob> {
    const sizes = { blobId: this.blobId, size: this.size };
    if (this.chunks === 0) {
      const only = pack(concatBytes(this.tail, this.tailBytes));
      return inlineBlob(this.parts, {
        ...sizes,
        chunks: 1,
        sha256: this.hash.digest("hex"),
      }, only);
    }
    await this.cut();
    await this.flush();
    await this.committing;
    if (this.failure) throw this.failure;
    return spooledBlob(this.parts, {
      ...sizes,
      chunks: this.chunks,
      sha256: this.hash.digest("hex"),
    });
  }

  /**
   * Removes the chunks in the database, for a message that broke off. After a failed write they are left for the sweep,
   * because on a remote database that write may still become durable.
   */
  async discard(): Promise<void> {
    await this.committing;
    if (this.spooled && !this.failure) await deleteChunks(this.parts.database, this.blobId);
  }

  private async cut(): Promise<void> {
    const bytes = concatBytes(this.tail, this.tailBytes);
    const kept = this.chunks < maxDeflatedChunks ? pack(bytes) : marked(stored, bytes);
    this.full.push({ n: this.chunks++, bytes: kept });
    this.tail = [];
    this.tailBytes = 0;
    if (this.full.length === chunksPerCommit) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.full.length === 0) return;
    const { database, clock } = this.parts;
    const rows = this.full;
    this.full = [];
    if (!this.spooled) {
      this.spooled = true;
      await database.write([{ key: keys.blobPending(this.blobId), value: clock.now() }]);
    }
    await this.committing;
    if (this.failure) throw this.failure;
    this.committing = database.write(
      rows.map(({ n, bytes }) => ({ key: keys.blobChunk(this.blobId, n), value: bytes })),
    ).catch((error) => void (this.failure = error));
  }
}

/** A complete blob without an owner. */
export interface FinishedBlob {
  readonly ref: BlobRef;
  /** Makes it permanent, in the transaction of its owner. */
  attach(tx: Tx): void;
  /** The blob with the id of its owner if its rows are not written yet, otherwise with its own id. */
  under(ownerId: string): FinishedBlob;
  /** A second blob of the same bytes, for another owner. */
  copy(): Promise<FinishedBlob>;
  /** Removes its rows. For a blob that gets no owner. */
  discard(): Promise<void>;
}

function inlineBlob(parts: BlobParts, ref: BlobRef, chunk: Uint8Array): FinishedBlob {
  const under = (blobId: string) => inlineBlob(parts, { ...ref, blobId }, chunk);
  return {
    ref,
    attach: (tx) => tx.set(keys.blobChunk(ref.blobId, 0), chunk),
    under,
    copy: () => Promise.resolve(under(parts.ids.timed(parts.clock.now()))),
    discard: () => Promise.resolve(),
  };
}

function spooledBlob(parts: BlobParts, ref: BlobRef): FinishedBlob {
  const blob: FinishedBlob = {
    ref,
    under: () => blob,
    attach: (tx) => tx.delete(keys.blobPending(ref.blobId)),
    discard: () => deleteChunks(parts.database, ref.blobId),
    async copy() {
      const writer = new BlobWriter(parts);
      for await (const piece of readBlob(parts.database, ref)) await writer.write(piece);
      return await writer.finish();
    },
  };
  return blob;
}

/** Rows of a blob are not there: its owner was deleted meanwhile, or the store has lost them. */
export class MissingChunks extends Error {
  constructor({ blobId, chunks }: BlobRef, found: number) {
    super(`blob ${blobId} has ${found} of ${chunks} chunks`);
  }
}

/** The bytes of a blob, a chunk at a time; `batchSize` chunks are in memory. Throws MissingChunks. */
export async function* readBlob(
  database: Database,
  ref: BlobRef,
  batchSize = 50,
): AsyncGenerator<Uint8Array> {
  let n = 0;
  const selector = { prefix: keys.blobChunks(ref.blobId) };
  for await (const entry of database.list<Uint8Array>(selector, { batchSize })) {
    if (entry.key[2] !== n) break;
    n++;
    yield unpack(entry.value);
  }
  if (n !== ref.chunks) throw new MissingChunks(ref, n);
}

/** The whole blob in memory, for callers such as a parser. Throws MissingChunks. */
export async function readWholeBlob(database: Database, ref: BlobRef): Promise<Uint8Array> {
  if (ref.chunks === 1) {
    const only = await database.get<Uint8Array>(keys.blobChunk(ref.blobId, 0));
    if (!only) throw new MissingChunks(ref, 0);
    return unpack(only);
  }
  const whole = new Uint8Array(ref.size);
  let offset = 0;
  for await (const piece of readBlob(database, ref)) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** A client that does not read a download holds this many chunks in memory: 600 KiB. */
const streamedAtOnce = 10;

/**
 * The blob as a stream, which reads only what is pulled. The only chunk of a small blob is read before this resolves: on a
 * shared store even before it is known that the reader may have it.
 */
export async function openBlob(
  database: Database,
  ref: BlobRef,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const pieces = ref.chunks > 1
    ? readBlob(database, ref, streamedAtOnce)
    : [await readWholeBlob(database, ref)];
  return ReadableStream.from(pieces) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Deletes the rows of a blob, 200 in a commit. */
export async function deleteChunks(database: Database, blobId: string): Promise<void> {
  const rows: Deno.KvKey[] = [];
  for await (const entry of database.list({ prefix: keys.blobChunks(blobId) }, { batchSize: 10 })) {
    rows.push(entry.key);
  }
  rows.push(keys.blobPending(blobId));
  for (const some of database.forCommits(rows, 200)) await removeKeys(database, some);
}

/** Removes blobs that were begun before `before` and never attached. Returns how many. */
export async function sweepOrphans(database: Database, before: number): Promise<number> {
  let removed = 0;
  for (
    const pending of await database.collect<number>({ prefix: keys.blobsPending() }, { limit: 500 })
  ) {
    if (pending.value >= before) continue;
    await deleteChunks(database, pending.key[1] as string);
    removed++;
  }
  return removed;
}

/**
 * Half of all mail is shorter. Deflate would not save a database page: with or without it a short mail needs one of 4
 * KiB in addition to the page of its key.
 */
const smallestDeflated = 5_000;

function pack(bytes: Uint8Array): Uint8Array {
  if (bytes.length < smallestDeflated) return marked(stored, bytes);
  const small = deflateRawSync(bytes, { level: 1, windowBits: windowBitsFor(bytes.length) });
  return small.length < bytes.length ? marked(deflated, small) : marked(stored, bytes);
}

/** The smallest window that holds the text: a smaller one is set up in less time. */
function windowBitsFor(length: number): number {
  return Math.min(15, Math.max(9, Math.ceil(Math.log2(length + 1))));
}

function marked(how: number, bytes: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(bytes.length + 1);
  chunk[0] = how;
  chunk.set(bytes, 1);
  return chunk;
}

function unpack(chunk: Uint8Array): Uint8Array {
  const kept = chunk.subarray(1);
  return chunk[0] === deflated ? inflateRawSync(kept) : kept;
}
