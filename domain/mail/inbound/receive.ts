import type { User } from "../../accounts/user.ts";
import { spend } from "../../billing/usage.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Address, parseEnvelopeAddress, routingAddress } from "../../mailboxes/address.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";
import { refusesSender } from "../../mailboxes/policy/sender_lists.ts";
import type { Service } from "../../core/service.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import { type Tx, withOptionalChecks } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import { noteArrival, recordArrival, type Rejection } from "./arrivals.ts";
import type { Attempt, Delivery, DeliveryResult } from "./delivery.ts";
import { findReturned } from "./return_path.ts";
import { findRoute, ledgerOf, type LedgerOwner } from "./find_route.ts";
import { type Email, fitted } from "../record/email.ts";
import { ownAuth } from "../record/stored_auth.ts";
import { plainAuthor } from "../../../mime/headers/plain_author.ts";
import type { MessageHead } from "../../../mime/headers/parse_head.ts";
import { storeEmail } from "../store_email.ts";
import { parsedFields } from "../reading/parsing/parsed_bodies.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { dedupeKeys, prefetchArrival } from "./prefetch_arrival.ts";
import { parseSmall, type ReadMessage, readMessage, TooLarge } from "./read_message.ts";

/**
 * Stores a message for each recipient. When this returns, every accepted recipient has it durably: bytes, record,
 * indexes, counters, ledger row and the jobs that follow, in one commit a recipient. Returns one result a recipient, in
 * the order of the envelope.
 *
 * Throws EMAIL_TOO_LARGE (while reading), BAD_REQUEST (empty body, malformed recipient) and SERVICE_UNAVAILABLE. After
 * SERVICE_UNAVAILABLE the sender tries again; recipients that were stored are then `duplicate`.
 */
export async function receive(service: Service, delivery: Delivery): Promise<DeliveryResult[]> {
  const recipients = delivery.recipients.map(recipientOf);
  const message = await readMessage(service, delivery).catch(async (error) => {
    if (!(error instanceof TooLarge)) throw error;
    const { limit, size } = error;
    const results = await refuseAll(service, delivery, recipients, size, "EMAIL_TOO_LARGE");
    for (const result of results) noteArrival(service, delivery, result, size);
    throw new ServiceError("EMAIL_TOO_LARGE", undefined, { limit, results });
  });
  // A sender may take minutes to send the body: only then other work waits for this message.
  return await service.arrivalLoad.during(() =>
    storeForEach(service, delivery, recipients, message)
  );
}

async function storeForEach(
  service: Service,
  delivery: Delivery,
  recipients: Recipient[],
  message: ReadMessage,
): Promise<DeliveryResult[]> {
  const results: DeliveryResult[] = [];
  // A copy that one recipient does not need is used for the next: 60 recipients of one mailbox cost two blobs, not 60.
  let unowned: FinishedBlob | null = message.blob;
  try {
    for (const { given, address, exact } of recipients) {
      unowned ??= await message.blob.copy();
      const copy = { ...message, blob: unowned };
      const result = await takeReturned(service, delivery, given, exact, copy) ??
        await deliver(service, delivery, given, address, copy);
      noteArrival(service, delivery, result, message.blob.ref.size);
      results.push(result);
      if (result.disposition === "accepted") unowned = null;
    }
  } finally {
    await unowned?.discard();
  }
  return results;
}

/** A recipient of the envelope, and the address that its mail is routed by. */
interface Recipient {
  given: string;
  address: string;
  exact: Address;
}

function recipientOf(given: string): Recipient {
  const exact = parseEnvelopeAddress(given);
  if (!exact) throw new ServiceError("BAD_REQUEST", "The envelope has a malformed recipient.");
  return { given, address: routingAddress(exact).address, exact };
}

/**
 * Accepts mail to the envelope sender of an email that was sent. A job reads a delivery report from the null sender
 * (RFC 3464 2); all but reports, such as vacation notices (RFC 3834 4), goes to the mailbox of that email. Returns null
 * for any other message, for a report from a sender, and if the mailbox was deleted.
 */
async function takeReturned(
  service: Service,
  delivery: Delivery,
  recipient: string,
  exact: Address,
  message: ReadMessage,
): Promise<DeliveryResult | null> {
  const { database } = service;
  const returned = await findReturned(database, exact);
  if (!returned) return null;
  if (message.head.isDeliveryReport) {
    return delivery.sender === ""
      ? await takeReport(service, delivery, recipient, exact, message)
      : null;
  }
  const mailbox = await database.get<Mailbox>(keys.mailbox(returned.userId, returned.mailboxId));
  return mailbox && await deliver(service, delivery, recipient, mailbox.address, message);
}

/** Keeps a delivery report for a job; null if its email became too old meanwhile. */
async function takeReport(
  service: Service,
  { source, sender }: Attempt,
  recipient: string,
  exact: Address,
  { blob }: ReadMessage,
): Promise<DeliveryResult | null> {
  return await service.database.transact(async (tx) => {
    const returned = await findReturned(tx, exact);
    if (!returned) return null;
    const { userId, mailboxId, emailId } = returned;
    blob.attach(tx);
    service.jobs.add(tx, "read_bounce", {
      userId,
      emailId,
      recipient: returned.recipient,
      raw: blob.ref,
    });
    const { size } = blob.ref;
    recordArrival(tx, service, userId, {
      ...{ source, sender, recipient, size, mailboxId, emailId },
      disposition: "accepted",
      code: null,
    });
    return { recipient, disposition: "accepted", email_id: emailId };
  });
}

/** Records a refusal for each recipient of a message that nobody can get. */
async function refuseAll(
  service: Service,
  attempt: Attempt,
  recipients: Recipient[],
  size: number,
  code: Rejection,
): Promise<DeliveryResult[]> {
  return await Promise.all(
    recipients.map(({ given, address }) =>
      service.database.transact(async (tx) => {
        const { route, ledger } = await findRoute(tx, service, address);
        const why = route ? code : "UNKNOWN_RECIPIENT";
        return await refuse(tx, service, attempt, { recipient: given, ledger, size }, why);
      })
    ),
  );
}

/** Accepts or refuses the message for one recipient, and stores its copy, in one transaction. */
async function deliver(
  service: Service,
  delivery: Delivery,
  recipient: string,
  address: string,
  message: ReadMessage,
): Promise<DeliveryResult> {
  const { blob, head } = message;
  const { ingestId } = delivery;
  const { sha256 } = blob.ref;
  const owner = await prefetchArrival(service, address, { ingestId, sha256, head });
  const body = owner && await parseSmall(service, owner.userId, message);
  return await service.database.transact(async (tx): Promise<DeliveryResult> => {
    const { route, ledger } = await findRoute(tx, service, address);
    const size = blob.ref.size;
    const user = route && await tx.get<User>(keys.user(route.userId));
    // Without a user the account has ended, and a job removes its mailboxes.
    if (!route || !user) {
      return await refuse(tx, service, delivery, { recipient, ledger, size }, "UNKNOWN_RECIPIENT");
    }
    const facts = { source: delivery.source, recipient, sender: delivery.sender, size };
    const { userId, mailboxId } = route;
    const dedupe = dedupeKeys(mailboxId, ingestId, sha256);
    const [ofBytes, ofId] = await Promise.all(
      dedupe.map((key) => tx.get<string>(key, { likelyAbsent: true })),
    );
    const known = ofBytes ?? ofId;
    if (known) {
      // The mailbox has had this id now, and with other bytes it is a duplicate too.
      if (dedupe.length > 1 && !ofId) tx.set(dedupe[1], known);
      recordArrival(tx, service, userId, {
        ...facts,
        disposition: "duplicate",
        code: null,
        emailId: known,
        mailboxId,
      });
      return { recipient, disposition: "duplicate", email_id: known };
    }
    const policy = await readPolicy(withOptionalChecks(tx), userId, mailboxId);
    const refusal = refusesSender(policy, { ...head, reversePath: delivery.sender })
      ? "BLOCKED"
      : await quotaRefusal(tx, service, user, size);
    if (refusal) {
      return await refuse(tx, service, delivery, { recipient, ledger: route, size }, refusal);
    }
    const emailId = service.ids.timed(service.clock.now());
    // With the email's id as key, the bytes of a small message are read together with its rows.
    const owned = blob.under(emailId);
    const place = { emailId, userId, mailboxId, raw: owned.ref };
    const email = newEmail(service, place, delivery, head, body);
    owned.attach(tx);
    for (const key of dedupe) tx.set(key, emailId);
    await storeEmail(tx, service, email, body, factsOf(delivery, message));
    recordArrival(tx, service, userId, {
      ...facts,
      disposition: "accepted",
      code: null,
      emailId,
      mailboxId,
    });
    return { recipient, disposition: "accepted", email_id: emailId };
  });
}

/** The input for the check of the sender; undefined if there is nothing to check. */
function factsOf({ facts }: Delivery, { raw, head }: ReadMessage): SenderFacts | undefined {
  if (facts === "own") return undefined;
  const author = raw && plainAuthor(raw);
  return author !== null && author === head.from?.address ? { ...facts, isPlain: true } : facts;
}

/** Counts the email against the plan; returns why it is refused, or null. */
async function quotaRefusal(
  tx: Tx,
  service: Service,
  user: User,
  size: number,
): Promise<Rejection | null> {
  const limits = service.plans[user.plan];
  if (limits.maxEmailBytes !== null && size > limits.maxEmailBytes) return "EMAIL_TOO_LARGE";
  return await spend(tx, user, limits, service.clock.now(), "emails", size) && "OVER_QUOTA";
}

/** Returns a refusal, and records it if the address is on a domain of this service. */
async function refuse(
  tx: Tx,
  service: Service,
  { source, sender }: Attempt,
  what: { recipient: string; ledger: LedgerOwner | null; size: number },
  code: Rejection,
): Promise<DeliveryResult> {
  const { recipient, ledger, size } = what;
  if (ledger) {
    const { userId, mailboxId } = await ledgerOf(tx, ledger);
    const facts = { source, sender, recipient, size, mailboxId };
    recordArrival(tx, service, userId, { ...facts, disposition: "rejected", code, emailId: null });
  }
  return { recipient, disposition: "rejected", code };
}

function newEmail(
  service: Service,
  place: Pick<Email, "emailId" | "userId" | "mailboxId" | "raw">,
  delivery: Delivery,
  head: MessageHead,
  body: MessageBody | null,
): Email {
  const now = service.clock.now();
  const { emailId, raw } = place;
  return fitted({
    ...place,
    threadId: "",
    direction: "inbound",
    isRead: false,
    labels: [],
    automated: head.isAutomatic || delivery.sender === "",
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
    date: head.dateMs ?? now,
    receivedAt: now,
    size: raw.size,
    envelope: {
      from: delivery.sender.slice(0, 512),
      to: delivery.recipients.slice(0, 1).map((each) => each.slice(0, 512)),
    },
    truncated: head.truncated || (body?.truncated ?? false),
    parsed: body && parsedFields(body),
  });
}
