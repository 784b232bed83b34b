import type { Service } from "../../core/service.ts";
import { readBeginning } from "../../store/blobs.ts";
import { releaseBlob } from "../../store/blobs/blob_release.ts";
import type { Job } from "../../store/jobs.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import type { BouncedRecipient } from "../../../mime/body/delivery_report.ts";
import { maxReportBytes } from "../receive/read_message.ts";
import { mailboxOfPath } from "../receive/return_path.ts";
import { moveSend } from "../lifecycle/apply.ts";
import type { Outgoing } from "../record/outgoing.ts";
import { storedEmail } from "../record/read_email.ts";
import { localAddresses } from "./local_delivery.ts";

/**
 * Reads a delivery report that came to the envelope sender of one recipient, or to that which the recipients of a large
 * message share. If it says that mail to this recipient, or to one that it names, failed, records the failure, emits
 * `email.failed`, and with a code 5.x.x (RFC 3463) puts the recipient on the account's list; a second report changes
 * nothing. If the email was deleted, only the list changes. Then removes the report. A run that was killed is repeated
 * from the start.
 *
 * Anybody can write a report, but only the hosts that handle the mail for a recipient know the address
 * (`return_path.ts`).
 */
export async function recordBounce(service: Service, job: Job<"read_bounce">): Promise<void> {
  const { database, jobs } = service;
  const { userId, raw } = job.payload;
  const failures = await readFailures(service, job);
  if (failures.length > 0) await settle(service, job, failures);
  await database.transact(async (tx) => {
    // Another instance ended it.
    if (!await jobs.stands(tx, job)) return;
    await releaseBlob(tx, service, userId, raw);
    jobs.complete(tx, job);
  });
}

async function settle(
  service: Service,
  { payload: { userId, emailId, recipient } }: Job<"read_bounce">,
  failures: readonly BouncedRecipient[],
): Promise<void> {
  await service.database.transact(async (tx) => {
    const email = await storedEmail(tx, userId, emailId);
    const outgoing = await tx.get<Outgoing>(keys.outgoing(userId, emailId));
    // Of a deleted email there are only the addresses, and of an account that has ended nothing is kept.
    if (!outgoing?.returnPath || await tx.get(keys.user(userId)) === null) return;
    const candidates = recipient !== null ? [recipient] : await sentOutside(tx, service, outgoing);
    const bounced = new Map(candidates.flatMap((address) => {
      const failure = failures.find((each) => names(each, address));
      return failure ? [[address, failure] as const] : [];
    }));
    const mailboxId = email?.mailboxId ?? await mailboxOfPath(tx, outgoing.returnPath);
    if (mailboxId === null) return;
    const isDeleted = email === null;
    const event = { type: "report", failures: bounced, isDeleted } as const;
    await moveSend(tx, service, { userId, mailboxId, email, isDeleted, outgoing }, event);
  });
}

/** The recipients whose hosts know the shared return path: a report cannot fail a mailbox of this service. */
async function sentOutside(tx: Tx, service: Service, { recipients }: Outgoing): Promise<string[]> {
  const addresses = recipients.map(({ address }) => address);
  const local = await localAddresses(withoutChecks(tx), service, addresses);
  return addresses.filter((each) => !local.has(each));
}

function names({ addresses }: BouncedRecipient, address: string): boolean {
  return addresses.some((each) => each.toLowerCase() === address.toLowerCase());
}

/** The parts of the report that say that a delivery failed. */
async function readFailures(
  service: Pick<Service, "database" | "parsing">,
  { payload: { userId, raw } }: Job<"read_bounce">,
): Promise<BouncedRecipient[]> {
  const load = () => readBeginning(service.database, raw, maxReportBytes);
  const bounced = await service.parsing.report({ userId, size: raw.size, load, movable: true });
  return bounced.filter(({ outcome }) => outcome === "permanent");
}
