import { deleteChunks, doomed } from "../blobs.ts";
import type { Database, Tx } from "../database.ts";
import type { Job, Jobs } from "../jobs.ts";
import * as keys from "../keys.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** Ends the only reference to a blob, in the transaction that ends its owner: a job removes what is more than one row. */
export function releaseBlob(
  tx: Tx,
  jobs: Jobs,
  userId: string,
  { blobId, chunks }: BlobRef,
): void {
  if (chunks === 1) tx.delete(keys.blobChunk(blobId, 0));
  else jobs.add(tx, "remove_blob", { userId, blobId });
}

/** The job of `releaseBlob`. */
export async function removeBlob(
  { database, jobs }: { database: Database; jobs: Jobs },
  job: Job<"remove_blob">,
): Promise<void> {
  await deleteChunks(database, job.payload.blobId);
  await database.transact((tx) => jobs.complete(tx, job));
}

/**
 * The end of references to blobs whose owners a job removes, each in the transaction that deletes its owner:
 * `removeUnshared`, then `release` in the transaction, then `end`. With its last reference a blob is gone. A kill at any
 * time neither takes the bytes from another owner nor leaves them: what `end` does not reach, the sweep of orphans removes.
 */
export class BlobRelease {
  /** Blobs whose rows were removed before the transaction. */
  private readonly removed = new Set<string>();
  private readonly released = new Map<string, BlobRef>();

  constructor(private readonly database: Database) {}

  /**
   * Removes the chunks of large blobs that have one owner, whom nobody can read any more: so the work is done when its job
   * ends, and a killed run is repeated.
   */
  async removeUnshared(refs: readonly BlobRef[]): Promise<void> {
    const { database } = this;
    for (const { blobId, chunks } of refs) {
      if (chunks === 1) continue;
      const [owners, mark] = await database.getMany<number>([
        keys.blobOwners(blobId),
        keys.blobPending(blobId),
      ]);
      // With a mark, its message is still being delivered to others.
      if ((owners ?? 1) > 1 || mark !== null) continue;
      await deleteChunks(database, blobId);
      this.removed.add(blobId);
    }
  }

  /** Ends the reference of an owner that the transaction deletes. */
  async release(tx: Tx, ref: BlobRef): Promise<void> {
    const { blobId, chunks } = ref;
    if (this.removed.has(blobId)) return;
    const key = keys.blobOwners(blobId), mark = keys.blobPending(blobId);
    // A small blob has one owner.
    const owners = chunks === 1 ? null : await tx.get<number>(key);
    if (owners !== null && owners > 1) return tx.set(key, owners - 1);
    if (chunks === 1) return tx.delete(keys.blobChunk(blobId, 0));
    if (owners !== null && await tx.get(mark) !== null) return tx.set(key, 0);
    if (owners !== null) tx.delete(key);
    tx.set(mark, doomed);
    this.released.set(blobId, ref);
  }

  /** Removes the rows of those blobs that the transaction has released last. */
  async end(): Promise<void> {
    for (const blobId of this.released.keys()) {
      if (await this.database.get(keys.blobPending(blobId)) === doomed) {
        await deleteChunks(this.database, blobId);
      }
    }
  }
}
