import { z } from "zod";
import { readUser, type User } from "../accounts/user.ts";
import { readUsageAndNumbers } from "../billing/usage.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import { type Arrival, arrivalRecord, arrivalRecordOf } from "../mail/receive/arrivals.ts";
import type { PacedThread } from "../mail/record/outgoing.ts";
import { rowsInOrder } from "../mail/read/rows_in_order.ts";
import { sendStatuses } from "../mail/record/read_email.ts";
import { countPending } from "../mail/read/unprocessed.ts";
import * as keys from "../store/keys.ts";
import type { Delivery } from "../webhooks/delivery.ts";
import { webhooksOf } from "../webhooks/webhook.ts";

const dayMs = 86_400_000;
/** The last attempt of a delivery is at most this long after its creation. */
const longestScheduleMs = 38 * 3_600_000;
/** The most rows that are read of each kind, the newest: a busy account's counts are of these. */
const maxRows = 2_000;
/** The share of a quota from which it is shown. */
const scarce = 0.8;

export const getAttention = operation({
  name: "get_attention",
  title: "Get what needs a look",
  description:
    "What went wrong or runs short in the last 24 hours: deliveries that failed by webhook, refused mail, sends that failed, threads that went too fast, mail that waits " +
    "to be processed, and quotas of which 80 % are used. Of each kind the newest 2,000 rows are looked at.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    failed_deliveries: z.array(z.object({
      webhook_id: z.string(),
      url: z.string(),
      count: z.number().int(),
      last_error: z.string().nullable(),
      at: timestampField.describe("When the newest failed"),
    })),
    refused: z.object({
      count: z.number().int(),
      last: arrivalRecord.nullable(),
    }),
    failed_sends: z.number().int(),
    loops: z.array(z.object({
      thread_id: z.string(),
      mailbox_id: z.string(),
      recipient: z.string(),
      at: timestampField.describe("When the last of these mails was sent"),
      until: timestampField.describe("More mail to the recipient in this thread is refused before"),
    })).describe(
      "Threads in which 12 mails went to one recipient within 10 minutes, the newest first: two programs may answer each other",
    ),
    pending: z.number().int().describe("Emails that are not processed yet, at most 2,000"),
    pending_vectors: z.number().int().describe(
      "Processed emails that are found by their words only, yet",
    ),
    quotas: z.array(z.object({
      what: z.string().describe("A field of `limits` of the account"),
      used: z.number(),
      limit: z.number(),
    })),
  }).meta({ id: "Attention" }),
  errors: ["NOT_FOUND"],
  async run(service, { userId }) {
    const user = await readUser(service.database, userId);
    const since = service.clock.now() - dayMs;
    const [failed_deliveries, refused, failed_sends, loops, pending, quotas, waiting] =
      await Promise
        .all([
          failedDeliveries(service, userId, since),
          refusedMail(service, userId, since),
          failedSends(service, userId, since),
          stoppedLoops(service, userId, since),
          countPending(service, userId, maxRows),
          scarceQuotas(service, user),
          service.semantic?.waiting(userId).catch(() => null) ?? null,
        ]);
    return {
      failed_deliveries,
      refused,
      failed_sends,
      loops,
      pending,
      pending_vectors: waiting ?? 0,
      quotas,
    };
  },
});

async function failedDeliveries({ database }: Service, userId: string, since: number) {
  const webhooks = await webhooksOf(database, userId);
  const found = [];
  let left = maxRows;
  for (const { webhookId, url } of webhooks) {
    const failed: { at: number; error: string | null }[] = [];
    const selector = { prefix: keys.deliveries(webhookId) };
    const options = { reverse: true, batchSize: 100 };
    for await (const { key, value } of database.list<Delivery>(selector, options)) {
      if (left-- <= 0 || value?.createdAt < since - longestScheduleMs) break;
      const about = { table: "deliveries", id: String(key.at(-1)) };
      const last = skipDamaged(database.log, about, () => lastOf(value));
      if (last?.hasFailed && last.at >= since) failed.push(last);
    }
    if (failed.length === 0) continue;
    const newest = failed.reduce((one, other) => other.at > one.at ? other : one);
    found.push({
      webhook_id: webhookId,
      url,
      count: failed.length,
      last_error: newest.error,
      at: isoTime(newest.at),
    });
  }
  return found;
}

function lastOf({ status, createdAt, attempts }: Delivery) {
  const { at = createdAt, error = null } = attempts.at(-1) ?? {};
  return { hasFailed: status === "failed", at, error };
}

async function refusedMail({ database }: Service, userId: string, since: number) {
  let count = 0, left = maxRows;
  let last: z.input<typeof arrivalRecord> | null = null;
  const selector = { prefix: keys.arrivals(userId) };
  const options = { reverse: true, batchSize: 100 };
  for await (const { key, value } of database.list<Arrival>(selector, options)) {
    if (left-- <= 0 || value?.receivedAt < since) break;
    const about = { table: "arrivals", id: String(key.at(-1)) };
    const record = skipDamaged(database.log, about, () => arrivalRecordOf(value));
    if (record?.disposition !== "rejected") continue;
    count += record.count;
    last ??= record;
  }
  return { count, last };
}

async function failedSends(service: Service, userId: string, since: number): Promise<number> {
  const range = { userId, mailboxId: null, bounds: {}, reverse: true };
  let failed = 0, left = maxRows;
  for await (const rows of rowsInOrder(service, range, 100)) {
    const recent = rows.slice(0, left).filter(({ receivedAt }) => receivedAt >= since);
    const statuses = await sendStatuses(service.database, userId, recent);
    failed += statuses.values().filter((status) => status === "failed").toArray().length;
    left -= rows.length;
    if (left <= 0 || recent.length < rows.length) break;
  }
  return failed;
}

async function stoppedLoops({ database }: Service, userId: string, since: number) {
  const rows = await database.collect<PacedThread>(
    { prefix: keys.pacedThreads(userId) },
    { limit: maxRows },
  );
  const recent = rows.filter(({ value }) => value?.at >= since)
    .toSorted((one, other) => other.value.at - one.value.at);
  const mailboxes = await database.getMany(
    recent.map(({ value }) => keys.mailbox(userId, value.mailboxId)),
  );
  return recent.filter((_, n) => mailboxes[n] !== null).map(({ key, value }) => ({
    thread_id: String(key.at(-1)),
    mailbox_id: value.mailboxId,
    recipient: value.recipient,
    at: isoTime(value.at),
    until: isoTime(value.until),
  }));
}

const watched = [
  "emailsPerMonth",
  "searchesPerMonth",
  "storageBytes",
  "sendsPerDay",
  "mailboxes",
  "webhooks",
] as const;

async function scarceQuotas({ database, clock, plans }: Service, user: User) {
  const limits = plans[user.plan];
  const used = await readUsageAndNumbers(database, user, clock.now());
  return watched.flatMap((what) => {
    const limit = limits[what];
    const isScarce = limit !== null && limit > 0 && used[what] >= scarce * limit;
    return isScarce ? [{ what, used: used[what], limit }] : [];
  });
}
