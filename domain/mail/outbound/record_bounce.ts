import type { Service } from "../../core/service.ts";
import { deleteChunks, readBlob } from "../../store/blobs.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { BouncedRecipient } from "../../../mime/body/delivery_report.ts";
import { mailboxOfPath } from "../inbound/return_path.ts";
import type { Email } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { writeDetails } from "../record/write_email.ts";
import { type Outgoing, sendStatus, settleBounce, statusCode } from "./recipient_states.ts";
import { emitBounced } from "./send_events.ts";
import { suppress } from "./addresses/suppressions.ts";

/** The status part comes before the returned message, so that the beginning of a report is enough. */
const maxReportBytes = 256 * 1024;

/**
 * Reads a delivery report that came to the envelope sender of one recipient. If it says that mail to this recipient
 * failed, records the failure, emits `email.failed`, and with a code 5.x.x (RFC 3463) puts the recipient on the
 * account's list; a second report changes nothing. If the email was deleted, only the list changes. Then removes the
 * report. A run that was killed is repeated from the start.
 *
 * Anybody can write a report, but only the hosts that handle the mail for a recipient know the address
 * (`return_path.ts`).
 */
export async function recordBounce(service: Service, job: Job<"read_bounce">): Promise<void> {
  const { database } = service;
  const { raw } = job.payload;
  const failure = await readFailure(service, job);
  if (failure) await settle(service, job, failure);
  await deleteChunks(database, raw.blobId);
  await database.transact((tx) => service.jobs.complete(tx, job));
}

async function settle(
  service: Service,
  { payload: { userId, emailId, recipient } }: Job<"read_bounce">,
  { status, diagnostic }: BouncedRecipient,
): Promise<void> {
  const response = diagnostic ?? status ?? "returned by a delivery report";
  await service.database.transact(async (tx) => {
    const sent = await storedEmail(tx, userId, emailId);
    const outgoing = await tx.get<Outgoing>(keys.outgoing(userId, emailId));
    // Of a deleted email there are only the addresses, and of an account that has ended nothing is kept.
    if (!outgoing?.returnPath || await tx.get(keys.user(userId)) === null) return;
    const bounced = new Map([[recipient.toLowerCase(), response]]);
    const settled = settleBounce(outgoing, bounced);
    if (sent && settled.failed.length > 0) {
      tx.set(keys.outgoing(userId, emailId), settled.outgoing);
      const changed: Email = { ...sent, status: sendStatus(settled.outgoing) };
      writeDetails(tx, changed);
      await emitBounced(tx, service, changed, settled.failed);
    }
    const code = status ?? statusCode(response);
    const mailboxId = sent?.mailboxId ?? await mailboxOfPath(tx, outgoing.returnPath);
    if (!code?.startsWith("5.") || mailboxId === null) return;
    await suppress(tx, userId, {
      address: recipient,
      status: code,
      emailId,
      mailboxId,
      createdAt: service.clock.now(),
    });
  });
}

/** The part of the report about the recipient, if it says that the delivery failed. */
async function readFailure(
  service: Service,
  { payload: { userId, recipient, raw } }: Job<"read_bounce">,
): Promise<BouncedRecipient | null> {
  const load = async () => {
    const front = new Uint8Array(Math.min(raw.size, maxReportBytes));
    let filled = 0;
    for await (const chunk of readBlob(service.database, raw)) {
      const piece = chunk.subarray(0, front.length - filled);
      front.set(piece, filled);
      filled += piece.length;
      if (filled === front.length) break;
    }
    return front;
  };
  const bounced = await service.parsing.report({ userId, size: raw.size, load, movable: true });
  const address = recipient.toLowerCase();
  return bounced.find(({ outcome, addresses }) =>
    outcome === "permanent" && addresses.some((each) => each.toLowerCase() === address)
  ) ?? null;
}
