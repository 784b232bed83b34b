import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import {
  type Delivery,
  deliveryKeptMs,
  deliveryRecord,
  deliveryRecordOf,
  deliveryStatuses,
  fullDeliveryRecord,
  fullDeliveryRecordOf,
  newDelivery,
} from "./delivery.ts";
import { eventName } from "./events.ts";
import { storedEvent, writeEvent } from "./emit.ts";
import type { StoredEvent } from "./delivery.ts";
import { testEvent } from "./sample_event.ts";
import { postedBody } from "./slack_form.ts";
import { mayRead, readWebhook, requireReading } from "./webhook.ts";
import { type Caller, seesMailbox } from "../core/caller.ts";

const webhookId = z.string().min(1);
const oneDelivery = z.object({ webhook_id: webhookId, delivery_id: z.string().min(1) });

/** A page reads at most this many rows, because few may match its filter. A row has up to 50 attempts, 10 KiB. */
const maxScannedRows = 2_000;

export const listDeliveries = operation({
  name: "list_webhook_deliveries",
  title: "List a webhook's deliveries",
  description:
    "What was sent to a webhook in the last 30 days, newest first, with every attempt. " +
    "A page may have fewer rows than `limit`, or none, and still a next_cursor.",
  scope: "webhooks:write",
  audit: "none",
  input: z.object({
    webhook_id: webhookId,
    status: z.enum(deliveryStatuses).optional().describe("only deliveries in this state"),
    limit: z.int().min(1).max(100).default(20).describe("deliveries a page"),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    deliveries: z.array(deliveryRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, status, limit, cursor }) {
    const { url } = await readWebhook(service.database, caller, webhook_id);
    const end = cursor === undefined ? undefined : decodeCursor(cursor, ["id"])[0];
    const deliveries: z.input<typeof deliveryRecord>[] = [];
    let scanned = 0;
    let last: string | null = null;
    let more = false;
    const selector = keys.range(keys.deliveries(webhook_id), { end });
    for await (
      const { key, value: row } of service.database.list<Delivery>(selector, {
        reverse: true,
        batchSize: status === undefined ? limit + 1 : 200,
      })
    ) {
      const matches = row && isShown(service, caller, row) && (!status || row.status === status);
      more = scanned++ >= maxScannedRows || (matches && deliveries.length === limit);
      if (more) break;
      last = String(key.at(-1));
      if (!matches) continue;
      const about = { table: "deliveries", id: last };
      deliveries.push(...skipDamaged(service.log, about, () => [deliveryRecordOf(row, url)]) ?? []);
    }
    return {
      deliveries,
      has_more: more,
      next_cursor: more && last ? encodeCursor([last]) : null,
    };
  },
});

export const getDelivery = operation({
  name: "get_webhook_delivery",
  title: "Get a delivery",
  description:
    "One delivery of a webhook, with what was sent and what came back at each attempt. Kept 30 days.",
  scope: "webhooks:write",
  audit: "none",
  input: oneDelivery,
  output: fullDeliveryRecord,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, delivery_id }) {
    const webhook = await readWebhook(service.database, caller, webhook_id);
    const delivery = await service.database.get<Delivery>(keys.delivery(webhook_id, delivery_id));
    if (!delivery || !isShown(service, caller, delivery)) throw notFound("delivery");
    const event = mayRead(caller, [delivery.event])
      ? await service.database.get<StoredEvent>(keys.event(caller.userId, delivery.eventId))
      : null;
    const payload = event && postedBody(service, webhook, event);
    return fullDeliveryRecordOf(delivery, webhook.url, payload);
  },
});

export const replayDelivery = operation({
  name: "replay_webhook_delivery",
  title: "Replay a delivery",
  description:
    "Sends a delivery again: the same event id and the same bytes, with all attempts of the webhook's `retry`, " +
    "even if the webhook is inactive. A pending one stays as it is. For `email.*` events a key needs `emails:read`.",
  scope: "webhooks:write",
  audit: "change",
  input: oneDelivery,
  output: deliveryRecord,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, delivery_id }, call) {
    const key = keys.delivery(webhook_id, delivery_id);
    return await service.database.transact(async (tx) => {
      const { url } = await readWebhook(tx, caller, webhook_id);
      const delivery = await tx.get<Delivery>(key);
      if (!delivery || !isShown(service, caller, delivery)) throw notFound("delivery");
      requireReading(caller, [delivery.event]);
      if (delivery.status === "pending") return deliveryRecordOf(delivery, url);
      const again: Delivery = { ...delivery, status: "pending", round: 0, forcedTo: url };
      begin(tx, service, caller, webhook_id, again);
      call.audit({}, tx);
      return deliveryRecordOf(again, url);
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
  audit: "change",
  input: z.object({
    webhook_id: webhookId,
    event: eventName.optional().describe("default: the first that the webhook wants"),
  }),
  output: deliveryRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { webhook_id, event: name }, call) {
    return await service.database.transact(async (tx) => {
      const webhook = await readWebhook(tx, caller, webhook_id);
      const now = new Date(service.clock.now());
      const sample = testEvent(name ?? webhook.events[0], service.ids.random(), now);
      const event = { ...storedEvent(sample, {}), fannedOut: true };
      writeEvent(tx, caller.userId, event);
      const delivery = newDelivery(service, event, webhook.url);
      begin(tx, service, caller, webhook_id, delivery);
      call.audit({}, tx);
      return deliveryRecordOf(delivery, webhook.url);
    });
  },
});

function begin(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  { userId }: Caller,
  webhookId: string,
  delivery: Delivery,
) {
  const { deliveryId, eventId } = delivery;
  tx.set(keys.delivery(webhookId, deliveryId), delivery, { expireInMs: deliveryKeptMs });
  jobs.add(tx, "deliver_webhook", { userId, webhookId, deliveryId, eventId });
}

/**
 * Whether the caller, who sees the webhook, may see this delivery. False after 30 days (Deno KV removes expired rows
 * late). False for a limited key if the delivery is about another mailbox: the webhook was limited to those of the key
 * only later.
 */
function isShown(
  { clock }: Pick<Service, "clock">,
  caller: Caller,
  { expiresAt, mailboxId }: Delivery,
): boolean {
  if (expiresAt <= clock.now()) return false;
  return !caller.mailboxIds || mailboxId === null || seesMailbox(caller, mailboxId);
}
