import type { DkimKey } from "../mail/dkim.ts";
import type { Service } from "../service.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";

/** Who has proved a custom domain: the value of `hosts_verified`. */
export interface VerifiedHost {
  userId: string;
  hostId: string;
}

/**
 * Whether an account may send from a domain: one of the shared pool, or one that it has proved and
 * that is still proved (DECISIONS.md 5 and 10).
 */
export async function maySendFrom(
  tx: Pick<Tx, "get">,
  service: Service,
  userId: string,
  domain: string,
): Promise<boolean> {
  if (service.settings.SHARED_DOMAINS.includes(domain)) return true;
  const verified = await tx.get<VerifiedHost>(keys.hostVerified(domain));
  return verified?.userId === userId;
}

/** The key that signs mail of a custom domain of the account; null where there is none. */
export async function signingKey(
  service: Service,
  userId: string,
  domain: string,
): Promise<DkimKey | null> {
  const verified = await service.entries.get<VerifiedHost>(keys.hostVerified(domain));
  if (verified?.userId !== userId) return null;
  return await service.entries.get<DkimKey>(keys.dkimKey(userId, verified.hostId));
}
