import { type ApiKey, removeApiKeys } from "../accounts/api_key.ts";
import type { Service } from "../core/service.ts";
import { releaseAddress } from "../mailboxes/address_claims.ts";
import type { Mailbox } from "../mailboxes/mailbox.ts";
import { removeMail } from "../mail/manage/purge_mailbox.ts";
import { unsentEmail } from "../mail/record/unsent_email.ts";
import { releaseBlob } from "../store/blobs/blob_release.ts";
import { forgetExpiring } from "../store/expiry.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { removeRows } from "../store/row_ranges.ts";
import { endUploads } from "../uploads/upload.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import type { CustomDomain, DomainClaim } from "../custom_domains/custom_domain.ts";
import { removeNamed, removeTables } from "./account_rows.ts";

/** This many ms after the end, all requests and jobs that had begun before it have ended. */
const lastPassMs = 90_000;

/**
 * Removes everything of an account that has ended except the holds of its addresses, in commits of at most 200 rows. It
 * runs twice: the second pass, 90 s after the end, removes what requests and jobs still wrote after it. If the process
 * is killed, the next run continues.
 */
export async function purgeAccount(service: Service, job: Job<"purge_account">): Promise<void> {
  const { database, clock, jobs, log } = service;
  const { userId, endedAt } = job.payload;
  const emails = await removeMailboxes(service, userId);
  await removeUnsent(service, userId);
  await endUploads(service, userId);
  const webhookIds = await removeDeliveries(service, userId);
  await removeApiKeys(database, await allOf<ApiKey>(service, keys.apiKeys(userId)));
  await freeDomains(service, userId);
  await service.searchIndex.removeAccount(userId);
  // Clean-up jobs stay: only they know what is left to remove. They end by themselves.
  const { removed, left } = await removeNamed(service, userId, job.jobId);
  // Before the webhooks are removed: the keys of deliveries contain the webhook, not the account.
  const ids = new Set<Deno.KvKeyPart>([userId, ...webhookIds, ...removed]);
  await forgetExpiring(database, (key) => key.some((part) => ids.has(part)));
  await removeTables(database, userId);
  const next = left > 0 ? clock.now() + lastPassMs : endedAt + lastPassMs;
  const isLast = left === 0 && clock.now() >= endedAt + lastPassMs;
  await database.transact((tx) => {
    tx.delete(keys.rateWindows("account", userId));
    if (isLast) jobs.complete(tx, job);
    else jobs.putOff(tx, job, next, { attempts: 0 });
  });
  log.info("account.purged", { user_id: userId, emails, last: isLast });
}

/** Removes the mail of every mailbox, and then the mailbox, whose address is held from then on. Returns how many emails. */
async function removeMailboxes(service: Service, userId: string): Promise<number> {
  const { database } = service;
  let emails = 0;
  for (const { value: mailbox } of await allOf<Mailbox>(service, keys.mailboxes(userId))) {
    emails += await removeMail(service, userId, mailbox.mailboxId);
    await database.transact(async (tx) => {
      const current = await tx.get<Mailbox>(keys.mailbox(userId, mailbox.mailboxId));
      if (!current) return;
      await releaseAddress(tx, service, current);
      tx.delete(keys.mailbox(userId, mailbox.mailboxId));
    });
  }
  // Mailboxes that were deleted shortly before; their own purge still runs.
  for (;;) {
    const [row] = await database.collect({ prefix: keys.mailOfMailboxes(userId) }, { limit: 1 });
    if (!row) return emails;
    emails += await removeMail(service, userId, String(row.key[2]));
  }
}

/** Removes mail that was deleted while it was being sent. */
async function removeUnsent(service: Service, userId: string): Promise<void> {
  for (const { key } of await allOf(service, keys.emailsUnsent(userId))) {
    const email = await unsentEmail(service.database, userId, String(key[2]));
    await service.database.transact(async (tx) => {
      if (await tx.get(key) === null) return;
      tx.delete(key);
      if (email) await releaseBlob(tx, service, userId, email.raw);
    });
  }
}

/** Removes the deliveries of all webhooks. Returns the ids of the webhooks. */
async function removeDeliveries(service: Service, userId: string): Promise<string[]> {
  const webhooks = await allOf<Webhook>(service, keys.webhooks(userId));
  for (const { value: { webhookId } } of webhooks) {
    await removeRows(service.database, { prefix: keys.deliveries(webhookId) });
    await removeRows(service.database, { prefix: keys.deliveriesOnce(webhookId) });
  }
  return webhooks.map(({ value }) => value.webhookId);
}

async function freeDomains(service: Service, userId: string): Promise<void> {
  for (const { value } of await allOf<CustomDomain>(service, keys.customDomains(userId))) {
    const key = keys.customDomainVerified(value.name);
    await service.database.transact(async (tx) => {
      // Another account may have proved it since.
      if ((await tx.get<DomainClaim>(key))?.userId === userId) tx.delete(key);
    });
  }
}

async function allOf<Row>({ database }: Service, prefix: Deno.KvKey) {
  return await database.collect<Row>({ prefix });
}
