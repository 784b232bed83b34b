import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { countAgain, dependsOn, replaceWebhook, type Webhook, webhooksOf } from "./webhook.ts";
import { type ApiKey, removeApiKeys } from "../accounts/api_key.ts";
import { endUploads } from "../uploads/upload.ts";

/** Each is one check. */
const webhooksPerCommit = 40;

/**
 * Cleans up after a key that was revoked, or a grant, which makes no keys. All keys and uploads that it made, and all
 * webhooks that depend on it, are dead since its row was removed (issuer_chain.ts). This removes the keys and uploads, and
 * makes the webhooks inactive. The loop runs until it finds no key, because a key can make another one until its own row
 * is removed.
 */
export async function endKey(
  { database, jobs }: Pick<Service, "database" | "jobs">,
  job: Job<"end_key">,
): Promise<void> {
  const { userId, keyId } = job.payload;
  for (;;) {
    const all = await database.collect<ApiKey>({ prefix: keys.apiKeys(userId) });
    const made = all.filter(({ value }) => value?.makers?.includes(keyId));
    if (made.length === 0) break;
    await removeApiKeys(database, made);
  }
  await endUploads({ database, jobs }, userId, ({ makers }) => makers.includes(keyId));
  await countAgain(database, userId);
  const webhooks = await webhooksOf(database, userId);
  const isEnded = (webhook: Webhook) => webhook.active && dependsOn(webhook).includes(keyId);
  const ended = webhooks.filter(isEnded);
  for (const some of database.forCommits(ended, webhooksPerCommit, 1)) {
    await database.transact(async (tx) => {
      for (const { webhookId } of some) {
        const webhook = await tx.get<Webhook>(keys.webhook(userId, webhookId));
        // It was deleted meanwhile, or another key or session has made it its own.
        if (!webhook || !isEnded(webhook)) continue;
        await replaceWebhook(tx, userId, webhook, { ...webhook, active: false });
      }
    });
  }
  await database.transact((tx) => jobs.complete(tx, job));
}
