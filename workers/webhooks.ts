import type { Job } from "../domain/store/jobs.ts";
import { deliver } from "../domain/webhooks/deliver.ts";
import { type DeliverWebhook, deliverWebhookJob } from "../domain/webhooks/delivery.ts";
import { fanOut, type FanOutEvent, fanOutEventJob } from "../domain/webhooks/emit.ts";
import { type PurgeWebhook, purgeWebhook, purgeWebhookJob } from "../domain/webhooks/purge.ts";
import { DeliveryQueue } from "./delivery_queue.ts";
import type { Worker } from "./dispatch.ts";

/** From an event to its receivers, and what a deleted webhook leaves behind. */
export const webhookWorkers: Worker[] = [
  {
    kind: fanOutEventJob,
    concurrency: 32,
    run: (service, [job]) => fanOut(service, job as Job<FanOutEvent>),
  },
  {
    kind: deliverWebhookJob,
    // The queue knows better than one number.
    concurrency: Infinity,
    queue: () => new DeliveryQueue(),
    run: (service, [job]) => deliver(service, job as Job<DeliverWebhook>),
  },
  {
    kind: purgeWebhookJob,
    concurrency: 1,
    run: (service, [job]) => purgeWebhook(service, job as Job<PurgeWebhook>),
  },
];
