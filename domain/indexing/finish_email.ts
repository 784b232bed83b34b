import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { emitProcessed } from "../mail/record/email_events.ts";
import type { Email } from "../mail/record/email.ts";

/** How the processing of an email ended (docs/specification.md "Payloads"). */
export type ProcessStatus = "indexed" | "failed";

/**
 * Marks an email processed in the commit that ends its job. An email that was deleted meanwhile is removed from the index. An
 * email whose body could not be read is `failed`, even if it was indexed.
 *
 * @param also writes more in the same commit, if the email is there.
 */
export async function finishEmail(
  service: Service,
  job: Job<"process_email" | "process_large_email" | "embed_email">,
  email: Email,
  status: ProcessStatus = "indexed",
  also: (tx: Tx) => void = () => {},
): Promise<void> {
  const { userId, emailId } = email;
  const done = await service.database.transact(async (tx) => {
    if (await tx.get(keys.emailUnprocessed(userId, emailId)) === null) {
      // It was processed before, or its mailbox was purged meanwhile: then it must leave the index.
      if (await tx.get(keys.email(userId, emailId)) === null) return false;
    } else {
      tx.delete(keys.emailUnprocessed(userId, emailId));
      await emitProcessed(tx, service, email, email.parsed?.problem ? "failed" : status);
    }
    service.jobs.complete(tx, job);
    also(tx);
    return true;
  }, { prefetch: [keys.emailUnprocessed(userId, emailId)] });
  if (!done) await endWithoutEmail(service, job);
}

/** Ends the job of an email that was deleted. An earlier run may have added it to the indexes: it must leave them. */
export async function endWithoutEmail(
  service: Service,
  job: Job<"process_email" | "process_large_email" | "embed_email">,
): Promise<void> {
  const { userId, emailId } = job.payload;
  await service.searchIndex.remove(userId, [emailId]);
  await service.semantic?.vectors.remove(userId, [emailId]);
  await service.database.transact((tx) => {
    tx.delete(keys.emailWithoutVectors(userId, emailId));
    service.jobs.complete(tx, job);
  });
}
