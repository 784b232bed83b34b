import { countActivity } from "../activity/counters.ts";
import { issuersLive } from "../accounts/issuer_chain.ts";
import type { WebhookAnswer, WebhookFailure } from "../ports/webhook_target.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { type Attempt, type Delivery, deliveryKeptMs, withAttempt } from "./delivery.ts";
import type { StoredEvent } from "./delivery.ts";
import { retryDelayMs } from "./retry.ts";
import { signatureHeaders } from "./signature.ts";
import { dependsOn, hears, type Webhook } from "./webhook.ts";

/** The time in which a receiver must answer, name resolution and TLS included. */
const answerWithinMs = 10_000;

/**
 * Makes the next attempt of a delivery and records it together with what follows: done, failed, or the next attempt's
 * time. If the process dies between the answer and the record, the attempt is made again, with the same `webhook-id`: a
 * delivery can come twice, but is never lost.
 */
export async function deliver(service: Service, job: Job<"deliver_webhook">): Promise<void> {
  const { userId, webhookId, deliveryId, eventId } = job.payload;
  const [delivery, webhook, event, user] = await service.database.getMany<unknown>([
    keys.delivery(webhookId, deliveryId),
    keys.webhook(userId, webhookId),
    keys.event(userId, eventId),
    keys.user(userId),
  ]) as [Delivery | null, Webhook | null, StoredEvent | null, unknown];
  const wanted = user !== null && webhook !== null && event !== null &&
    delivery?.status === "pending" &&
    isFor(webhook, delivery, event) &&
    await issuersLive(service.database, userId, dependsOn(webhook), service.clock.now());
  if (!wanted) return await drop(service, job);
  const startedAt = service.clock.now();
  const outcome = await service.webhookTarget.post({
    url: webhook.url,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": `Letterbox/${service.version}`,
      ...signatureHeaders({
        secret: webhook.secret,
        eventId: event.eventId,
        attempt: delivery.attemptCount + 1,
        at: new Date(startedAt),
        body: event.body,
      }),
    },
    body: event.body,
    timeoutMs: answerWithinMs,
  });
  await record(service, job, webhook, attemptOf(startedAt, outcome));
}

/**
 * Whether the delivery may still go to the webhook's URL. A key without `emails:read` can change the URL if the webhook
 * no longer subscribes to mail; a limited key, if it no longer gets events of other mailboxes. Earlier deliveries must
 * not go to the new URL.
 */
function isFor(webhook: Webhook, { forcedTo }: Delivery, event: StoredEvent): boolean {
  return forcedTo === undefined
    ? hears(webhook, event.name, event.mailboxId)
    : forcedTo === webhook.url;
}

/** Any 2xx is a success. Every other answer is a failure, also a redirect, which is not followed. */
function attemptOf(at: number, outcome: WebhookAnswer | WebhookFailure): Attempt {
  const { status, durationMs } = outcome;
  const timed = { at, httpStatus: status, durationMs };
  if (!outcome.ok) return { ...timed, error: outcome.message };
  const { answer } = outcome;
  const shared = answer === undefined ? timed : { ...timed, answer };
  if (outcome.status >= 200 && outcome.status < 300) return { ...shared, error: null };
  const redirect = outcome.status >= 300 && outcome.status < 400;
  return {
    ...shared,
    error: redirect
      ? `The receiver answered ${status}; redirects are not followed.`
      : `The receiver answered ${status}.`,
  };
}

async function record(
  service: Service,
  job: Job<"deliver_webhook">,
  { url, retry }: Webhook,
  attempt: Attempt,
): Promise<void> {
  const { userId, webhookId, deliveryId } = job.payload;
  const key = keys.delivery(webhookId, deliveryId);
  const failedAt = service.clock.now();
  const status = await service.database.transact(async (tx) => {
    const delivery = await tx.get<Delivery>(key);
    // It is not pending any more if another instance took the job over and ended it.
    if (delivery?.status !== "pending") {
      service.jobs.complete(tx, job);
      return "gone";
    }
    const delayMs = retryDelayMs(retry, delivery.round + 1, service.ids);
    const status = attempt.error === null ? "delivered" : delayMs === null ? "failed" : "pending";
    tx.set(
      key,
      {
        ...delivery,
        status,
        url,
        attempts: withAttempt(delivery.attempts, attempt),
        attemptCount: delivery.attemptCount + 1,
        round: delivery.round + 1,
        followers: [],
      } satisfies Delivery,
      { expireInMs: deliveryKeptMs },
    );
    release(tx, service, job, delivery);
    if (status === "pending") service.jobs.putOff(tx, job, failedAt + delayMs!);
    else {
      countActivity(tx, userId, status, failedAt);
      service.jobs.complete(tx, job);
    }
    return status;
  }, { prefetch: [key] });
  const success = attempt.error === null;
  service.metrics.webhookAttempts.add([success ? "success" : "failure"]);
  service.log[success ? "debug" : "info"]("webhook.attempted", {
    webhook_id: webhookId,
    delivery_id: deliveryId,
    http_status: attempt.httpStatus,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    status,
  });
}

/** A delivery that cannot go out any more: its webhook was switched off, deleted or ended with its maker. */
async function drop(service: Service, job: Job<"deliver_webhook">): Promise<void> {
  const { userId, webhookId, deliveryId } = job.payload;
  const key = keys.delivery(webhookId, deliveryId);
  await service.database.transact(async (tx) => {
    service.jobs.complete(tx, job);
    const delivery = await tx.get<Delivery>(key);
    if (delivery?.status !== "pending") return;
    tx.set(key, { ...delivery, status: "failed", followers: [] } satisfies Delivery, {
      expireInMs: deliveryKeptMs,
    });
    countActivity(tx, userId, "failed", service.clock.now());
    release(tx, service, job, delivery);
  });
}

/** After the first attempt, successful or not, the deliveries that waited for it can begin. */
function release(tx: Tx, service: Service, job: Job<"deliver_webhook">, delivery: Delivery): void {
  for (const follower of delivery.followers) {
    service.jobs.add(
      tx,
      "deliver_webhook",
      { ...job.payload, ...follower },
    );
  }
}
