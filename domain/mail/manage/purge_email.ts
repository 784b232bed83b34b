import type { Service } from "../../core/service.ts";
import { BlobRelease } from "../../store/blobs/blob_release.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { forgetStates } from "../record/forget_states.ts";

/**
 * Removes the bytes of a deleted email and the states of its recipients, and gives the storage back in the commit that ends
 * the job. If the process is killed, the next run does the rest.
 */
export async function purgeEmail(service: Service, job: Job<"purge_email">): Promise<void> {
  const { userId, emailId, raw } = job.payload;
  const blobs = new BlobRelease(service.database);
  await blobs.removeUnshared([raw]);
  await service.database.transact(async (tx) => {
    // Another instance ended it.
    if (!await service.jobs.stands(tx, job)) return;
    await blobs.release(tx, raw);
    await forgetStates(tx, service, userId, emailId);
    const storage = keys.storage(userId);
    tx.set(storage, Math.max(0, (await tx.get<number>(storage) ?? 0) - raw.size));
    service.jobs.complete(tx, job);
  });
  await blobs.end();
}

/** Removes deleted emails from the indexes of words and of vectors. */
export async function unindexEmails(
  service: Service,
  jobs: readonly Job<"unindex_email">[],
): Promise<void> {
  const accounts = Map.groupBy(jobs, ({ payload }) => payload.userId);
  for (const [userId, its] of accounts) {
    const emailIds = its.map(({ payload }) => payload.emailId);
    await service.searchIndex.remove(userId, emailIds);
    await service.semantic?.vectors.remove(userId, emailIds);
    await service.database.transact((tx) => its.forEach((job) => service.jobs.complete(tx, job)));
  }
}
