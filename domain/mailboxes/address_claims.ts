import { hasProved } from "../custom_domains/custom_domain.ts";
import { normaliseHost } from "../core/host_name.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { endCatchAll } from "./catch_all.ts";
import type { AddressFacts } from "./check_address.ts";
import { isActive, type Route } from "./route.ts";
import type { Caller } from "../core/caller.ts";
import type { Mailbox } from "./mailbox.ts";

const dayMs = 86_400_000;

/** The facts that `checkAddress` needs about the domain in `domainText`. */
export async function addressFacts(
  tx: Pick<Tx, "get">,
  service: Service,
  caller: Caller,
  domainText: string | null | undefined,
): Promise<AddressFacts> {
  const sharedDomains = service.settings.SHARED_DOMAINS;
  const domain = normaliseHost(domainText ?? "");
  const own = domain !== null && !sharedDomains.includes(domain) &&
    await hasProved(tx, caller.userId, domain);
  return {
    plan: caller.plan,
    sharedDomains,
    verifiedDomains: own ? [domain] : [],
    ownDomainsAllowed: service.plans[caller.plan].customDomains !== 0,
    reservedNames: service.settings.DISALLOWED_EMAIL_NAME,
    anyOwnName: service.settings.OWN_DOMAIN_NAMES === "any",
  };
}

/**
 * Whether `userId` may take the address: nobody has it, the mailbox `keptBy` has it, it is held for this account, or the
 * hold is over (docs/specification.md "Deletion").
 */
export function isFree(
  route: Route | null,
  userId: string,
  now: number,
  keptBy?: string,
): boolean {
  if (route === null) return true;
  if (isActive(route)) return route.userId === userId && route.mailboxId === keptBy;
  return route.userId === userId || now >= route.heldUntil;
}

/** Writes the mailbox under its address: record, routing, the index by host and the counts, in one transaction. */
export async function claimAddress(tx: Tx, service: Service, mailbox: Mailbox): Promise<void> {
  const { userId, mailboxId, address, domain } = mailbox;
  tx.set(keys.mailbox(userId, mailboxId), mailbox);
  tx.set(keys.mailboxByAddress(address), { userId, mailboxId } satisfies Route);
  tx.set(keys.mailboxByDomain(userId, domain, mailboxId), true);
  await count(tx, service, mailbox, 1);
}

/**
 * Releases the address of the mailbox, which stays held for the account for `ADDRESS_HOLD_DAYS`; it is no catch-all any more. The caller deletes the
 * record, or writes it again under another address.
 */
export async function releaseAddress(tx: Tx, service: Service, mailbox: Mailbox): Promise<void> {
  const { userId, mailboxId, address, domain } = mailbox;
  const holdMs = service.settings.ADDRESS_HOLD_DAYS * dayMs;
  const heldUntil = service.clock.now() + holdMs;
  if (holdMs === 0) tx.delete(keys.mailboxByAddress(address));
  else {
    tx.set(keys.mailboxByAddress(address), { userId, heldUntil } satisfies Route, {
      expireInMs: holdMs,
    });
  }
  tx.delete(keys.mailboxByDomain(userId, domain, mailboxId));
  await endCatchAll(tx, mailbox);
  await count(tx, service, mailbox, -1);
}

/** Counts the mailboxes of the account, and of a custom domain, in the commit that adds or removes one. */
async function count(
  tx: Tx,
  service: Service,
  { userId, domain }: Mailbox,
  change: 1 | -1,
): Promise<void> {
  const quota = keys.mailboxQuota(userId);
  tx.set(quota, Math.max(0, (await tx.get<number>(quota) ?? 0) + change));
  if (service.settings.SHARED_DOMAINS.includes(domain)) return;
  const key = keys.customDomainMailboxes(userId, domain);
  const mailboxes = (await tx.get<number>(key) ?? 0) + change;
  if (mailboxes > 0) tx.set(key, mailboxes);
  else tx.delete(key);
}
