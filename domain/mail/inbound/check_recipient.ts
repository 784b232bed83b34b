import { parseEnvelopeAddress, routingAddress } from "../../mailboxes/address.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { readPolicy } from "../../mailboxes/policy/policy.ts";
import { blocksReversePath } from "../../mailboxes/policy/sender_lists.ts";
import { findRoute } from "./find_route.ts";
import { findReturned } from "./return_path.ts";
import type { Attempt } from "./receive.ts";
import type { Refusals } from "./refusals.ts";

/** The answer about a recipient before the message has arrived. */
export type RecipientVerdict = "known" | "unknown" | "blocked" | "malformed" | "foreign";

/**
 * Whether mail for `recipient` would be accepted now. `unknown` is an unused address on a domain of this service,
 * `blocked` a mailbox whose policy blocks the reverse path; both are recorded in the ledger, counted for `peer`. `foreign`
 * is a domain that this service does not serve.
 */
export async function checkRecipient(
  service: Service,
  attempt: Attempt,
  recipient: string,
  { refusals, peer }: { refusals: Refusals; peer: string },
): Promise<RecipientVerdict> {
  const parsed = parseEnvelopeAddress(recipient);
  if (!parsed) return "malformed";
  if (await findReturned(service.database, parsed)) return "known";
  const { address } = routingAddress(parsed);
  const { route, ledger } = await findRoute(service.database, service, address);
  const refused = { ...attempt, recipient, domain: domainOf(address), peer };
  if (route && await service.database.get(keys.user(route.userId)) !== null) {
    const { userId, mailboxId } = route;
    const policy = await readPolicy(service.database, userId, mailboxId);
    if (!blocksReversePath(policy, attempt.sender)) return "known";
    await refusals.record({ ...refused, ledger: { userId, mailboxId }, code: "BLOCKED" });
    return "blocked";
  }
  if (ledger === null) return "foreign";
  await refusals.record({ ...refused, ledger, code: "UNKNOWN_RECIPIENT" });
  return "unknown";
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
