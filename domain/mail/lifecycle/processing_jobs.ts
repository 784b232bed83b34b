import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { advance, type Parts } from "./apply.ts";
import type { ProcessingEvent } from "./processing.ts";

type ProcessingJob = Job<"process_email" | "process_large_email" | "check_sender" | "embed_email">;

/** Moves the processing of the email of a job in the commit that ends the job. */
export async function endJob(
  service: Parts & Pick<Service, "searchIndex" | "semantic">,
  job: ProcessingJob,
  event: ProcessingEvent,
  also: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { userId, emailId } = job.payload;
  const isThere = await service.database.transact(async (tx) => {
    await also(tx);
    if (!await advance(tx, service, job.payload, event)) return false;
    service.jobs.complete(tx, job);
    return true;
  }, { prefetch: [keys.email(userId, emailId), keys.emailProcessing(userId, emailId)] });
  if (!isThere) await endWithoutEmail(service, job);
}

/** Ends the job of an email that was deleted. An earlier run may have added it to the indexes: it must leave them. */
export async function endWithoutEmail(
  { database, jobs, searchIndex, semantic }: Parts & Pick<Service, "searchIndex" | "semantic">,
  job: ProcessingJob,
): Promise<void> {
  const { userId, emailId } = job.payload;
  await searchIndex.remove(userId, [emailId]);
  await semantic?.vectors.remove(userId, [emailId]);
  await database.transact((tx) => {
    tx.delete(keys.emailProcessing(userId, emailId));
    jobs.complete(tx, job);
  });
}
