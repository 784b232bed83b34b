import { ServiceError } from "../../core/errors.ts";
import { describeError } from "../../core/log.ts";
import type { Receives } from "./delivery.ts";
import { type Address, routingAddress } from "../../mailboxes/address.ts";
import { noteArrival } from "./arrivals.ts";
import { type ArrivingCopy, deliver, senderFactsOf } from "./deliver.ts";
import type { Delivery, DeliveryResult, Outcome } from "./delivery.ts";
import { findRoute } from "./find_route.ts";
import { parseSmall, type ReadMessage, readMessage, TooLarge } from "./read_message.ts";
import { refuseTooLarge } from "./refuse.ts";
import { recipientAddress } from "../../mailboxes/stand_in.ts";
import { type Destination, destinationOf, takeReport } from "./returned_mail.ts";

/**
 * Stores a message for each mailbox that its recipients lead to; several recipients of one mailbox get one email. When
 * this returns, every accepted recipient has it durably: bytes, record, indexes, counters, ledger row and the jobs that
 * follow, in one commit a mailbox. Mailboxes are served at the same time, and share the bytes of a large message. Returns
 * one result a recipient, in the order of the envelope.
 *
 * Throws EMAIL_TOO_LARGE (while reading), BAD_REQUEST (empty body, malformed recipient) and SERVICE_UNAVAILABLE. After
 * SERVICE_UNAVAILABLE the sender tries again; recipients that were stored are then `duplicate`.
 */
export async function receive(service: Receives, delivery: Delivery): Promise<DeliveryResult[]> {
  const recipients = delivery.recipients.map((each) => recipientOf(service, each));
  const message = await readMessage(service, delivery).catch(async (error) => {
    if (!(error instanceof TooLarge)) throw error;
    const { limit, size } = error;
    const results = await forEachPlace(
      recipients,
      ({ exact }) => routingAddress(exact).address,
      async ([{ given, exact }]) => {
        const { address } = routingAddress(exact);
        const outcome = await refuseTooLarge(service, delivery, {
          recipient: given,
          address,
          size,
        });
        noteArrival(service, delivery, outcome, size);
        return outcome;
      },
    );
    throw new ServiceError("EMAIL_TOO_LARGE", undefined, { limit, results });
  });
  // A sender may take minutes to send the body: only then other work waits for this message.
  return await service.arrivalLoad.during(() =>
    storeForAll(service, delivery, recipients, message)
  );
}

async function storeForAll(
  service: Receives,
  delivery: Delivery,
  recipients: Recipient[],
  message: ReadMessage,
): Promise<DeliveryResult[]> {
  const size = message.blob.ref.size;
  const places: Place[] = await Promise.all(recipients.map(async ({ given, exact }) => ({
    given,
    ...await destinationOf(service, exact, delivery, message),
  }))).catch(async (error) => {
    await discard(service, message.blob);
    throw error;
  });
  const mailboxes = await mailboxesOf(service, places).catch(async (error) => {
    await discard(service, message.blob);
    throw error;
  });
  const placeOf = ({ address, report }: Place) =>
    report ? address : mailboxes.get(address) ?? address;
  const isForMany = new Set(places.map(placeOf)).size > 1;
  const blob = isForMany ? message.blob.shared() : message.blob;
  let body: ReturnType<typeof parseSmall> | null = null;
  const copy: ArrivingCopy = {
    ...{ blob, head: message.head, tookAt: message.tookAt },
    facts: senderFactsOf(delivery, message),
    // All have the same text: it is read once, in the turn of the first account.
    bodyFor: (userId) => body ??= parseSmall(service, userId, message),
  };
  let isAttached = false;
  try {
    return await forEachPlace(places, placeOf, async (group) => {
      const [{ address, report }] = group;
      const given = group.map((each) => each.given);
      const outcome = report && await takeReport(service, delivery, given[0], report, blob) ||
        await deliver(service, delivery, { address, recipients: given }, copy);
      isAttached ||= outcome.disposition === "accepted";
      noteArrival(service, delivery, outcome, size);
      return outcome;
    });
  } finally {
    if (isForMany || !isAttached) await discard(service, blob);
  }
}

/** A recipient, as given, and where its mail goes. */
type Place = { given: string } & Destination;

/**
 * The mailboxes that take the mail of several addresses, which may be one: by a catch-all, or as the postmaster. One address
 * is not looked up.
 */
async function mailboxesOf(service: Receives, places: Place[]): Promise<Map<string, string>> {
  const addresses = new Set(places.map(({ address }) => address));
  if (addresses.size < 2) return new Map();
  const found = await Promise.all([...addresses].map(async (address) => {
    const { route } = await findRoute(service.database, service, address);
    return route ? [[address, route.mailboxId] as const] : [];
  }));
  return new Map(found.flat());
}

/** What was accepted stays accepted if this fails: then the sweep removes the blob, or its mark. */
async function discard({ log }: Receives, blob: ArrivingCopy["blob"]): Promise<void> {
  await blob.discard().catch((error) =>
    log.warn("store.sweep_failed", { error: describeError(error) })
  );
}

/** A recipient of the envelope. */
interface Recipient {
  given: string;
  exact: Address;
}

function recipientOf(service: Receives, given: string): Recipient {
  const exact = recipientAddress(service, given);
  if (!exact) throw new ServiceError("BAD_REQUEST", "The envelope has a malformed recipient.");
  return { given, exact };
}

/**
 * Does `work` at the same time for each group of recipients that have the same `place`, and gives its outcome to all of the
 * group. An error is thrown when no work is left in flight.
 */
async function forEachPlace<R extends { given: string }>(
  recipients: R[],
  placeOf: (recipient: R) => string,
  work: (group: R[]) => Promise<Outcome>,
): Promise<DeliveryResult[]> {
  const groups = Map.groupBy(recipients, placeOf);
  const ends = await Promise.allSettled(groups.values().map(work));
  const outcomes = new Map<string, Outcome>();
  for (const [n, place] of [...groups.keys()].entries()) {
    const end = ends[n];
    if (end.status === "rejected") throw end.reason;
    outcomes.set(place, end.value);
  }
  return recipients.map((each) => {
    const { isMerged: _isMerged, ...outcome } = outcomes.get(placeOf(each))!;
    return { recipient: each.given, ...outcome };
  });
}
