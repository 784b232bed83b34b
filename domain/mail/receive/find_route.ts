import type { DomainClaim } from "../../custom_domains/custom_domain.ts";
import { type ActiveRoute, isActive, type Route } from "../../mailboxes/route.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { unowned } from "./arrivals.ts";
import { operatorsMailbox, standIn } from "../../mailboxes/stand_in.ts";

/** The account, and the mailbox if there is one, whose ledger shows the mail for an address. */
export interface LedgerOwner {
  userId: string;
  mailboxId: string | null;
}

/** Who sees a refusal: only the operator once the account has ended. */
export async function ledgerOf(tx: Pick<Tx, "get">, owner: LedgerOwner): Promise<LedgerOwner> {
  if (owner.userId === unowned || await tx.get(keys.user(owner.userId)) !== null) return owner;
  return { userId: unowned, mailboxId: null };
}

/**
 * The active mailbox that mail for an address goes to. It is on a shared domain, or on a domain that its account has
 * verified. Mail to an address that no mailbox has and no hold keeps goes to the one that stands in for it. `ledger` shows refusals: to the owner of the domain, else to the account that has or had the address; null
 * for a domain that this service does not serve.
 */
export async function findRoute(
  tx: Pick<Tx, "get">,
  service: Pick<Service, "settings" | "clock" | "database">,
  address: string,
): Promise<{ route: ActiveRoute | null; ledger: LedgerOwner | null }> {
  const route = await tx.get<Route>(keys.mailboxByAddress(address));
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at), domain = address.slice(at + 1);
  const isShared = service.settings.SHARED_DOMAINS.includes(domain);
  const owner = isShared ? null : await tx.get<DomainClaim>(keys.customDomainVerified(domain));
  const isOpen = isActive(route) && (isShared || owner?.userId === route.userId);
  if (!isShared && !owner && !route) return { route: null, ledger: null };
  const isKept = route !== null && (isActive(route) || service.clock.now() < route.heldUntil);
  const other = isKept
    ? null
    : isShared
    ? await operatorsMailbox(tx, service, { local })
    : owner && await standIn(tx, service, owner.userId, { local, domain });
  if (other) return { route: other, ledger: other };
  const userId = owner?.userId ?? route?.userId ?? unowned;
  const mailboxId = isActive(route) && route.userId === userId ? route.mailboxId : null;
  return { route: isOpen ? route : null, ledger: { userId, mailboxId } };
}
