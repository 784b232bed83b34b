import { deleteChunks, doomed, ownersOf } from "../blobs.ts";
import type { Database, Tx } from "../database.ts";
import type { Job, Jobs } from "../jobs.ts";
import * as keys from "../keys.ts";
import type { BlobRef } from "../../core/blob_ref.ts";

/** What the end of a blob needs of the service. */
interface Parts {
  database: Database;
  jobs: Jobs;
}

/**
 * Ends a reference to a blob, in the transaction that ends its owner. With the last one the blob is gone: a small one in the
 * same commit, the rows of a large one by a job. A kill at any time neither takes the bytes from another owner nor leaves
 * them.
 */
export async function releaseBlob(
  tx: Tx,
  { database, jobs }: Parts,
  userId: string,
  { blobId, chunks }: BlobRef,
): Promise<void> {
  // A small blob has one owner.
  if (chunks === 1) return tx.delete(keys.blobChunk(blobId, 0));
  const key = keys.blobOwners(blobId);
  const owners = await ownersOf(database, tx, blobId);
  // With a mark, its message is still being delivered to others: the end of that removes it.
  const isDelivered = owners !== null && await tx.get(keys.blobPending(blobId)) !== null;
  if (owners !== null && (owners > 1 || isDelivered)) return tx.set(key, owners - 1);
  if (owners !== null) tx.delete(key);
  jobs.add(tx, "remove_blob", { userId, blobId });
}

/** The job of `releaseBlob`. */
export async function removeBlob(
  { database, jobs }: Parts,
  job: Job<"remove_blob">,
): Promise<void> {
  await deleteChunks(database, job.payload.blobId);
  await database.transact((tx) => jobs.complete(tx, job));
}

/**
 * Removes a dead job permanently. It may be the only one that knows of some bytes: a reference to them ends, and those
 * that it was to remove are left to the sweep.
 */
export async function dropDead(tx: Tx, parts: Parts, { jobId, payload }: Job): Promise<void> {
  parts.jobs.removeDead(tx, jobId);
  if ("raw" in payload) await releaseBlob(tx, parts, payload.userId, payload.raw);
  if ("blobId" in payload) tx.set(keys.blobPending(payload.blobId), doomed);
}
