import { hasFilesToIndex } from "./index_attachments.ts";
import type { Service } from "../core/service.ts";
import { type SenderCheck, settleAuth } from "../mail/inbound/check_sender.ts";
import { emitProcessed } from "../mail/record/email_events.ts";
import type { Email } from "../mail/record/email.ts";
import { readRow, type StoredRow } from "../mail/record/email_row.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";

/** How the processing of an email ended (docs/specification.md "Payloads"). */
export type ProcessStatus = "indexed" | "failed";

/**
 * Marks an email processed in the commit that ends its job, and emits `email.processed`; if its sender is not checked yet,
 * the check emits it. An email that was deleted meanwhile is removed from the index. An email whose body could not be read
 * is `failed`, even if it was indexed. `also` writes more in the same commit, if the email is there.
 */
export async function finishEmail(
  service: Service,
  job: Job<"process_email" | "process_large_email" | "embed_email">,
  email: Email,
  { status = "indexed", check = null, also = () => {} }: {
    status?: ProcessStatus;
    check?: SenderCheck | null;
    also?: (tx: Tx) => void;
  } = {},
): Promise<void> {
  const { userId, emailId } = email;
  const unprocessed = keys.emailUnprocessed(userId, emailId);
  const rowKey = keys.email(userId, emailId);
  const done = await service.database.transact(async (tx) => {
    const [waits, stored] = await Promise.all([tx.get(unprocessed), tx.get<StoredRow>(rowKey)]);
    if (stored === null) return false;
    service.jobs.complete(tx, job);
    also(tx);
    if (waits === null) return true;
    tx.delete(unprocessed);
    if (hasFilesToIndex(email)) service.jobs.add(tx, "index_attachments", { userId, emailId });
    const { auth } = settleAuth(tx, service, userId, readRow(emailId, stored), check);
    const result = email.parsed?.problem ? "failed" : status;
    if (auth || email.direction === "outbound") {
      await emitProcessed(tx, service, { ...email, auth }, result);
    } else {
      tx.set(keys.emailUnchecked(userId, emailId), result);
      handOverCheck(tx, service, { userId, emailId }, check);
    }
    return true;
  }, { prefetch: [unprocessed, rowKey] });
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

/** Adds a separate job for a check that has not ended. */
export function handOverCheck(
  tx: Tx,
  service: Service,
  { userId, emailId }: { userId: string; emailId: string },
  check: SenderCheck | null,
): void {
  const facts = check?.auth ? null : check?.facts;
  if (facts) service.jobs.add(tx, "check_sender", { userId, emailId, facts });
}
