import { purgeDrafts } from "./remove_drafts.ts";
import { purge } from "../lifecycle/apply.ts";
import { rawOfDamaged, storedEmail, storedEmailKeys } from "../record/read_email.ts";
import { sweepThreads } from "../record/threads/sweep_threads.ts";
import { deleteRows } from "../record/write_email.ts";
import type { Service } from "../../core/service.ts";
import { releaseBlob } from "../../store/blobs/blob_release.ts";
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
  const ofMailbox = [
    ...[keys.threadsOfSubjects, keys.emailCheckpoints, keys.mailboxStatsShards],
    keys.importedEmails,
    ...[keys.arrivalWindows, keys.claims, keys.claimsDue, keys.openExpectations],
  ];
  for (const rowsOf of ofMailbox) {
    await removeRows(service.database, { prefix: rowsOf(userId, mailboxId) });
  }
  const named = [
    keys.claimsById,
    keys.expectations,
    keys.expectedEmails,
    keys.arrivals,
    keys.events,
  ];
  for (const rowsOf of named) {
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
    tx.delete(keys.mailboxProfile(userId, mailboxId));
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
  const there = emails.filter((email) => email !== null);
  return await service.database.transact(async (tx) => {
    let removed = 0;
    for (const emailId of emailIds) {
      const email = await storedEmail(tx, userId, emailId);
      if (email === null) {
        // Its rows may be damaged: then they go without giving storage back.
        const raw = await rawOfDamaged(tx, userId, emailId);
        if (raw) await releaseBlob(tx, service, userId, raw);
        else tx.delete(keys.blobChunk(emailId, 0));
        for (const key of storedEmailKeys(userId, emailId)) tx.delete(key);
        tx.delete(keys.emailByMailbox(userId, mailboxId, emailId));
        continue;
      }
      deleteRows(tx, email);
      await purge(tx, service, { ...email, isSent: email.direction === "outbound" });
      removed++;
    }
    return removed;
  }, {
    prefetch: [
      ...emailIds.flatMap((emailId) => storedEmailKeys(userId, emailId)),
      ...there.filter(({ raw }) => raw.chunks > 1).map(({ raw }) => keys.blobOwners(raw.blobId)),
      ...there.filter(({ direction }) => direction === "outbound")
        .map(({ emailId }) => keys.outgoing(userId, emailId)),
    ],
  });
}
