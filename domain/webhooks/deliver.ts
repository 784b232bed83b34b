import { countActivity } from "../activity/counters.ts";
import { issuersLive } from "../accounts/issuer_chain.ts";
import type { WebhookAnswer, WebhookFailure } from "../ports/webhook_target.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { type Attempt, type Delivery, deliveryKeptMs, withAttempt } from "./delivery.ts";
import type { StoredEvent } from "./delivery.ts";
import { retryDelayMs } from "./retry.ts";
import { signatureHeaders } from "./signature.ts";
import { postedBody } from "./slack_form.ts";
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
  const body = postedBody(service, webhook, event);
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
        body,
      }),
    },
    body,
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

/** Records an attempt, and when the next one is, if there is one. */
async function record(
  service: Service,
  job: Job<"deliver_webhook">,
  { url, retry }: Webhook,
  attempt: Attempt,
): Promise<void> {
  const status = await change(service, job, (delivery) => {
    const round = delivery.round + 1;
    const delayMs = retryDelayMs(retry, round, service.ids);
    return {
      ...delivery,
      status: attempt.error === null ? "delivered" : delayMs === null ? "failed" : "pending",
      url,
      attempts: withAttempt(delivery.attempts, attempt),
      attemptCount: delivery.attemptCount + 1,
      round,
      delayMs,
    };
  });
  const success = attempt.error === null;
  service.metrics.webhookAttempts.add([success ? "success" : "failure"]);
  service.log[success ? "debug" : "info"]("webhook.attempted", {
    webhook_id: job.payload.webhookId,
    delivery_id: job.payload.deliveryId,
    http_status: attempt.httpStatus,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    status,
  });
}

/** A delivery that cannot go out any more: its webhook was switched off, deleted or ended with its maker. */
async function drop(service: Service, job: Job<"deliver_webhook">): Promise<void> {
  await change(service, job, (delivery) => ({ ...delivery, status: "failed", delayMs: null }));
}

/**
 * Writes the delivery of a job as `next` returns it, with what follows: the next attempt after `delayMs`, or the end of
 * the job. Returns its status. "gone" if it is not pending any more, as if another instance took the job over and ended
 * it; then only the job ends.
 */
async function change(
  { clock, database, jobs }: Pick<Service, "clock" | "database" | "jobs">,
  job: Job<"deliver_webhook">,
  next: (delivery: Delivery) => Delivery & { delayMs: number | null },
): Promise<Delivery["status"] | "gone"> {
  const { userId, webhookId, deliveryId } = job.payload;
  const key = keys.delivery(webhookId, deliveryId);
  const now = clock.now();
  return await database.transact(async (tx) => {
    const before = await tx.get<Delivery>(key);
    if (before?.status !== "pending") {
      jobs.complete(tx, job);
      return "gone";
    }
    const { delayMs, ...delivery } = next(before);
    const { status } = delivery;
    tx.set(key, { ...delivery, followers: [] } satisfies Delivery, { expireInMs: deliveryKeptMs });
    // After the first attempt, successful or not, the deliveries that waited for it can begin.
    for (const follower of before.followers) {
      jobs.add(tx, "deliver_webhook", { ...job.payload, ...follower });
    }
    if (status === "pending") jobs.putOff(tx, job, now + delayMs!);
    else {
      countActivity(tx, userId, status, now);
      jobs.complete(tx, job);
    }
    return status;
  }, { prefetch: [key] });
}
