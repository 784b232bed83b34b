import type { User } from "../../accounts/user.ts";
import { roomFor } from "../../billing/usage.ts";
import { routingAddress } from "../../mailboxes/address.ts";
import type { Receives } from "./delivery.ts";
import * as keys from "../../store/keys.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";
import { blocksReversePath } from "../../mailboxes/policy/sender_lists.ts";
import { noteArrival, type Rejection } from "./arrivals.ts";
import type { Attempt } from "./delivery.ts";
import { findRoute, type LedgerOwner } from "./find_route.ts";
import { refuse } from "./refuse.ts";
import { findReturned } from "./return_path.ts";
import { recipientAddress } from "../../mailboxes/stand_in.ts";
import type { SmtpTransaction, Taker } from "./smtp_transaction.ts";

/** The answer about a recipient before the message has arrived; `later`: in another transaction. */
export type RecipientVerdict = "known" | "later" | "malformed" | "foreign" | Rejection;

/** What is known before the message arrives. */
interface Announced extends Attempt {
  /** The size that the sender has declared (RFC 1870); 0 if none. */
  declaredSize: number;
}

/**
 * Whether mail for `recipient` would be accepted now. UNKNOWN_RECIPIENT is an unused address on a domain of this service,
 * BLOCKED a mailbox whose policy blocks the reverse path. OVER_QUOTA and EMAIL_TOO_LARGE are answered here because one
 * message has one reply for all of its recipients: a refusal of one among others would reach nobody. These are recorded
 * in the ledger. `foreign` is a domain that this service does not serve. A recipient that is known is added to
 * `transaction`, or is for a later one.
 */
export async function checkRecipient(
  service: Receives,
  { declaredSize, ...attempt }: Announced,
  recipient: string,
  transaction: SmtpTransaction,
): Promise<RecipientVerdict> {
  const parsed = recipientAddress(service, recipient);
  if (!parsed) return "malformed";
  if (await findReturned(service.database, parsed)) {
    return transaction.addReturnPath(parsed.address) ? "known" : "later";
  }
  const { address } = routingAddress(parsed);
  const { route, ledger } = await findRoute(service.database, service, address);
  const refused = async (ledger: LedgerOwner, code: Rejection) => {
    const what = { recipient, address, ledger, size: 0 };
    const outcome = await service.database.transact((tx) =>
      refuse(tx, service, attempt, what, code)
    );
    noteArrival(service, attempt, outcome, 0);
    return code;
  };
  const user = route && await service.database.get<User>(keys.user(route.userId));
  if (user) {
    const { userId, mailboxId } = route;
    const { maxEmailBytes } = service.plans[user.plan];
    const [lists, room] = await Promise.all([
      readPolicy(service.database, userId, mailboxId),
      roomFor(service.database, user, service.plans[user.plan], service.clock.now()),
    ]);
    const taker = { userId, mailboxId, maxEmailBytes, room, lists };
    const refusal = refusalOf(taker, attempt.sender, declaredSize);
    if (refusal) return await refused({ userId, mailboxId }, refusal);
    return transaction.add(taker) ? "known" : "later";
  }
  return ledger === null ? "foreign" : await refused(ledger, "UNKNOWN_RECIPIENT");
}

function refusalOf(
  { maxEmailBytes, room, lists }: Taker,
  sender: string,
  declaredSize: number,
): Rejection | null {
  if (blocksReversePath(lists, sender)) return "BLOCKED";
  if (maxEmailBytes !== null && declaredSize > maxEmailBytes) return "EMAIL_TOO_LARGE";
  return room.emails < 1 || room.bytes < Math.max(1, declaredSize) ? "OVER_QUOTA" : null;
}
