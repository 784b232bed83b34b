import { createHash } from "node:crypto";
import { concatBytes } from "../core/bytes.ts";
import { unavailable } from "../core/errors.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { reportDamaged } from "../core/work/skip_damaged.ts";
import { asIs, DamagedBlob, pack, unpack } from "./blobs/chunk_form.ts";
import type { Database, Tx } from "./database.ts";
import * as keys from "./keys.ts";
import type { Expectation } from "./transaction.ts";
import { removeKeys } from "./row_ranges.ts";
import type { BlobRef } from "../core/blob_ref.ts";

/**
 * Raw bytes in a chunk. Together with the byte for its form, and in deflate's worst case, a chunk is below Deno KV's
 * 65,536 bytes a value.
 */
export const chunkBytes = 60 * 1024;
/** 13 chunks fill an atomic of 800 KiB. */
const chunksPerCommit = 13;
/**
 * After its first megabyte a message is not deflated: that part is an attachment in base64, of which deflate saves a
 * quarter, and a download would need three times longer to inflate than to read.
 */
const maxDeflatedChunks = 16;

/** What blobs need of the service. */
interface BlobParts {
  database: Database;
  ids: Ids;
  clock: Clock;
}

/** The sweep takes a mark that is older than an hour for that of a killed process; 780 KiB at 1 KiB/s take 13 minutes. */
const renewMs = 10 * 60_000;
/** The mark with this value: nothing refers to the blob, and its rows are being removed. */
export const doomed = 0;

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
  private markedAt: number | null = null;
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
    const { database } = this.parts;
    const only = this.chunks === 0 ? pack(concatBytes(this.tail, this.tailBytes)) : null;
    if (!only) {
      await this.cut();
      await this.flush();
      await this.committing;
      if (this.failure) throw this.failure;
    }
    const sha256 = this.hash.digest("hex");
    const { blobId, size, chunks } = this;
    return new FinishedBlob(database, { blobId, size, chunks: chunks || 1, sha256 }, only);
  }

  /**
   * Removes the chunks in the database, for a message that broke off. After a failed write they are left for the sweep,
   * because on a remote database that write may still become durable.
   */
  async discard(): Promise<void> {
    await this.committing;
    if (this.markedAt !== null && !this.failure) {
      await deleteChunks(this.parts.database, this.blobId);
    }
  }

  private async cut(): Promise<void> {
    const bytes = concatBytes(this.tail, this.tailBytes);
    const kept = this.chunks < maxDeflatedChunks ? pack(bytes) : asIs(bytes);
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
    const now = clock.now(), mark = keys.blobPending(this.blobId);
    if (this.markedAt === null || now - this.markedAt >= renewMs) {
      const isFirst = this.markedAt === null;
      this.markedAt = now;
      await database.transact(async (tx) => {
        if (!isFirst) await requireMark(tx, mark);
        tx.set(mark, now);
      });
    }
    await this.committing;
    if (this.failure) throw this.failure;
    this.committing = database.write(
      rows.map(({ n, bytes }) => ({ key: keys.blobChunk(this.blobId, n), value: bytes })),
    ).catch((error) => void (this.failure = error));
  }
}

/**
 * How many owners a shared blob has; null if it is not shared. One whose row is damaged has endlessly many: its bytes stay,
 * because another account may need them.
 */
export async function ownersOf(
  { log }: Pick<Database, "log">,
  store: Pick<Tx, "get">,
  blobId: string,
  expected?: Expectation,
): Promise<number | null> {
  const stored = await store.get<number>(keys.blobOwners(blobId), expected);
  if (stored === null || (Number.isInteger(stored) && stored >= 0)) return stored;
  reportDamaged(log, { table: "blob_owners", id: blobId }, null);
  return Infinity;
}

/** A complete blob without an owner. `only` is its chunk if it has one, which `attach` writes. */
export class FinishedBlob {
  constructor(
    private readonly database: Database,
    readonly ref: BlobRef,
    private readonly only: Uint8Array | null,
    private readonly isShared = false,
  ) {}

  /** Makes it permanent, in the transaction of its owner. Throws SERVICE_UNAVAILABLE if the sweep has removed it. */
  async attach(tx: Tx): Promise<void> {
    const { blobId } = this.ref;
    if (this.only) return tx.set(keys.blobChunk(blobId, 0), this.only);
    const mark = keys.blobPending(blobId);
    const [owners] = await Promise.all([
      this.isShared ? ownersOf(this.database, tx, blobId, { likelyAbsent: true }) : null,
      requireMark(tx, mark),
    ]);
    // The mark of a shared one stays until `discard`, so that the blob outlives an owner that is deleted before the next
    // has attached it.
    if (this.isShared) tx.set(keys.blobOwners(blobId), (owners ?? 0) + 1);
    else tx.delete(mark);
  }

  /** The blob with the id of its owner if its rows are not written yet, otherwise with its own id. */
  under(ownerId: string): FinishedBlob {
    if (!this.only) return this;
    return new FinishedBlob(this.database, { ...this.ref, blobId: ownerId }, this.only);
  }

  /**
   * The blob for several owners, each of which attaches it `under` its id: a small one has a copy, a large one is shared.
   * `discard` must follow, also if all have.
   */
  shared(): FinishedBlob {
    return new FinishedBlob(this.database, this.ref, this.only, true);
  }

  /** Removes its rows, unless an owner has attached it. */
  async discard(): Promise<void> {
    if (!this.only) await endWriting(this.database, this.ref.blobId);
  }
}

/** Throws SERVICE_UNAVAILABLE if the sweep has removed the blob: its message is to be sent again. */
async function requireMark(tx: Tx, mark: Deno.KvKey): Promise<void> {
  if (!await tx.get<number>(mark)) {
    throw unavailable("The message took too long to arrive.");
  }
}

/** Ends the writing of a blob: its mark goes, and its rows too if no owner has attached it. Returns whether they went. */
async function endWriting(database: Database, blobId: string): Promise<boolean> {
  const mark = keys.blobPending(blobId);
  const isOrphan = await database.transact(async (tx) => {
    const [begunAt, owners] = await Promise.all([
      tx.get<number>(mark),
      ownersOf(database, tx, blobId),
    ]);
    if (begunAt === null) return false;
    if (owners) tx.delete(mark);
    else tx.set(mark, doomed);
    return !owners;
  });
  if (isOrphan) await deleteChunks(database, blobId);
  return isOrphan;
}

/** Rows of a blob are not there: its owner was deleted meanwhile, or the store has lost them. */
class MissingChunks extends DamagedBlob {
  constructor({ blobId, chunks }: BlobRef, found: number) {
    super(`blob ${blobId} has ${found} of ${chunks} chunks`);
  }
}

/** The bytes of a blob, a chunk at a time; `batchSize` chunks are in memory. Throws DamagedBlob. */
export async function* readBlob(
  database: Database,
  ref: BlobRef,
  batchSize = 50,
): AsyncGenerator<Uint8Array> {
  const { blobId, chunks } = ref;
  for (let n = 0; n < chunks;) {
    const selector = { prefix: keys.blobChunks(blobId), start: keys.blobChunk(blobId, n) };
    const limit = Math.min(chunks - n, batchSize), end = n + limit;
    for (const { key, value } of await database.collect<Uint8Array>(selector, { limit })) {
      if (key[2] !== n) break;
      n++;
      yield unpack(value);
    }
    if (n < end) throw new MissingChunks(ref, n);
  }
}

/** The whole blob in memory, for callers such as a parser. Throws DamagedBlob. */
export async function readWholeBlob(database: Database, ref: BlobRef): Promise<Uint8Array> {
  if (ref.chunks === 1) {
    const only = await database.get<Uint8Array>(keys.blobChunk(ref.blobId, 0));
    if (!only) throw new MissingChunks(ref, 0);
    return unpack(only);
  }
  const whole = new Uint8Array(ref.size);
  let offset = 0;
  for await (const piece of readBlob(database, ref)) {
    if (offset + piece.length > ref.size) throw new DamagedBlob("a chunk is damaged");
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

/** Deletes the rows of a blob that nothing refers to, 200 in a commit. */
export async function deleteChunks(database: Database, blobId: string): Promise<void> {
  const rows: Deno.KvKey[] = [];
  for await (const entry of database.list({ prefix: keys.blobChunks(blobId) }, { batchSize: 10 })) {
    rows.push(entry.key);
  }
  rows.push(keys.blobOwners(blobId), keys.blobPending(blobId));
  for (const some of database.forCommits(rows, 200)) await removeKeys(database, some);
}

/** Marks that one step of the sweep reads. */
const marksPerStep = 500;

/**
 * Removes all blobs that were begun before `before` and never attached, or lost their last owner. Returns how many. It ends
 * before the next blob if `mayGoOn` returns false; the next sweep does the rest.
 */
export async function sweepOrphans(
  database: Database,
  before: number,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let removed = 0;
  let selector: Deno.KvListSelector = { prefix: keys.blobsPending() };
  for (;;) {
    const marks = await database.collect<number>(selector, { limit: marksPerStep });
    for (const { key, value: begunAt } of marks) {
      if (!mayGoOn()) return removed;
      if (begunAt >= before) continue;
      if (await endWriting(database, String(key[1]))) removed++;
    }
    const last = marks.at(-1);
    if (!last || marks.length < marksPerStep) return removed;
    // Blobs that are being written stay, and must not hide those behind them.
    selector = keys.range(keys.blobsPending(), { start: `${String(last.key[1])}\u0000` });
  }
}

/** The first `bytes` of a blob, fewer if it is shorter. Throws DamagedBlob. */
export async function readBeginning(
  database: Database,
  ref: BlobRef,
  bytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const piece of readBlob(database, ref)) {
    pieces.push(piece);
    read += piece.length;
    if (read >= bytes) break;
  }
  return concatBytes(pieces, read).subarray(0, bytes);
}
