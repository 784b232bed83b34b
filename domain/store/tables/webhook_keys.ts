/** The keys of webhooks and their deliveries; a part of `keys.ts`. */
type Key = Deno.KvKey;

/** A webhook with its secret: Webhook. */
export const webhook = (userId: string, webhookId: string): Key => ["webhooks", userId, webhookId];
export const webhooks = (userId: string): Key => ["webhooks", userId];
/** How many webhooks an account has, and how many want each event. */
export const webhookSubscribers = (userId: string): Key => ["webhook_subscribers", userId];
/** An event for webhooks, kept as long as it can be replayed. */
export const event = (userId: string, eventId: string): Key => ["events", userId, eventId];
export const events = (userId: string): Key => ["events", userId];
/** One event for one webhook, with its attempts: Delivery. A reader has first read the webhook under its owner. */
export const delivery = (
  webhookId: string,
  deliveryId: string,
): Key => ["deliveries", webhookId, deliveryId];
export const deliveries = (webhookId: string): Key => ["deliveries", webhookId];
/** The id of the one delivery of an event to a webhook. */
export const deliveryOnce = (
  webhookId: string,
  eventId: string,
): Key => ["deliveries_once", webhookId, eventId];
export const deliveriesOnce = (webhookId: string): Key => ["deliveries_once", webhookId];
