import type { Service } from "../../core/service.ts";
import type { Job } from "../../store/jobs.ts";
import { purge } from "../lifecycle/apply.ts";

/**
 * Removes the bytes of a deleted email and the states of its recipients, and gives the storage back in the commit that ends
 * the job. If the process is killed, the next run does the rest.
 */
export async function purgeEmail(service: Service, job: Job<"purge_email">): Promise<void> {
  await service.database.transact(async (tx) => {
    // Another instance ended it.
    if (!await service.jobs.stands(tx, job)) return;
    await purge(tx, service, { ...job.payload, isSent: true });
    service.jobs.complete(tx, job);
  });
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
