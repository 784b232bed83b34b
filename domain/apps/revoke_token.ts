import type { Service } from "../core/service.ts";
import { familyOf, sha256Hex } from "../accounts/secrets.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type AccessToken, endGrant, type Family, type Grant } from "./grant.ts";
import { invalidGrant } from "./oauth_error.ts";

/**
 * Ends the grant of an access or refresh token, an old one too (RFC 7009, 2.1). Returns false if there is no such grant.
 * Throws OAuthError `invalid_grant` if it is another client's.
 */
export async function revokeToken(
  service: Service,
  token: string,
  clientId: string | undefined,
): Promise<boolean> {
  const { database, clock, credentials } = service;
  const found = await grantOf(database, token);
  const isLive = found && (found.expiresAt === undefined || found.expiresAt > clock.now());
  if (!isLive) return false;
  const { userId, grantId } = found;
  const isEnded = await database.transact(async (tx) => {
    const grant = await tx.get<Grant>(keys.grant(userId, grantId));
    if (!grant) return false;
    if (clientId !== undefined && clientId !== grant.client.clientId) {
      throw invalidGrant("The token was given to another client.");
    }
    endGrant(tx, service, grant);
    return true;
  });
  if (isEnded) credentials.forget(userId);
  return isEnded;
}

async function grantOf(
  database: Database,
  token: string,
): Promise<Pick<AccessToken, "userId" | "grantId"> & { expiresAt?: number } | null> {
  const family = familyOf("refresh", token);
  if (family === null) return await database.get<AccessToken>(keys.grantByAccess(sha256Hex(token)));
  const row = await database.get<Family>(keys.grantFamily(sha256Hex(family)));
  return row && "grantId" in row ? { userId: row.userId, grantId: row.grantId } : null;
}
