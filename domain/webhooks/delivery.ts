import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { emailId } from "../core/email_id.ts";
import type { Service } from "../core/service.ts";
import { type EventName, eventName } from "./events.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one webhook, with the log of its attempts. Kept 30 days. */
export interface Delivery {
  deliveryId: string;
  eventId: string;
  event: EventName;
  /** The email and its mailbox; null if the event is about none. */
  emailId: string | null;
  mailboxId: string | null;
  status: DeliveryStatus;
  /** Where the last attempt went; absent before it. */
  url?: string;
  /** The newest 50 attempts: a delivery may be replayed any number of times. */
  attempts: Attempt[];
  /** The number of all attempts; X-Service-Attempt of the next one is one more. */
  attemptCount: number;
  /** Attempts since the delivery was begun or replayed; how many are made: `retryDelayMs`. */
  round: number;
  /**
   * For a replay or a test, the URL that the webhook had at the request. The delivery goes only there, even if the
   * webhook is inactive or no longer wants the event.
   */
  forcedTo?: string;
  /** Deliveries of this webhook that wait for this one's first attempt. */
  followers: { deliveryId: string; eventId: string }[];
  createdAt: number;
  expiresAt: number;
}

export interface Attempt {
  at: number;
  /** null if no answer came. */
  httpStatus: number | null;
  /** null if it succeeded. */
  error: string | null;
  durationMs: number;
  /** The beginning of the receiver's answer. Only in the newest attempts. */
  answer?: string;
}

/** How many answers a row keeps, of up to 1,024 characters each: the row stays far below the 64 KiB of a value. */
const answersKept = 10;

/** The attempts of a row with one more; the oldest ones are dropped. */
export function withAttempt(attempts: readonly Attempt[], attempt: Attempt): Attempt[] {
  return [...attempts, attempt].slice(-maxAttemptsShown).map((each, n, { length }) => {
    if (n >= length - answersKept) return each;
    const { answer: _, ...bare } = each;
    return bare;
  });
}

const maxAttemptsShown = 50;

/** The delivery log goes back 30 days. */
export const deliveryKeptMs = 30 * 86_400_000;

export function newDelivery(
  { clock, ids }: Pick<Service, "clock" | "ids">,
  event: Pick<StoredEvent, "eventId" | "name" | "emailId" | "mailboxId">,
  forcedTo?: string,
): Delivery {
  const now = clock.now();
  return {
    deliveryId: ids.timed(now),
    eventId: event.eventId,
    event: event.name,
    emailId: event.emailId,
    mailboxId: event.mailboxId,
    status: "pending",
    attempts: [],
    attemptCount: 0,
    round: 0,
    forcedTo,
    followers: [],
    createdAt: now,
    expiresAt: now + deliveryKeptMs,
  };
}

const attemptFields = {
  at: timestampField,
  http_status: z.number().int().nullable().describe("null if no answer came"),
  error: z.string().nullable().describe("null if it was delivered"),
  duration_ms: z.number().int(),
};
const deliveryAttempt = z.object(attemptFields).meta({ id: "DeliveryAttempt" });

/** A row of the delivery log. */
export const deliveryRecord = z.object({
  delivery_id: z.string(),
  event: eventName,
  event_id: z.string().describe("The `webhook-id` header, the same in every attempt and replay"),
  email_id: emailId.nullable().describe("The email that it is about; null for a test event"),
  created_at: timestampField,
  url: z.string().describe("Where its last attempt went, or the next one goes"),
  status: z.enum(deliveryStatuses).describe(
    "pending until an attempt succeeds or the last has failed",
  ),
  attempts: z.array(deliveryAttempt).describe("Oldest first; only the newest 50"),
}).meta({ id: "Delivery", description: "One event on its way to one webhook" });

/** One delivery, with what was sent and what came back. */
export const fullDeliveryRecord = deliveryRecord.extend({
  attempts: z.array(
    z.object({
      ...attemptFields,
      answer: z.string().nullable().describe(
        "The first 1,024 bytes of what the receiver answered, of the newest 10 attempts; null if nothing came or it is not kept",
      ),
    }).meta({ id: "FullDeliveryAttempt" }),
  ).describe("Oldest first; only the newest 50"),
  payload: z.string().nullable().describe(
    "The bytes that are signed and sent, as text; null without the scope `emails:read` if it is about mail",
  ),
}).meta({ id: "FullDelivery", description: "A delivery, with what was sent and what came back" });

/** `webhookUrl`: the present one, which the next attempt goes to. */
export function deliveryRecordOf(
  delivery: Delivery,
  webhookUrl: string,
): z.input<typeof deliveryRecord> {
  return {
    delivery_id: delivery.deliveryId,
    event: delivery.event,
    event_id: delivery.eventId,
    email_id: delivery.emailId,
    created_at: isoTime(delivery.createdAt),
    url: delivery.url ?? delivery.forcedTo ?? webhookUrl,
    status: delivery.status,
    attempts: delivery.attempts.map(attemptRecordOf),
  };
}

function attemptRecordOf(attempt: Attempt) {
  return {
    at: isoTime(attempt.at),
    http_status: attempt.httpStatus,
    error: attempt.error,
    duration_ms: attempt.durationMs,
  };
}

export function fullDeliveryRecordOf(
  delivery: Delivery,
  webhookUrl: string,
  payload: string | null,
): z.input<typeof fullDeliveryRecord> {
  return {
    ...deliveryRecordOf(delivery, webhookUrl),
    attempts: delivery.attempts.map((each) => ({
      ...attemptRecordOf(each),
      answer: each.answer ?? null,
    })),
    payload,
  };
}

/** An event on its way to the webhooks that want it. Kept as long as a delivery of it can be replayed. */
export interface StoredEvent {
  eventId: string;
  name: EventName;
  /** The email it is about; null if it is about none. */
  emailId: string | null;
  /** The mailbox it is about; null if it is about none. */
  mailboxId: string | null;
  /** The bytes that are signed and sent. Stored, so that every attempt and replay has the same. */
  body: string;
  /** On each webhook, the first attempt of that event comes before the first attempt of this one. */
  follows: string | null;
  /** False until every webhook that wants it has its delivery row. */
  fannedOut: boolean;
  /** Events that wait for this one to be fanned out. */
  followers: string[];
}
