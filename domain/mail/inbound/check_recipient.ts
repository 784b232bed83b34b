import type { User } from "../../accounts/user.ts";
import { isFull } from "../../billing/usage.ts";
import { parseEnvelopeAddress, routingAddress } from "../../mailboxes/address.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";
import { blocksReversePath } from "../../mailboxes/policy/sender_lists.ts";
import { findRoute, type LedgerOwner } from "./find_route.ts";
import { findReturned } from "./return_path.ts";
import type { Attempt } from "./delivery.ts";
import type { Refusal, Refusals } from "./refusals.ts";

/** The answer about a recipient before the message has arrived. */
export type RecipientVerdict = "known" | "malformed" | "foreign" | Refusal["code"];

/** What is known before the message arrives. */
interface Announced extends Attempt {
  /** The size that the sender has declared (RFC 1870); 0 if none. */
  declaredSize: number;
}

/**
 * Whether mail for `recipient` would be accepted now. UNKNOWN_RECIPIENT is an unused address on a domain of this service,
 * BLOCKED a mailbox whose policy blocks the reverse path. OVER_QUOTA and EMAIL_TOO_LARGE are answered here because one message
 * has one reply for all of its recipients: a refusal of one among others would reach nobody. These are recorded in the
 * ledger, counted for `peer`. `foreign` is a domain that this service does not serve.
 */
export async function checkRecipient(
  service: Service,
  { declaredSize, ...attempt }: Announced,
  recipient: string,
  { refusals, peer }: { refusals: Refusals; peer: string },
): Promise<RecipientVerdict> {
  const parsed = parseEnvelopeAddress(recipient);
  if (!parsed) return "malformed";
  if (await findReturned(service.database, parsed)) return "known";
  const { address } = routingAddress(parsed);
  const { route, ledger } = await findRoute(service.database, service, address);
  const refuse = async (ledger: LedgerOwner, code: Refusal["code"]) => {
    const domain = domainOf(address);
    await refusals.record({ ...attempt, recipient, domain, peer, ledger, code });
    return code;
  };
  const user = route && await service.database.get<User>(keys.user(route.userId));
  if (user) {
    const { userId, mailboxId } = route;
    const refusal = await refusalOf(service, user, { ...attempt, declaredSize, mailboxId });
    return refusal ? await refuse({ userId, mailboxId }, refusal) : "known";
  }
  return ledger === null ? "foreign" : await refuse(ledger, "UNKNOWN_RECIPIENT");
}

async function refusalOf(
  { database, plans, clock }: Service,
  user: User,
  { sender, declaredSize, mailboxId }: Announced & { mailboxId: string },
): Promise<Refusal["code"] | null> {
  const policy = await readPolicy(database, user.userId, mailboxId);
  if (blocksReversePath(policy, sender)) return "BLOCKED";
  const limits = plans[user.plan];
  const { maxEmailBytes } = limits;
  if (maxEmailBytes !== null && declaredSize > maxEmailBytes) return "EMAIL_TOO_LARGE";
  const isOver = await isFull(database, user, limits, clock.now(), Math.max(1, declaredSize));
  return isOver ? "OVER_QUOTA" : null;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
