import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { emitProcessed } from "../mail/record/email_events.ts";
import type { Email } from "../mail/record/email.ts";

/** How the processing of an email ended (DECISIONS.md 8). */
export type ProcessStatus = "indexed" | "failed";

/**
 * Marks an email processed in the commit that ends its job; what is gone meanwhile leaves the index. A body that could
 * not be read has failed, whatever the index says.
 */
export async function finishEmail(
  service: Service,
  job: Job,
  email: Email,
  status: ProcessStatus = "indexed",
): Promise<void> {
  const { userId, emailId } = email;
  const done = await service.database.transact(async (tx) => {
    if (await tx.get(keys.emailUnprocessed(userId, emailId)) === null) {
      // Done before, or its mailbox was purged meanwhile: then the index must not keep it.
      if (await tx.get(keys.email(userId, emailId)) === null) return false;
    } else {
      tx.delete(keys.emailUnprocessed(userId, emailId));
      await emitProcessed(tx, service, email, email.parsed?.problem ? "failed" : status);
    }
    service.jobs.complete(tx, job);
    return true;
  }, { prefetch: [keys.emailUnprocessed(userId, emailId)] });
  if (done) return;
  await service.searchIndex.remove(userId, [emailId]);
  await service.semantic?.vectors.remove(userId, [emailId]);
  await service.database.transact((tx) => service.jobs.complete(tx, job));
}
