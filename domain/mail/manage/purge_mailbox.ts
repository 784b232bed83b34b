import { purgeDrafts } from "./remove_drafts.ts";
import type { Email } from "../record/email.ts";
import { forgetStates } from "../record/forget_states.ts";
import { storedEmail, storedEmailKeys } from "../record/read_email.ts";
import { sweepThreads } from "../record/threads/sweep_threads.ts";
import type { Service } from "../../core/service.ts";
import { BlobRelease } from "../../store/blobs/blob_release.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { removeRows, removeWhere } from "../../store/row_ranges.ts";
import { purgeDeliveries } from "../../webhooks/purge.ts";

/** An email takes three checks and about ten keys: 20 stay well below the 100 checks and 80 KiB of a commit. */
const emailsPerCommit = 20;

/**
 * Removes everything of a deleted mailbox: emails with their bytes and index rows, vectors, delivery ids, threads, sends,
 * drafts, claims, expectations, ledger rows, events and their deliveries. Storage is given back in the commit that removes
 * the bytes. The mailbox has been invisible since its record was deleted. If the process is killed, the next run continues
 * with the rest.
 */
export async function purgeMailbox(service: Service, job: Job<"purge_mailbox">): Promise<void> {
  const { userId, mailboxId } = job.payload;
  const removed = await removeMail(service, userId, mailboxId);
  await removeRows(service.database, { prefix: keys.threadsOfSubjects(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.emailCheckpoints(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.mailboxStatsLanes(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.arrivalWindows(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.claims(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.claimsDue(userId, mailboxId) });
  await removeRows(service.database, { prefix: keys.openExpectations(userId, mailboxId) });
  const byMailbox = [
    keys.claimsById,
    keys.expectations,
    keys.expectedEmails,
    keys.arrivals,
    keys.events,
  ];
  for (const rowsOf of byMailbox) {
    await removeWhere<{ mailboxId: string | null }>(
      service.database,
      rowsOf(userId),
      (row) => row.mailboxId === mailboxId,
    );
  }
  await purgeDeliveries(service, userId, mailboxId);
  await removeWhere<{ output?: { mailbox_id?: string } }>(
    service.database,
    keys.idempotencies(userId),
    (remembered) => remembered.output?.mailbox_id === mailboxId,
  );
  await sweepThreads(service, userId);
  await service.database.transact((tx) => {
    tx.delete(keys.mailboxStats(userId, mailboxId));
    tx.delete(keys.claimMark(userId, mailboxId));
    tx.delete(keys.policy(userId, mailboxId));
    service.jobs.complete(tx, job);
  });
  service.log.info("mailbox.purged", { user_id: userId, mailbox_id: mailboxId, emails: removed });
}

/** Removes the emails of a mailbox, their bytes, index entries and delivery ids, and its drafts. Returns how many emails. */
export async function removeMail(
  service: Service,
  userId: string,
  mailboxId: string,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await service.database.collect(
      { prefix: keys.emailsByMailbox(userId, mailboxId) },
      { limit: service.database.perCommit(emailsPerCommit, 3) },
    );
    if (rows.length === 0) break;
    removed += await removeEmails(
      service,
      userId,
      mailboxId,
      rows.map((row) => String(row.key.at(-1))),
    );
  }
  await service.searchIndex.removeMailbox(userId, mailboxId);
  await service.semantic?.vectors.removeMailbox(userId, mailboxId);
  await removeRows(service.database, { prefix: keys.emailsByDelivery(mailboxId) });
  await purgeDrafts(service, userId, mailboxId);
  return removed;
}

async function removeEmails(
  service: Service,
  userId: string,
  mailboxId: string,
  emailIds: string[],
): Promise<number> {
  const emails = await Promise.all(
    emailIds.map((emailId) => storedEmail(service.database, userId, emailId)),
  );
  const raws = emails.filter((email) => email !== null).map(({ raw }) => raw);
  const blobs = new BlobRelease(service.database);
  await blobs.removeUnshared(raws);
  const removed = await service.database.transact(async (tx) => {
    let removed = 0;
    let bytes = 0;
    const sent: string[] = [];
    for (const emailId of emailIds) {
      const email = await storedEmail(tx, userId, emailId);
      tx.delete(keys.emailByMailbox(userId, mailboxId, emailId));
      if (email === null) {
        // Its rows may be damaged: then they go without giving storage back.
        for (const key of storedEmailKeys(userId, emailId)) tx.delete(key);
        tx.delete(keys.blobChunk(emailId, 0));
        continue;
      }
      await removeEmail(tx, email, blobs);
      if (email.direction === "outbound") sent.push(emailId);
      bytes += email.size;
      removed++;
    }
    await Promise.all(sent.map((emailId) => forgetStates(tx, service, userId, emailId)));
    const storage = keys.storage(userId);
    if (bytes > 0) tx.set(storage, Math.max(0, (await tx.get<number>(storage) ?? 0) - bytes));
    return removed;
  }, {
    prefetch: [
      ...emailIds.flatMap((emailId) => storedEmailKeys(userId, emailId)),
      ...raws.filter(({ chunks }) => chunks > 1).map(({ blobId }) => keys.blobOwners(blobId)),
    ],
  });
  await blobs.end();
  return removed;
}

async function removeEmail(tx: Tx, email: Email, blobs: BlobRelease): Promise<void> {
  const { userId, emailId, threadId, date, raw } = email;
  tx.delete(keys.email(userId, emailId));
  tx.delete(keys.emailDetails(userId, emailId));
  tx.delete(keys.emailByThread(userId, threadId, date, emailId));
  tx.delete(keys.emailProcessing(userId, emailId));
  await blobs.release(tx, raw);
}
