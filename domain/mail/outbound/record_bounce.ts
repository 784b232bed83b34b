import type { Service } from "../../core/service.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { Bounce } from "../../../mime/body/delivery_report.ts";
import type { Email } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { writeDetails } from "../record/write_email.ts";
import { type Outgoing, sendStatus, settleBounce } from "./recipient_states.ts";
import { emitBounced } from "./send_events.ts";

/** The status part stands before the returned message, so that the beginning of a report is enough. */
const maxReportBytes = 256 * 1024;

/**
 * Reads a received delivery report. For each recipient of a sent email that it reports as failed, records the failure and
 * emits `email.failed`, once a recipient.
 *
 * Anybody can write a report. It counts only if it names the Message-ID of an email that the same mailbox sent, and a
 * recipient of it. Only receivers of the email know both.
 */
export async function recordBounce(service: Service, job: Job<"read_bounce">): Promise<void> {
  const { userId, emailId } = job.payload;
  const report = await storedEmail(service.database, userId, emailId);
  const bounce = report && await readReport(service, report);
  const sentId = bounce && /^<([0-9a-f-]{36})@/.exec(bounce.originalMessageId)?.[1];
  await service.database.transact(async (tx) => {
    service.jobs.complete(tx, job);
    if (!report || !bounce || !sentId) return;
    const sent = await storedEmail(tx, userId, sentId);
    const outgoing = await tx.get<Outgoing>(keys.outgoing(userId, sentId));
    if (!outgoing || sent?.direction !== "outbound") return;
    if (sent.mailboxId !== report.mailboxId || sent.messageId !== bounce.originalMessageId) return;
    const settled = settleBounce(outgoing, permanentFailures(bounce, outgoing));
    if (settled.failed.length === 0) return;
    tx.set(keys.outgoing(userId, sentId), settled.outgoing);
    const changed: Email = { ...sent, status: sendStatus(settled.outgoing) };
    writeDetails(tx, changed);
    await emitBounced(tx, service, changed, settled.failed, emailId);
  });
}

async function readReport(service: Service, { userId, size, raw }: Email): Promise<Bounce | null> {
  const load = async () => {
    const front = new Uint8Array(Math.min(size, maxReportBytes));
    let filled = 0;
    for await (const chunk of readBlob(service.database, raw)) {
      const piece = chunk.subarray(0, front.length - filled);
      front.set(piece, filled);
      filled += piece.length;
      if (filled === front.length) break;
    }
    return front;
  };
  return await service.parsing.report({ userId, size, load });
}

/**
 * Permanent failures by lower-case address. A host that forwarded the message may report another address: if the email had
 * one recipient, that recipient is meant.
 */
function permanentFailures({ recipients }: Bounce, outgoing: Outgoing): Map<string, string> {
  const failed = new Map<string, string>();
  for (const { address, outcome, status, diagnostic } of recipients) {
    if (outcome !== "permanent") continue;
    failed.set(address.toLowerCase(), diagnostic ?? status ?? "returned by a delivery report");
  }
  const [only, ...others] = outgoing.recipients;
  if (only && others.length === 0 && failed.size === 1) {
    return new Map([[only.address.toLowerCase(), [...failed.values()][0]]]);
  }
  return failed;
}
