import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { removeKeys, removeRows } from "../store/row_ranges.ts";
import type { Delivery } from "./delivery.ts";

const rowsPerCommit = 200;

/**
 * Removes the deliveries of events of a deleted mailbox, on all webhooks of the account. The events must be removed before,
 * so that no job writes another delivery.
 */
export async function purgeDeliveries(
  { database }: Pick<Service, "database">,
  userId: string,
  mailboxId: string,
): Promise<void> {
  for (const { key: [, , id] } of await database.collect({ prefix: keys.webhooks(userId) })) {
    const webhookId = String(id);
    const gone: Deno.KvKey[] = [];
    const rows = database.list<Delivery>({ prefix: keys.deliveries(webhookId) });
    for await (const { key, value: delivery } of rows) {
      if (delivery.mailboxId !== mailboxId) continue;
      gone.push(key, keys.deliveryOnce(webhookId, delivery.eventId));
    }
    for (const some of database.forCommits(gone, rowsPerCommit)) await removeKeys(database, some);
  }
}

/**
 * Removes what a deleted webhook leaves behind. Its deliveries under way find it gone and end; a row
 * that one of them writes late expires with the delivery log.
 */
export async function purgeWebhook(
  { database, jobs }: Pick<Service, "database" | "jobs">,
  job: Job<"purge_webhook">,
): Promise<void> {
  const { webhookId } = job.payload;
  for (const prefix of [keys.deliveries(webhookId), keys.deliveriesOnce(webhookId)]) {
    await removeRows(database, { prefix });
  }
  await database.transact((tx) => jobs.complete(tx, job));
}
