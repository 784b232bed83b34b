import type { User } from "../../accounts/user.ts";
import { spend } from "../../billing/usage.ts";
import type { Receives } from "./delivery.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";
import { refusesSender } from "../../mailboxes/policy/sender_lists.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import type { ActiveRoute } from "../../mailboxes/route.ts";
import * as keys from "../../store/keys.ts";
import type { Tx } from "../../store/transaction.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import type { MessageHead } from "../../../mime/headers/parse_head.ts";
import { plainAuthor } from "../../../mime/headers/plain_author.ts";
import { type Email, fitted, parsedFields } from "../record/email.ts";
import { ownAuth } from "../record/stored_auth.ts";
import { storeEmail } from "./store_email.ts";
import { recordRepeatable } from "./arrival_windows.ts";
import { recordArrival, type Rejection } from "./arrivals.ts";
import type { Delivery, Outcome } from "./delivery.ts";
import { addRecipients, envelopeAddresses } from "../lifecycle/envelope_recipients.ts";
import { findRoute } from "./find_route.ts";
import { asImported, isInto, sourceTime } from "./imported.ts";
import { dedupeKeys, prefetchArrival } from "./prefetch_arrival.ts";
import type { ReadMessage } from "./read_message.ts";
import { refuse } from "./refuse.ts";

/** A message on its way into a mailbox. */
export interface ArrivingCopy {
  blob: FinishedBlob;
  head: MessageHead;
  /** As in `ReadMessage`. */
  tookAt: number | null;
  /** What the check of the sender needs; undefined if there is nothing to check. */
  facts: SenderFacts | undefined;
  /** The body of a small message; null if a job is to parse it. */
  bodyFor(userId: string): Promise<MessageBody | null>;
}

/** A mailbox's address, and the recipients of the envelope that lead to it. */
interface Place {
  address: string;
  recipients: string[];
}

/** Accepts or refuses the message for one mailbox, and stores its email, in one transaction. */
export async function deliver(
  service: Receives,
  delivery: Delivery,
  { address, recipients }: Place,
  copy: ArrivingCopy,
): Promise<Outcome> {
  const { blob, head } = copy;
  const { ingestId, source, sender, imported } = delivery;
  const { sha256, size } = blob.ref;
  const owner = await prefetchArrival(service, address, { ingestId, sha256, head });
  const body = owner && await copy.bodyFor(owner.userId);
  const [recipient] = recipients;
  return await service.database.transact(async (tx): Promise<Outcome> => {
    const { route, ledger } = await findRoute(tx, service, address);
    const user = route && await tx.get<User>(keys.user(route.userId));
    const refused = { recipient, address, size };
    // Without a user the account has ended, and a job removes its mailboxes.
    if (!route || !user || !isInto(imported, route)) {
      return await refuse(tx, service, delivery, { ...refused, ledger }, "UNKNOWN_RECIPIENT");
    }
    const { userId, mailboxId } = route;
    const facts = { source, sender, recipient, size, mailboxId };
    const dedupe = dedupeKeys(mailboxId, ingestId, sha256);
    const [ofBytes, ofId] = await Promise.all(
      dedupe.map((key) => tx.get<string>(key, { likelyAbsent: true })),
    );
    const known = ofBytes ?? ofId;
    if (known) {
      // The mailbox has had this id now, and with other bytes it is a duplicate too.
      if (dedupe.length > 1 && !ofId) tx.set(dedupe[1], known);
      if (!imported) await addRecipients(tx, service, { userId, emailId: known }, recipients);
      const isOwn = await recordRepeatable(tx, service, userId, address, {
        ...facts,
        disposition: "duplicate",
        code: null,
        emailId: known,
      });
      return { disposition: "duplicate", email_id: known, isMerged: !isOwn };
    }
    const refusal = await isBlocked(tx, route, delivery, head)
      ? "BLOCKED"
      : await quotaRefusal(tx, service, user, size, imported ? null : "emails");
    if (refusal) {
      return await refuse(tx, service, delivery, { ...refused, ledger: route }, refusal);
    }
    const now = service.clock.now();
    const receivedAt = imported ? sourceTime(imported, copy, now) : now;
    const emailId = receivedAt < now ? service.ids.past(receivedAt) : service.ids.timed(now);
    // With the email's id as key, the bytes of a small message are read together with its rows.
    const owned = blob.under(emailId);
    const place = { emailId, userId, mailboxId, receivedAt, raw: owned.ref };
    const received = newEmail(service, place, delivery, recipients, head, body);
    const email = imported
      ? asImported(received, imported, { address, importId: service.ids.timed(now) })
      : received;
    await owned.attach(tx);
    for (const key of dedupe) tx.set(key, emailId);
    await storeEmail(tx, service, email, body, copy.facts);
    const accepted = { ...facts, disposition: "accepted", code: null, emailId } as const;
    if (!imported) {
      recordArrival(tx, service, userId, accepted);
      return { disposition: "accepted", email_id: emailId };
    }
    imported.audit?.({ mailboxId, emailId, count: 1 }, tx);
    const isOwn = await recordRepeatable(tx, service, userId, address, accepted);
    return { disposition: "accepted", email_id: emailId, isMerged: !isOwn };
  });
}

/** The input for the check of the sender; undefined if there is nothing to check. */
export function senderFactsOf(
  { facts, imported }: Delivery,
  { raw, head }: ReadMessage,
): SenderFacts | undefined {
  if (facts === "own" || imported) return undefined;
  const author = raw && plainAuthor(raw);
  return author !== null && author === head.from?.address ? { ...facts, isPlain: true } : facts;
}

/** Whether the mailbox takes no mail of this sender. An import is the owner's own. */
async function isBlocked(
  tx: Tx,
  { userId, mailboxId }: ActiveRoute,
  { sender, imported }: Delivery,
  head: MessageHead,
): Promise<boolean> {
  if (imported) return false;
  const policy = await readPolicy(tx, userId, mailboxId);
  return refusesSender(policy, { ...head, reversePath: sender });
}

/** Counts the bytes against the plan, and the email unless `what` is null; returns why it is refused, or null. */
async function quotaRefusal(
  tx: Tx,
  service: Receives,
  user: User,
  size: number,
  what: "emails" | null,
): Promise<Rejection | null> {
  const limits = service.plans[user.plan];
  if (limits.maxEmailBytes !== null && size > limits.maxEmailBytes) return "EMAIL_TOO_LARGE";
  return await spend(tx, user, limits, service.clock.now(), what, size) && "OVER_QUOTA";
}

function newEmail(
  service: Receives,
  place: Pick<Email, "emailId" | "userId" | "mailboxId" | "receivedAt" | "raw">,
  delivery: Delivery,
  recipients: string[],
  head: MessageHead,
  body: MessageBody | null,
): Email {
  const { emailId, raw, receivedAt } = place;
  const envelopeTo = envelopeAddresses(recipients);
  return fitted({
    ...place,
    threadId: "",
    direction: "inbound",
    isRead: false,
    labels: [],
    automated: head.isAutomatic || (delivery.sender === "" && !delivery.imported),
    auth: delivery.facts === "own" ? ownAuth(head.from?.address ?? "") : null,
    messageId: head.messageId ?? `<${emailId}@${service.settings.MX_HOST}>`,
    inReplyTo: head.inReplyTo,
    references: head.references,
    from: head.from ?? { address: "", name: "" },
    replyTo: head.replyTo,
    to: head.to,
    cc: head.cc,
    bcc: head.bcc,
    subject: head.subject,
    date: head.dateMs ?? receivedAt,
    size: raw.size,
    envelope: { from: delivery.sender.slice(0, 512), to: envelopeTo },
    envelopeTo,
    truncated: head.truncated || (body?.truncated ?? false),
    parsed: body && parsedFields(body),
  });
}
