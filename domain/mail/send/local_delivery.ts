import { describeError } from "../../core/log.ts";
import type { RecipientResult } from "../../ports/mailer.ts";
import type { Service } from "../../core/service.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import type { Rejection } from "../receive/arrivals.ts";
import type { Receives } from "../receive/delivery.ts";
import { findRoute } from "../receive/find_route.ts";
import type { Email } from "../record/email.ts";
import { receive } from "../receive/receive.ts";
import { mailboxForm } from "../../mailboxes/address.ts";

/** The addresses that are active mailboxes of this service; they need no relay. */
export async function localAddresses(
  store: Pick<Tx, "get">,
  service: Pick<Service, "settings" | "clock" | "database">,
  addresses: readonly string[],
): Promise<Set<string>> {
  const found = await Promise.all(
    addresses.map((address) => findRoute(store, service, mailboxForm(address))),
  );
  return new Set(addresses.filter((_address, index) => found[index].route !== null));
}

/**
 * Delivers a sent email to mailboxes of this service. Running it again delivers nothing twice, because the delivery id is
 * made from the id of the sent email.
 */
export async function deliverLocally(
  service: Receives,
  email: Email,
  addresses: readonly string[],
): Promise<RecipientResult[]> {
  if (addresses.length === 0) return [];
  try {
    const results = await receive(service, {
      source: "smtp",
      sender: email.envelope.from,
      recipients: [...addresses],
      ingestId: `sent:${email.emailId}`,
      facts: "own",
      body: readBlob(service.database, email.raw),
    });
    return results.map(({ recipient, disposition, code }) =>
      disposition === "rejected"
        ? { recipient, outcome: "permanent", response: rejectionResponses[code ?? "BLOCKED"] }
        : { recipient, outcome: "sent", response: "delivered to a mailbox of this service" }
    );
  } catch (error) {
    service.log.warn("send.local_delivery_failed", {
      email_id: email.emailId,
      error: describeError(error),
    });
    return addresses.map((recipient) => ({
      recipient,
      outcome: "temporary",
      response: "451 4.3.0 the mailbox could not be written to",
    }));
  }
}

/** The replies that an SMTP server would give (RFC 3463). */
const rejectionResponses = {
  UNKNOWN_RECIPIENT: "550 5.1.1 no such mailbox",
  EMAIL_TOO_LARGE: "552 5.3.4 the message is too large for the recipient",
  OVER_QUOTA: "552 5.2.2 the recipient's quota is used up",
  BLOCKED: "550 5.7.1 refused by the recipient",
} satisfies Record<Rejection, string>;
