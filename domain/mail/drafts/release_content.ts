import type { Service } from "../../core/service.ts";
import { deleteChunks } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { Draft } from "./draft.ts";

/**
 * Removes the content of an open draft that ends, changes or is purged, in its transaction: a job removes what is more than
 * one row.
 */
export function releaseContent(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  { userId, content }: Draft,
): void {
  if (content === null) return;
  const { blobId, chunks } = content.blob;
  if (chunks === 1) tx.delete(keys.blobChunk(blobId, 0));
  else jobs.add(tx, "remove_blob", { userId, blobId });
}

export async function removeBlob(service: Service, job: Job<"remove_blob">): Promise<void> {
  await deleteChunks(service.database, job.payload.blobId);
  await service.database.transact((tx) => service.jobs.complete(tx, job));
}
