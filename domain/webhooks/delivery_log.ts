import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import {
  type Delivery,
  deliveryKeptMs,
  deliveryRecord,
  deliveryRecordOf,
  newDelivery,
} from "./delivery.ts";
import { eventName } from "./events.ts";
import { storedEvent, writeEvent } from "./emit.ts";
import { sampleEvent } from "./sample_event.ts";
import { readWebhook, requireReading } from "./webhook.ts";
import type { Caller } from "../core/caller.ts";

const webhookId = z.string().min(1);

export const listDeliveries = operation({
  name: "list_webhook_deliveries",
  title: "List a webhook's deliveries",
  description: "What was sent to a webhook in the last 30 days, newest first, with every attempt.",
  scope: "webhooks:write",
  input: z.object({
    webhook_id: webhookId,
    limit: z.coerce.number().int().min(1).max(100).default(20).describe("deliveries a page"),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    deliveries: z.array(deliveryRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, limit, cursor }) {
    await readWebhook(service.database, caller, webhook_id);
    const end = cursor === undefined ? undefined : decodeCursor(cursor, ["string"])[0];
    const rows = await service.database.collect<Delivery>(
      keys.range(keys.deliveries(webhook_id), { end }),
      { reverse: true, limit: limit + 1 },
    );
    const live = rows.map((row) => row.value).filter((each) => isKept(service, each));
    const page = live.slice(0, limit);
    const more = live.length > limit;
    return {
      deliveries: page.map(deliveryRecordOf),
      has_more: more,
      next_cursor: more ? encodeCursor([page[page.length - 1].deliveryId]) : null,
    };
  },
});

export const replayDelivery = operation({
  name: "replay_webhook_delivery",
  title: "Replay a delivery",
  description:
    "Sends a delivery again: the same event id and the same bytes, up to three attempts, " +
    "even if the webhook is inactive. A pending one stays as it is. For `email.*` events a key needs `emails:read`.",
  scope: "webhooks:write",
  input: z.object({ webhook_id: webhookId, delivery_id: z.string().min(1) }),
  output: deliveryRecord,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, delivery_id }) {
    const key = keys.delivery(webhook_id, delivery_id);
    return await service.database.transact(async (tx) => {
      const { url } = await readWebhook(tx, caller, webhook_id);
      const delivery = await tx.get<Delivery>(key);
      if (!delivery || !isKept(service, delivery)) throw notFound("delivery");
      requireReading(caller, [delivery.event]);
      if (delivery.status === "pending") return deliveryRecordOf(delivery);
      const again: Delivery = { ...delivery, status: "pending", round: 0, forcedTo: url };
      begin(tx, service, caller, webhook_id, again);
      return deliveryRecordOf(again);
    });
  },
});

export const testWebhook = operation({
  name: "test_webhook",
  title: "Send a test event",
  description:
    "Sends a made-up event to a webhook, active or not, signed and logged like a real one. " +
    "Its ids begin with `test_`.",
  scope: "webhooks:write",
  input: z.object({
    webhook_id: webhookId,
    event: eventName.optional().describe("default: the first that the webhook wants"),
  }),
  output: deliveryRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, event }) {
    return await service.database.transact(async (tx) => {
      const webhook = await readWebhook(tx, caller, webhook_id);
      const now = new Date(service.clock.now());
      const sample = sampleEvent(event ?? webhook.events[0], service.ids.random(), now);
      writeEvent(tx, caller.userId, { ...storedEvent(sample, {}), fannedOut: true });
      const delivery = newDelivery(service, { eventId: sample.id, name: sample.name }, webhook.url);
      begin(tx, service, caller, webhook_id, delivery);
      return deliveryRecordOf(delivery);
    });
  },
});

function begin(tx: Tx, service: Service, caller: Caller, webhookId: string, delivery: Delivery) {
  const { deliveryId, eventId } = delivery;
  tx.set(keys.delivery(webhookId, deliveryId), delivery, { expireInMs: deliveryKeptMs });
  const payload = { userId: caller.userId, webhookId, deliveryId, eventId };
  service.jobs.add(tx, "deliver_webhook", payload);
}

/** Deno KV removes expired rows late. */
function isKept(service: Service, delivery: Delivery): boolean {
  return delivery.expiresAt > service.clock.now();
}
