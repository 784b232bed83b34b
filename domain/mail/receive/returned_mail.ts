import type { Service } from "../../core/service.ts";
import type { Receives } from "./delivery.ts";
import { type Address, routingAddress } from "../../mailboxes/address.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import * as keys from "../../store/keys.ts";
import { recordRepeatable } from "./arrival_windows.ts";
import type { Attempt, Delivery, Outcome } from "./delivery.ts";
import type { ReadMessage } from "./read_message.ts";
import { findReturned, type Returned } from "./return_path.ts";

/** Where mail to a recipient goes. */
export interface Destination {
  /** The address that it is routed by. */
  address: string;
  /** The recipient itself, if the message is a report about a sent email. */
  report: Address | null;
}

/**
 * Mail to the envelope sender of an email that was sent is about that email. A job reads a delivery report from the null
 * sender (RFC 3464 2), also one that its header does not call so; all but reports, such as vacation notices (RFC 3834 4),
 * goes to the mailbox of that email. A report from a sender, and mail to a mailbox that was deleted, is routed by its
 * address, which no mailbox has.
 */
export async function destinationOf(
  { database, parsing }: Pick<Service, "database" | "parsing">,
  exact: Address,
  { sender, imported }: Pick<Delivery, "sender" | "imported">,
  { head, notice }: Pick<ReadMessage, "head" | "notice">,
): Promise<Destination> {
  const { address } = routingAddress(exact);
  // A report in an archive is mail.
  if (imported) return { address, report: null };
  const returned = await findReturned(database, exact);
  if (!returned) return { address, report: null };
  if (head.isDeliveryReport || await isNotice(parsing, returned, notice)) {
    return sender === "" ? { address: exact.address, report: exact } : { address, report: null };
  }
  const mailbox = await database.get<Mailbox>(keys.mailbox(returned.userId, returned.mailboxId));
  return { address: mailbox?.address ?? address, report: null };
}

/** Whether a message from the null sender says that mail failed or is late. */
async function isNotice(
  parsing: Service["parsing"],
  { userId }: Pick<Returned, "userId">,
  notice: Uint8Array | null,
): Promise<boolean> {
  if (notice === null) return false;
  const load = () => Promise.resolve(notice);
  return (await parsing.report({ userId, size: notice.length, load })).length > 0;
}

/** Keeps a delivery report for a job; null if its email became too old meanwhile. */
export async function takeReport(
  service: Receives,
  { source, sender }: Attempt,
  recipient: string,
  exact: Address,
  blob: FinishedBlob,
): Promise<Outcome | null> {
  return await service.database.transact(async (tx): Promise<Outcome | null> => {
    const returned = await findReturned(tx, exact);
    if (!returned) return null;
    const { userId, mailboxId, emailId } = returned;
    // Each report ends by itself, and takes its bytes along.
    const owned = blob.under(service.ids.timed(service.clock.now()));
    await owned.attach(tx);
    service.jobs.add(tx, "read_bounce", {
      userId,
      emailId,
      recipient: returned.recipient,
      raw: owned.ref,
    });
    const isOwn = await recordRepeatable(tx, service, userId, exact.address, {
      ...{ source, sender, recipient, mailboxId, emailId },
      size: blob.ref.size,
      disposition: "accepted",
      code: null,
    });
    return { disposition: "accepted", email_id: emailId, isMerged: !isOwn };
  });
}
