import type { DkimKey } from "../../mime/compose/dkim.ts";
import { readUser } from "../accounts/user.ts";
import { ServiceError } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type DomainClaim, hasProved } from "./custom_domain.ts";

/**
 * Whether an account may send from a domain: it is a shared one, or the account has proved it and it has not lapsed.
 */
export async function maySendFrom(
  tx: Pick<Tx, "get">,
  service: Service,
  userId: string,
  domain: string,
): Promise<boolean> {
  if (service.settings.SHARED_DOMAINS.includes(domain)) return true;
  return await hasProved(tx, userId, domain);
}

/** Throws DOMAIN_NOT_ALLOWED if the account may not send from the domain of its mailbox. */
export async function requireSendingDomain(
  tx: Tx,
  service: Service,
  userId: string,
  domain: string,
): Promise<void> {
  if (await maySendFrom(tx, service, userId, domain)) return;
  const { plan } = await readUser(tx, userId);
  const reason = "The mailbox's domain is not verified.";
  throw new ServiceError("DOMAIN_NOT_ALLOWED", reason, { domain, plan });
}

/** The DKIM key of a verified custom domain of the account; null if there is none. */
export async function signingKey(
  service: Service,
  userId: string,
  domain: string,
): Promise<DkimKey | null> {
  const verified = await service.database.get<DomainClaim>(keys.customDomainVerified(domain));
  if (verified?.userId !== userId) return null;
  return await service.database.get<DkimKey>(keys.dkimKey(userId, verified.domainId));
}
