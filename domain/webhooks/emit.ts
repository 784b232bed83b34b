import { idOfChange } from "../changes/read_changes.ts";
import { type DraftEventName, draftEvents } from "../core/draft_events.ts";
import type { Service } from "../core/service.ts";
import type { Database, Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { type Delivery, deliveryKeptMs, newDelivery, type StoredEvent } from "./delivery.ts";
import {
  type DraftEventData,
  eventBody,
  eventId,
  type EventName,
  type EventPayload,
  type WebhookEvent,
} from "./events.ts";
import {
  countAgain,
  hears,
  readSubscribers,
  type Webhook,
  webhooksOf,
  withPresentState,
} from "./webhook.ts";

type FanOut = Pick<Service, "database" | "jobs" | "clock" | "ids">;

/** Deliveries that one commit writes, each with three checks at most: an account may have any number of webhooks. */
const webhooksPerCommit = 25;

/**
 * Deliveries refer to the event. It is kept 38 hours longer than they are, the time of an extended schedule, because
 * one may be replayed on its last day.
 */
const eventKeptMs = deliveryKeptMs + 2 * 86_400_000;

/**
 * Emits an event to the account's webhooks, in the transaction of the change. Nothing is built or written if no webhook
 * wants it. An event that is emitted twice is delivered once.
 */
export async function emit(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  userId: string,
  name: EventName,
  build: () => Promise<StoredEvent | null>,
): Promise<void> {
  const known = await readSubscribers(tx, userId);
  if (known && !known.wanting[name]) return;
  const event = await build();
  if (!event) return;
  writeEvent(tx, userId, event);
  const { eventId } = event;
  jobs.add(tx, "fan_out_event", { userId, eventId });
}

export function storedEvent(
  event: WebhookEvent,
  about: { emailId?: string; mailboxId?: string; follows?: string },
): StoredEvent {
  return {
    eventId: event.id,
    name: event.name,
    emailId: about.emailId ?? null,
    mailboxId: about.mailboxId ?? null,
    body: eventBody(event),
    follows: about.follows ?? null,
    fannedOut: false,
    followers: [],
  };
}

export function writeEvent(tx: Tx, userId: string, event: StoredEvent): void {
  tx.set(keys.event(userId, event.eventId), event, { expireInMs: eventKeptMs });
}

/**
 * Gives every webhook that wants the event a delivery and its job. May run twice: a webhook has one
 * delivery an event (deliveries_once).
 */
export async function fanOut(service: FanOut, job: Job<"fan_out_event">): Promise<void> {
  const { userId, eventId } = job.payload;
  const event = await service.database.get<StoredEvent>(keys.event(userId, eventId));
  if (!event || event.fannedOut) {
    await service.database.transact((tx) => service.jobs.complete(tx, job));
    return;
  }
  if (await waitsForAnother(service, job, event)) return;
  await nameChange(service.database, userId, event);
  await countAgain(service.database, userId);
  const all = await webhooksOf(service.database, userId);
  const now = service.clock.now();
  const known = await Promise.all(all.map((each) => withPresentState(service.database, each, now)));
  const webhooks = known.filter((each) => hears(each, event.name, event.mailboxId));
  const pages = service.database.forCommits(webhooks, webhooksPerCommit, 3);
  const last = pages.pop() ?? [];
  // At the same time, so that they share commits; the last one records that all are written.
  await Promise.all(pages.map((page) => give(service, userId, event, page, () => {})));
  await give(service, userId, event, last, (tx, current) => {
    if (current) writeEvent(tx, userId, { ...current, fannedOut: true, followers: [] });
    for (const follower of current?.followers ?? []) {
      service.jobs.add(tx, "fan_out_event", { userId, eventId: follower });
    }
    service.jobs.complete(tx, job);
  });
}

/**
 * Writes the id of the change into the event of a draft, before the first attempt. The id is made of the commit that has
 * both, so it is unknown in this commit.
 */
async function nameChange(database: Database, userId: string, event: StoredEvent): Promise<void> {
  if (!isOneOfDrafts(event.name)) return;
  const payload = JSON.parse(event.body) as EventPayload;
  const { change_id, draft_id } = payload.data as DraftEventData;
  if (change_id) return;
  const found = await idOfChange(
    database,
    userId,
    (change) =>
      change.event === event.name && change.draftId === draft_id &&
      eventId(event.name, draft_id, String(change.revision)) === event.eventId,
  );
  if (found === null) return;
  const body = JSON.stringify({ ...payload, data: { ...payload.data, change_id: found } });
  const key = keys.event(userId, event.eventId);
  await database.transact(async (tx) => {
    const current = await tx.get<StoredEvent>(key);
    if (current && !current.fannedOut) writeEvent(tx, userId, { ...current, body });
  });
}

function isOneOfDrafts(name: EventName): name is DraftEventName {
  return (draftEvents as readonly string[]).includes(name);
}

/** Whether the event that must come first has no deliveries yet: the commit that writes them adds this job again. */
async function waitsForAnother(
  { database, jobs }: FanOut,
  job: Job<"fan_out_event">,
  { eventId, follows }: StoredEvent,
): Promise<boolean> {
  if (follows === null) return false;
  const key = keys.event(job.payload.userId, follows);
  const first = await database.get<StoredEvent>(key);
  if (!first || first.fannedOut) return false;
  return await database.transact(async (tx) => {
    const current = await tx.get<StoredEvent>(key);
    if (!current || current.fannedOut) return false;
    const followers = [...current.followers, eventId];
    writeEvent(tx, job.payload.userId, { ...current, followers });
    jobs.complete(tx, job);
    return true;
  });
}

/** Gives the webhooks a delivery of the event in one commit, unless the event was removed with its mailbox. */
async function give(
  service: FanOut,
  userId: string,
  event: StoredEvent,
  webhooks: Webhook[],
  finish: (tx: Tx, current: StoredEvent | null) => void,
): Promise<void> {
  const once = webhooks.map((each) => keys.deliveryOnce(each.webhookId, event.eventId));
  const prefetch = [
    ...once,
    keys.event(userId, event.eventId),
    ...await readBefore(service.database, event, webhooks),
  ];
  await service.database.transact(async (tx) => {
    const current = await tx.get<StoredEvent>(keys.event(userId, event.eventId));
    for (const [i, webhook] of current ? webhooks.entries() : []) {
      if (await tx.get<string>(once[i]) !== null) continue;
      const delivery = newDelivery(service, event);
      tx.set(once[i], delivery.deliveryId, { expireInMs: deliveryKeptMs });
      tx.set(keys.delivery(webhook.webhookId, delivery.deliveryId), delivery, {
        expireInMs: deliveryKeptMs,
      });
      if (await isHeldBack(tx, webhook, event, delivery)) continue;
      const { webhookId } = webhook, { deliveryId, eventId } = delivery;
      service.jobs.add(tx, "deliver_webhook", { userId, webhookId, deliveryId, eventId });
    }
    finish(tx, current);
  }, { prefetch });
}

/** Reads the rows of the earlier event that `isHeldBack` will need, together with those of other callers. */
async function readBefore(
  database: Database,
  { follows }: StoredEvent,
  webhooks: Webhook[],
): Promise<Deno.KvKey[]> {
  if (follows === null) return [];
  const once = webhooks.map((each) => keys.deliveryOnce(each.webhookId, follows));
  const ids = await database.getMany<string>(once);
  const found = ids.flatMap((id, i) =>
    id === null ? [] : [keys.delivery(webhooks[i].webhookId, id)]
  );
  return [...once, ...found];
}

/**
 * Whether the first attempt of the earlier event on this webhook is still to come: the commit that records that attempt
 * adds the job of this delivery.
 */
async function isHeldBack(
  tx: Tx,
  { webhookId }: Webhook,
  { follows }: StoredEvent,
  { deliveryId, eventId }: Delivery,
): Promise<boolean> {
  if (follows === null) return false;
  const firstId = await tx.get<string>(keys.deliveryOnce(webhookId, follows));
  if (firstId === null) return false;
  const first = await tx.get<Delivery>(keys.delivery(webhookId, firstId));
  if (!first || first.status !== "pending" || first.attemptCount > 0) return false;
  const held = { ...first, followers: [...first.followers, { deliveryId, eventId }] };
  tx.set(keys.delivery(webhookId, firstId), held, { expireInMs: deliveryKeptMs });
  return true;
}
