import { issuersLive } from "../accounts/issuer_chain.ts";
import { notFound, unavailable } from "../core/errors.ts";
import { readMailbox } from "../mailboxes/visible_mailboxes.ts";
import { requireScope } from "../core/operation.ts";
import { readableRows, reportDamaged } from "../core/work/skip_damaged.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type EventName, eventNames } from "./events.ts";
import { type Caller, hasScope, seesMailbox } from "../core/caller.ts";
import type { Database } from "../store/database.ts";
import type { IssuerChain } from "../accounts/api_key.ts";
import type { RetrySchedule } from "./retry.ts";

/** `json`: the payload. `slack`: a message for an incoming webhook of Slack. */
export const webhookFormats = ["json", "slack"] as const;

/** A receiver that an account has registered, and the events that it subscribes to. */
export interface Webhook {
  webhookId: string;
  userId: string;
  url: string;
  events: EventName[];
  /** Stored unencrypted, because deliveries are signed with it. It is shown once, and masked afterwards. */
  secret: string;
  active: boolean;
  createdAt: number;
  /**
   * It gets events of only these mailboxes; absent: of all. A webhook that a limited key makes gets only events of the
   * key's mailboxes: otherwise the key could read other mail through it.
   */
  mailboxIds?: readonly string[];
  retry: RetrySchedule;
  /** Absent: `json`. */
  format?: typeof webhookFormats[number];
  /** The keys that made it, or changed one that a key made. Absent or empty: a session made it. */
  makers?: IssuerChain;
  /** The keys that were the last to set its URL or its secret. Absent or empty: a session was, or the maker. */
  urlSetBy?: IssuerChain;
  secretSetBy?: IssuerChain;
}

/**
 * The keys of which none may have ended for the webhook to get events. Who set the URL reads what is sent there, and who
 * knows the secret can forge it, whoever made the webhook.
 */
export function dependsOn({ makers = [], urlSetBy = [], secretSetBy = [] }: Webhook): IssuerChain {
  return [...new Set([...makers, ...urlSetBy, ...secretSetBy])];
}

/**
 * How many webhooks an account has (the quota), and how many active ones want each event. So mail of an account without
 * webhooks costs one cached read and writes nothing. Kept in every commit that writes a webhook.
 */
export interface Subscribers {
  webhooks: number;
  wanting: Partial<Record<EventName, number>>;
}

/** null if the row is damaged: then every event may be wanted, and no webhook is written before `countAgain`. */
export async function readSubscribers(
  tx: Pick<Tx, "get">,
  userId: string,
): Promise<Subscribers | null> {
  const row = await tx.get<Subscribers>(keys.webhookSubscribers(userId));
  if (row === null) return { webhooks: 0, wanting: {} };
  const counts = [row.webhooks, ...Object.values(Object(row.wanting))];
  return row.wanting && counts.every(Number.isInteger) ? row : null;
}

/** How many webhooks an account has, for its quota. */
export async function countWebhooks(
  database: Pick<Database, "get">,
  userId: string,
): Promise<number> {
  return (await readSubscribers(database, userId))?.webhooks ?? 0;
}

/** If the counts of an account are damaged, they are made again from its webhooks. */
export async function countAgain(database: Database, userId: string): Promise<void> {
  if (await readSubscribers(database, userId)) return;
  const key = keys.webhookSubscribers(userId);
  reportDamaged(database.log, { table: String(key[0]), id: userId }, null);
  const webhooks = await webhooksOf(database, userId);
  await database.transact(async (tx) => {
    if (!await readSubscribers(tx, userId)) tx.set(key, countsOf(webhooks));
  });
}

function countsOf(webhooks: readonly Webhook[]): Subscribers {
  const counted = eventNames.map((name) =>
    [name, webhooks.filter((each) => wants(each, name)).length] as const
  );
  return {
    webhooks: webhooks.length,
    wanting: Object.fromEntries(counted.filter(([, count]) => count > 0)),
  };
}

/** Writes a webhook in place of `before`, or removes it, and the counts with it; to be called after `countAgain`. */
export async function replaceWebhook(
  tx: Tx,
  userId: string,
  before: Webhook | null,
  after: Webhook | null,
): Promise<void> {
  const known = await readSubscribers(tx, userId);
  if (!known) throw unavailable("The webhooks of this account are being counted again.");
  const { webhooks, wanting } = known;
  const counts: Subscribers["wanting"] = {};
  for (const name of eventNames) {
    const count = (wanting[name] ?? 0) - wants(before, name) + wants(after, name);
    if (count > 0) counts[name] = count;
  }
  tx.set(
    keys.webhookSubscribers(userId),
    {
      webhooks: webhooks - (before ? 1 : 0) + (after ? 1 : 0),
      wanting: counts,
    } satisfies Subscribers,
  );
  const webhookId = (after ?? before)?.webhookId ?? "";
  if (after) tx.set(keys.webhook(userId, webhookId), after);
  else tx.delete(keys.webhook(userId, webhookId));
}

/** The webhooks of an account, oldest first, without those whose rows are damaged. */
export async function webhooksOf(database: Database, userId: string): Promise<Webhook[]> {
  const rows = await database.collect<Webhook>({ prefix: keys.webhooks(userId) });
  return readableRows(database.log, rows, (webhook) => {
    const { url, secret, createdAt, events } = webhook;
    const isWhole = typeof url === "string" && typeof secret === "string" &&
      Array.isArray(events) &&
      Number.isInteger(createdAt);
    if (!isWhole) throw new Error("a damaged webhook");
    return webhook;
  });
}

/** The caller's webhook. Throws NOT_FOUND if it is unknown, another account's, or hidden from a limited key. */
export async function readWebhook(
  reader: Pick<Tx, "get">,
  caller: Caller,
  webhookId: string,
): Promise<Webhook> {
  const webhook = await reader.get<Webhook>(keys.webhook(caller.userId, webhookId));
  if (!webhook || !seesWebhook(caller, webhook)) throw notFound("webhook");
  return webhook;
}

/** The webhook in its present state: it is inactive if a key that it depends on was revoked or has expired. */
export async function withPresentState(
  reader: Pick<Tx, "get">,
  webhook: Webhook,
  now: number,
): Promise<Webhook> {
  const { userId } = webhook;
  if (!webhook.active || await issuersLive(reader, userId, dependsOn(webhook), now)) return webhook;
  return { ...webhook, active: false };
}

/** A key limited to some mailboxes sees only webhooks that get events of no other mailbox. */
export function seesWebhook(caller: Caller, webhook: Webhook): boolean {
  if (!caller.mailboxIds) return true;
  return webhook.mailboxIds?.every((each) => seesMailbox(caller, each)) ?? false;
}

/**
 * The mailboxes of a webhook that the caller makes or changes; undefined: all of the account. With `asked` null, all
 * that the caller sees. Throws NOT_FOUND if one does not exist or the caller does not see it.
 */
export async function mailboxesFor(
  database: Database,
  caller: Caller,
  asked: readonly string[] | null,
): Promise<readonly string[] | undefined> {
  if (asked === null) return caller.mailboxIds;
  const wanted = [...new Set(asked)];
  await Promise.all(wanted.map((each) => readMailbox(database, caller, each)));
  return wanted;
}

/** Throws FORBIDDEN if one of the events is about mail and the caller may not read mail. */
export function requireReading(caller: Caller, events: readonly EventName[]): void {
  if (events.some(isAboutMail)) requireScope(caller, "emails:read");
}

/** Whether the caller may read the data of these events. */
export function mayRead(caller: Caller, events: readonly EventName[]): boolean {
  return hasScope(caller, "emails:read") || !events.some(isAboutMail);
}

function isAboutMail(name: EventName): boolean {
  return name.startsWith("email.") || name.startsWith("draft.");
}

/** Whether this webhook gets an event of this name, about this mailbox (null: about none). */
export function hears(webhook: Webhook, name: EventName, mailboxId: string | null): boolean {
  if (wants(webhook, name) === 0) return false;
  return !webhook.mailboxIds || (mailboxId !== null && webhook.mailboxIds.includes(mailboxId));
}

function wants(webhook: Webhook | null, name: EventName): 0 | 1 {
  return webhook?.active && webhook.events.includes(name) ? 1 : 0;
}
