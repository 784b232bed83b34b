import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";

const rowsPerCommit = 200;

/**
 * Removes what a deleted webhook leaves behind. Its deliveries under way find it gone and end; a row
 * that one of them writes late expires with the delivery log.
 */
export async function purgeWebhook(service: Service, job: Job<"purge_webhook">): Promise<void> {
  const { database } = service;
  const { webhookId } = job.payload;
  for (const prefix of [keys.deliveries(webhookId), keys.deliveriesOnce(webhookId)]) {
    while (true) {
      const rows = await database.collect({ prefix }, { limit: rowsPerCommit });
      await database.transact((tx) => rows.forEach((row) => tx.delete(row.key)));
      if (rows.length < rowsPerCommit) break;
    }
  }
  await database.transact((tx) => service.jobs.complete(tx, job));
}
