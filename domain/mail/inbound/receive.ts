import { readUser, type User } from "../../accounts/user.ts";
import { spend } from "../../billing/usage.ts";
import { concatBytes } from "../../core/bytes.ts";
import { ServiceError } from "../../core/errors.ts";
import { mailboxForm, parseEnvelopeAddress, routingAddress } from "../../mailboxes/address.ts";
import { largestEmailBytes } from "../../core/plans.ts";
import type { Service } from "../../core/service.ts";
import { type BlobRef, BlobWriter, type FinishedBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import { keyHash } from "../../store/key_hash.ts";
import * as keys from "../../store/keys.ts";
import { recordArrival, type Rejection, type Source } from "./arrivals.ts";
import { findRoute, type LedgerOwner } from "./find_route.ts";
import { messageHeaderLimits } from "../../../mime/headers/header_fields.ts";
import { maxThreads } from "../threads/known_threads.ts";
import { type Email, fitted } from "../record/email.ts";
import { type MessageHead, parseHead } from "../../../mime/headers/parse_head.ts";
import { storeEmail } from "../store_email.ts";
import { subjectKey } from "../threads/subject_threads.ts";
import { findThread } from "../threads/thread_aliases.ts";
import { unpackMentions } from "../threads/thread_mentions.ts";
import { referenceKeys } from "../threads/threads.ts";
import { type ReadBounce, readBounceJob } from "../../core/job_kinds.ts";

/** Who brings something in. */
export interface Attempt {
  source: Source;
  /** RFC 5321 reverse path; "" is the null sender. */
  sender: string;
}

/** A message on its way in, whatever it came by (DECISIONS.md 3): every adapter makes one of these. */
export interface Delivery extends Attempt {
  /** RFC 5321 recipients as given, 1 to 100. */
  recipients: string[];
  /** A stable id of this delivery, where the adapter has one. */
  ingestId: string | null;
  body: AsyncIterable<Uint8Array>;
}

/** One a recipient, in the order of the envelope. */
export interface DeliveryResult {
  recipient: string;
  disposition: "accepted" | "duplicate" | "rejected";
  email_id?: string;
  code?: Rejection;
}

export const maxEnvelopeRecipients = 100;

/**
 * Takes a message in. Once this answers, every accepted recipient has it durably: bytes, record, indexes,
 * counters, ledger row and the jobs that follow, in one commit each.
 *
 * Throws EMAIL_TOO_LARGE (while reading), BAD_REQUEST (empty body, malformed recipient) and
 * SERVICE_UNAVAILABLE (nothing is acknowledged; the sender tries again and finds duplicates, not doubles).
 */
export async function receive(service: Service, delivery: Delivery): Promise<DeliveryResult[]> {
  return await service.arrivalLoad.during(() => takeAndDeliver(service, delivery));
}

async function takeAndDeliver(service: Service, delivery: Delivery): Promise<DeliveryResult[]> {
  const recipients = delivery.recipients.map(recipientOf);
  const { blob, head } = await takeIn(service, delivery.body).catch(async (error) => {
    if (!(error instanceof TooLarge)) throw error;
    const { limit, size } = error;
    const results = await refuseAll(service, delivery, recipients, size, "EMAIL_TOO_LARGE");
    throw new ServiceError("EMAIL_TOO_LARGE", undefined, { limit, results });
  });
  const results: DeliveryResult[] = [];
  let unowned: FinishedBlob | null = blob;
  try {
    for (const { given, address } of recipients) {
      const own: FinishedBlob = unowned ?? await blob.copy();
      const result = await deliver(service, delivery, given, address, own, head);
      results.push(result);
      if (result.disposition === "accepted") unowned = null;
      else if (own !== blob) await own.discard();
    }
  } finally {
    await unowned?.discard();
  }
  return results;
}

function recipientOf(given: string): { given: string; address: string } {
  const parsed = parseEnvelopeAddress(given);
  if (!parsed) throw new ServiceError("BAD_REQUEST", "The envelope has a malformed recipient.");
  return { given, address: routingAddress(parsed).address };
}

/** The body is larger than any plan takes; `size` bytes had been read when it showed. */
class TooLarge extends Error {
  constructor(readonly limit: number, readonly size: number) {
    super(`larger than ${limit} bytes`);
  }
}

/** Leaves a row for each recipient of a message that none of them can get. */
async function refuseAll(
  service: Service,
  attempt: Attempt,
  recipients: { given: string; address: string }[],
  size: number,
  code: Rejection,
): Promise<DeliveryResult[]> {
  return await Promise.all(
    recipients.map(({ given, address }) =>
      service.database.transact(async (tx) => {
        const { route, ledger } = await findRoute(tx, service, address);
        const why = route ? code : "UNKNOWN_RECIPIENT";
        return refuse(tx, service, attempt, { recipient: given, ledger, size }, why);
      })
    ),
  );
}

/** Reads the body once: to the blob, and its beginning to the header parser. */
async function takeIn(
  service: Service,
  body: AsyncIterable<Uint8Array>,
): Promise<{ blob: FinishedBlob; head: MessageHead }> {
  const writer = new BlobWriter(service.database, service.ids, service.clock);
  const limit = largestEmailBytes(service.plans) ?? Infinity;
  const start: Uint8Array[] = [];
  let size = 0, startSize = 0;
  try {
    for await (const piece of unbroken(body)) {
      size += piece.length;
      if (size > limit) throw new TooLarge(limit, size);
      if (startSize < messageHeaderLimits.scanBytes) {
        start.push(piece);
        startSize += piece.length;
      }
      await writer.write(piece);
    }
    if (size === 0) {
      throw new ServiceError("BAD_REQUEST", "The body is empty: it must be the message.");
    }
    const blob = await writer.finish();
    return {
      blob,
      head: parseHead(concatBytes(start, startSize)),
    };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** A body that breaks off is its sender's failure, not one of ours. */
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("BAD_REQUEST", "The message broke off before its end.");
  }
}

/** Decides and stores one recipient's copy, in one transaction. */
async function deliver(
  service: Service,
  delivery: Delivery,
  recipient: string,
  address: string,
  blob: FinishedBlob,
  head: MessageHead,
): Promise<DeliveryResult> {
  await prefetch(service, delivery, address, blob.ref, head);
  return await service.database.transact(async (tx): Promise<DeliveryResult> => {
    const { route, ledger } = await findRoute(tx, service, address);
    const size = blob.ref.size;
    if (!route) {
      return refuse(tx, service, delivery, { recipient, ledger, size }, "UNKNOWN_RECIPIENT");
    }
    const facts = { source: delivery.source, recipient, sender: delivery.sender, size };
    const { userId, mailboxId } = route;
    const dedupe = dedupeKeys(mailboxId, delivery.ingestId, blob.ref.sha256);
    for (const key of dedupe) {
      const known = await tx.get<string>(key, { likelyAbsent: true });
      if (!known) continue;
      recordArrival(tx, service, userId, {
        ...facts,
        disposition: "duplicate",
        code: null,
        emailId: known,
        mailboxId,
      });
      return { recipient, disposition: "duplicate", email_id: known };
    }
    const user = await readUser(tx, userId);
    const refusal = await refusalFor(tx, service, user, size);
    if (refusal) {
      return refuse(tx, service, delivery, { recipient, ledger: route, size }, refusal);
    }
    const email = newEmail(service, { userId, mailboxId }, delivery, head, blob);
    blob.attach(tx);
    for (const key of dedupe) tx.set(key, email.emailId);
    await storeEmail(tx, service, email);
    // A report comes from the null sender (RFC 3464 2); what comes from anybody else is mail like any other.
    if (head.contentType === "multipart/report" && delivery.sender === "") {
      service.jobs.add(tx, readBounceJob, { userId, emailId: email.emailId } satisfies ReadBounce);
    }
    recordArrival(tx, service, userId, {
      ...facts,
      disposition: "accepted",
      code: null,
      emailId: email.emailId,
      mailboxId,
    });
    return { recipient, disposition: "accepted", email_id: email.emailId };
  });
}

/** Reads what no two arrivals have in common beside other arrivals, not while they wait for this one. */
async function prefetch(
  service: Service,
  { ingestId }: Delivery,
  address: string,
  { sha256 }: BlobRef,
  head: MessageHead,
): Promise<void> {
  const { database } = service;
  const { route } = await findRoute(database, service, address);
  if (!route) return;
  const { userId, mailboxId } = route;
  const subject = subjectKey({ userId, mailboxId, subject: head.subject });
  const lineage = { ...head, messageId: head.messageId ?? "" };
  const { own, others } = referenceKeys(userId, lineage);
  const fresh = [...dedupeKeys(mailboxId, ingestId, sha256), own];
  const [mentions] = await Promise.all([
    database.prefetch<string>(others),
    database.prefetch(fresh, { likelyAbsent: true }),
    subject && database.prefetch([subject.key], { likelyAbsent: !subject.isReply }),
  ]);
  const threads = new Set(mentions.flatMap(unpackMentions).map(({ threadId }) => threadId));
  if (threads.size === 0) return;
  // Whether its sender is one of the account's own is asked as soon as a thread has the same participant.
  const sender = keys.mailboxByAddress(mailboxForm(head.from?.address ?? ""));
  await Promise.all([
    database.prefetch([sender]),
    ...[...threads].slice(0, maxThreads).map((id) => findThread(database, userId, id)),
  ]);
}

/** Spends what the email takes of the plan. Returns why it may not be taken, else null. */
async function refusalFor(
  tx: Tx,
  service: Service,
  user: User,
  size: number,
): Promise<Rejection | null> {
  const limits = service.plans[user.plan];
  if (limits.maxEmailBytes !== null && size > limits.maxEmailBytes) return "EMAIL_TOO_LARGE";
  return await spend(tx, user, limits, service.clock.now(), "emails", size) && "OVER_QUOTA";
}

/** Writes the row of a refusal, where the address is of a domain of ours, and answers it. */
export function refuse(
  tx: Tx,
  service: Service,
  { source, sender }: Attempt,
  what: { recipient: string; ledger: LedgerOwner | null; size: number },
  code: Rejection,
): DeliveryResult {
  const { recipient, ledger, size } = what;
  if (ledger) {
    const { userId, mailboxId } = ledger;
    const facts = { source, sender, recipient, size, mailboxId };
    recordArrival(tx, service, userId, { ...facts, disposition: "rejected", code, emailId: null });
  }
  return { recipient, disposition: "rejected", code };
}

/** The same delivery id, or the same bytes: never the Message-ID, which the sender chooses (DECISIONS.md 3). */
function dedupeKeys(mailboxId: string, ingestId: string | null, sha256: string): Deno.KvKey[] {
  const byBytes = keys.emailByDelivery(mailboxId, sha256);
  if (ingestId === null) return [byBytes];
  return [
    byBytes,
    keys.emailByDelivery(mailboxId, keyHash(`id:${ingestId}`)),
  ];
}

function newEmail(
  service: Service,
  owner: { userId: string; mailboxId: string },
  delivery: Delivery,
  head: MessageHead,
  blob: FinishedBlob,
): Email {
  const now = service.clock.now();
  const emailId = service.ids.timed(now);
  return fitted({
    emailId,
    ...owner,
    threadId: "",
    direction: "inbound",
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
    size: blob.ref.size,
    raw: blob.ref,
    envelope: {
      from: delivery.sender.slice(0, 512),
      to: delivery.recipients.slice(0, 1).map((each) => each.slice(0, 512)),
    },
    truncated: head.truncated,
    parsed: null,
  });
}
