import type { User } from "../../accounts/user.ts";
import { rowsOfUse } from "../../billing/usage.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import { type ActiveRoute, isActive, type Route } from "../../mailboxes/route.ts";
import type { Receives } from "./delivery.ts";
import type { Database } from "../../store/database.ts";
import { keyHash } from "../../store/key_hash.ts";
import * as keys from "../../store/keys.ts";
import type { MessageHead } from "../../../mime/headers/parse_head.ts";
import { maxThreads } from "../record/threads/known_threads.ts";
import { subjectKey } from "../record/threads/subject_threads.ts";
import { findThreadRow } from "../record/threads/thread_aliases.ts";
import { unpackMentions } from "../record/threads/thread_mentions.ts";
import { referenceKeys } from "../record/threads/threads.ts";
import { findRoute } from "./find_route.ts";

/** A message, as far as its rows are found by it. */
interface ArrivingMessage {
  ingestId: string | null;
  sha256: string;
  head: MessageHead;
}

/**
 * Reads the rows of an arrival before its transaction, because transactions run one after the other. Returns the route of
 * the address, which the transaction reads again; null if mail for it is refused.
 *
 * The rows are read together with the route: which account has the address is known from its last mail.
 */
export async function prefetchArrival(
  service: Receives,
  address: string,
  message: ArrivingMessage,
): Promise<ActiveRoute | null> {
  const { database } = service;
  const last = database.remembered<Route>(keys.mailboxByAddress(address));
  const guess = isActive(last) ? last : null;
  const [{ route }] = await Promise.all([
    findRoute(database, service, address),
    guess && prefetchRows(service, guess, message),
  ]);
  const isGuessed = guess?.userId === route?.userId && guess?.mailboxId === route?.mailboxId;
  if (route && !isGuessed) await prefetchRows(service, route, message);
  return route;
}

/**
 * If other instances write the account too, the rows of threads are read again, not taken from memory: a stale one costs
 * a commit.
 */
async function prefetchRows(
  { database, clock }: Receives,
  { userId, mailboxId }: ActiveRoute,
  { ingestId, sha256, head }: ArrivingMessage,
): Promise<void> {
  const subject = subjectKey({ userId, mailboxId, subject: head.subject });
  const { own, others } = referenceKeys(userId, { ...head, messageId: head.messageId ?? "" });
  const isFresh = database.isWrittenByOthers(userId);
  const [mentions] = await Promise.all([
    database.prefetch<string>(others, { isFresh }),
    database.prefetch([
      keys.policy(userId, mailboxId),
      keys.mailbox(userId, mailboxId),
      keys.mailboxStats(userId, mailboxId),
    ]),
    prefetchUse(database, userId, clock.now()),
    database.prefetch(dedupeKeys(mailboxId, ingestId, sha256), { likelyAbsent: true }),
    database.prefetch([own], { likelyAbsent: true, isFresh }),
    subject && database.prefetch([subject.key], { likelyAbsent: !subject.isReply, isFresh }),
  ]);
  const threads = new Set(mentions.flatMap(unpackMentions).map(({ threadId }) => threadId));
  if (threads.size === 0) return;
  // The rule about participants in common needs to know if the sender is a mailbox of the account.
  const sender = keys.mailboxByAddress(mailboxForm(head.from?.address ?? ""));
  const inMemory = {
    get: async <T>(key: Deno.KvKey) => (await database.prefetch<T>([key]))[0],
  };
  await Promise.all([
    database.prefetch([sender]),
    ...[...threads].slice(0, maxThreads).map((id) => findThreadRow(database, userId, id, inMemory)),
  ]);
}

/** The rows of the account in which the email is counted. */
async function prefetchUse(database: Database, userId: string, now: number): Promise<void> {
  const [user] = await database.prefetch<User>([keys.user(userId)]);
  if (user) await database.prefetch(rowsOfUse(user, now));
}

/** A duplicate has the same delivery id or the same bytes. The Message-ID does not count: the sender chooses it. */
export function dedupeKeys(
  mailboxId: string,
  ingestId: string | null,
  sha256: string,
): Deno.KvKey[] {
  const byBytes = keys.emailByDelivery(mailboxId, sha256);
  if (ingestId === null) return [byBytes];
  return [
    byBytes,
    keys.emailByDelivery(mailboxId, keyHash(`id:${ingestId}`)),
  ];
}
