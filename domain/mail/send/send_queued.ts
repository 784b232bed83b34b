import { maySendFrom } from "../../custom_domains/sending_domain.ts";
import type { Envelope, RecipientResult, SendOutcome } from "../../ports/mailer.ts";
import type { EmailOfAccount } from "../../core/job_kinds.ts";
import type { Service } from "../../core/service.ts";
import { readWholeBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { returnAddress, sharedReturnAddress } from "../receive/return_path.ts";
import type { ReturnPath } from "../record/outgoing.ts";
import { endSendJob, moveSend } from "../lifecycle/apply.ts";
import { queuedAddresses, sendStatus } from "../lifecycle/sending.ts";
import { deliverLocally, localAddresses } from "./local_delivery.ts";
import { bytesForRelay } from "./relay_bytes.ts";
import type { Email } from "../record/email.ts";
import type { Outgoing } from "../record/outgoing.ts";
import { storedEmail } from "../record/read_email.ts";
import { unsentEmail } from "../record/unsent_email.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";

/**
 * Tries the queued recipients of an email once: mailboxes of this service directly, the others through the mailer. Then
 * records the results, with the next attempt or with the events that end the sending.
 *
 * Results that could not be recorded (the database failed) are recorded by the next run, which does not send again.
 * Only if the process dies between the relay's answer and its record, the relay gets the message a second time, under
 * the same Message-ID.
 */
export async function sendQueued(
  service: Service,
  job: Job<"send_email" | "send_within">,
): Promise<void> {
  const { unrecordedSends } = service;
  const results = unrecordedSends.get(job.jobId) ?? await attempt(service, job.payload);
  unrecordedSends.set(job.jobId, results);
  await record(service, job, results);
  unrecordedSends.delete(job.jobId);
}

async function attempt(
  service: Service,
  { userId, emailId }: EmailOfAccount,
): Promise<RecipientResult[]> {
  const { database } = service;
  const { email, outgoing, mailbox } = await sendingOf(database, userId, emailId);
  if (!email || !outgoing || !mailbox) return [];
  const queued = queuedAddresses(outgoing);
  if (!await maySendFrom(database, service, userId, mailbox.domain)) {
    const response = `450 4.7.1 the domain ${mailbox.domain} is not verified at present`;
    return queued.map((recipient) => ({ recipient, outcome: "temporary", response }));
  }
  const local = await localAddresses(database, service, queued);
  const delivered = await deliverLocally(service, email, queued.filter((one) => local.has(one)));
  const to = queued.filter((one) => !local.has(one));
  if (to.length === 0) return delivered;
  const raw = await readWholeBlob(database, email.raw);
  const { recipients, fault } = await service.mailer.send({
    owner: userId,
    envelopes: envelopesOf(email, outgoing, to),
    ...bytesForRelay(service, mailbox, raw),
  });
  if (!service.mailer.isOutbox) service.metrics.called("relay", fault === undefined);
  if (fault) service.log.warn("mailer.fault", { email_id: emailId, fault });
  return [...delivered, ...recipients];
}

interface Sending {
  email: Email | null;
  /** The same; null if it was deleted meanwhile, then nobody sees it any more. */
  visible: Email | null;
  outgoing: Outgoing | null;
  /** null if it was deleted, or its account has ended: then nothing is sent any more. */
  mailbox: Mailbox | null;
}

/** Between an answer of the relay and its record a kill sends twice, so few reads wait for each other. */
async function sendingOf(
  store: Pick<Tx, "get">,
  userId: string,
  emailId: string,
): Promise<Sending> {
  const [visible, outgoing, user] = await Promise.all([
    storedEmail(store, userId, emailId),
    store.get<Outgoing>(keys.outgoing(userId, emailId)),
    store.get(keys.user(userId)),
  ]);
  const email = visible ?? await unsentEmail(store, userId, emailId);
  const mailbox = email && user
    ? await store.get<Mailbox>(keys.mailbox(userId, email.mailboxId))
    : null;
  return { email, visible, outgoing, mailbox };
}

/** A larger message is uploaded once for all of its recipients. */
const largeBytes = 2 ** 20;

/**
 * Each recipient has a sender of its own, by which a report is known to be about it; recipients of a large message share
 * one, and its reports must name them. Without a return path (nothing left the service at first) it is the email's own.
 */
function envelopesOf(
  { size, envelope }: Email,
  { recipients, returnPath }: Outgoing,
  to: readonly string[],
): Envelope[] {
  const isShared = size > largeBytes && to.length > 1;
  const senderOf = (path: ReturnPath, recipient: string) =>
    isShared
      ? sharedReturnAddress(path)
      : returnAddress(path, recipients.findIndex(({ address }) => address === recipient));
  return to.map((each) => ({
    from: returnPath ? senderOf(returnPath, each) : envelope.from,
    to: each,
  }));
}

async function record(
  service: Service,
  job: Job<"send_email" | "send_within">,
  results: readonly RecipientResult[],
): Promise<void> {
  const { userId, emailId } = job.payload;
  const now = service.clock.now();
  const next = await service.database.transact(async (tx) => {
    const { visible, email, outgoing, mailbox } = await sendingOf(tx, userId, emailId);
    const isDeleted = !visible;
    // Nothing is queued any more if another instance took the job over and ended it.
    if (!email || !outgoing || queuedAddresses(outgoing).length === 0 || !mailbox) {
      return endSendJob(tx, service, job, isDeleted ? email : null);
    }
    const sent = { userId, mailboxId: email.mailboxId, email, isDeleted, outgoing };
    return await moveSend(tx, service, sent, { type: "attempt", results, now }, job);
  });
  if (!next) return;
  const resultsOf = (outcome: SendOutcome) =>
    results.filter((each) => each.outcome === outcome).length;
  service.log.info("mail.send_attempted", {
    email_id: emailId,
    status: sendStatus(next),
    attempt: next.attempts,
    sent: resultsOf("sent"),
    temporary: resultsOf("temporary"),
    permanent: resultsOf("permanent"),
  });
}
