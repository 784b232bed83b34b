import type { Service } from "../../core/service.ts";
import type { Job } from "../../store/jobs.ts";
import { type Parts, purge } from "../lifecycle/apply.ts";

/**
 * Removes the bytes of a deleted email and the states of its recipients, and gives the storage back in the commit that ends
 * the job. If the process is killed, the next run does the rest.
 */
export async function purgeEmail(parts: Parts, job: Job<"purge_email">): Promise<void> {
  await parts.database.transact(async (tx) => {
    // Another instance ended it.
    if (!await parts.jobs.stands(tx, job)) return;
    await purge(tx, parts, { ...job.payload, isSent: true });
    parts.jobs.complete(tx, job);
  });
}

/** Removes deleted emails from the indexes of words and of vectors. */
export async function unindexEmails(
  { database, jobs: all, searchIndex, semantic }: Pick<
    Service,
    "database" | "jobs" | "searchIndex" | "semantic"
  >,
  jobs: readonly Job<"unindex_email">[],
): Promise<void> {
  const accounts = Map.groupBy(jobs, ({ payload }) => payload.userId);
  for (const [userId, its] of accounts) {
    const emailIds = its.map(({ payload }) => payload.emailId);
    await searchIndex.remove(userId, emailIds);
    await semantic?.vectors.remove(userId, emailIds);
    await database.transact((tx) => its.forEach((job) => all.complete(tx, job)));
  }
}
