import type { Scope } from "../core/caller.ts";
import type { Service } from "../core/service.ts";
import { familyOf, sha256Hex } from "../accounts/secrets.ts";
import { isMember } from "../accounts/member.ts";
import type { User } from "../accounts/user.ts";
import * as keys from "../store/keys.ts";
import { endGrant, type Family, type Grant } from "./grant.ts";
import { invalidGrant, OAuthError } from "./oauth_error.ts";
import { type IssuedTokens, issueTokens, mayBeUsedAgain } from "./tokens.ts";

/** What a client sends for new tokens (RFC 6749, 6). */
export interface Refresh {
  refreshToken: string;
  /** If it is given, the token must be this client's. */
  clientId?: string;
  /** Those of the new access token; absent: all of the grant. */
  scopes?: readonly string[];
}

const unknown = "The refresh token is unknown or has expired.";

/**
 * Gives a pair of tokens for a refresh token, which works for 60 s more. Whoever sends it later than that has an old copy:
 * it may be stolen, so the grant ends (RFC 9700, 4.14.2). Throws OAuthError `invalid_grant` or `invalid_scope`.
 */
export async function refreshGrant(service: Service, asked: Refresh): Promise<IssuedTokens> {
  const { database, clock, log } = service;
  const family = familyOf("refresh", asked.refreshToken);
  if (family === null) throw invalidGrant(unknown);
  const hash = sha256Hex(asked.refreshToken), familyHash = sha256Hex(family);
  const outcome = await database.transact(async (tx): Promise<Outcome> => {
    const row = await tx.get<Family>(keys.grantFamily(familyHash));
    if (!row || !("grantId" in row)) return { refusal: invalidGrant(unknown) };
    const { userId, grantId } = row;
    const grant = await tx.get<Grant>(keys.grant(userId, grantId));
    const user = await tx.get<User>(keys.user(userId));
    if (!grant || !user || !isMember(user, grant)) {
      return { refusal: invalidGrant(unknown) };
    }
    if (asked.clientId !== undefined && asked.clientId !== grant.client.clientId) {
      return { refusal: invalidGrant("The refresh token was given to another client.") };
    }
    const now = clock.now();
    const token = row.tokens.find((each) => each.hash === hash);
    if (!token || (token.usedAt !== null && !mayBeUsedAgain(token.usedAt, now))) {
      endGrant(tx, service, grant);
      const refusal = invalidGrant("The refresh token was used before: its grant has ended.");
      return { ended: { userId, grantId }, refusal };
    }
    if (token.expiresAt <= now) return { refusal: invalidGrant(unknown) };
    const scopes = asked.scopes && grant.scopes.filter((each) => asked.scopes?.includes(each));
    if (scopes && asked.scopes?.some((each) => !(scopes as readonly string[]).includes(each))) {
      return { refusal: new OAuthError("invalid_scope", "The grant has no such scope.") };
    }
    const used = { ...token, usedAt: token.usedAt ?? now };
    const before = row.tokens.map((each) => each === token ? used : each);
    const issued = issueTokens(tx, service, grant, {
      ...{ family, before, used },
      scopes: less(scopes, grant),
    });
    return { issued };
  });
  if (outcome.ended) {
    const { userId, grantId } = outcome.ended;
    service.credentials.forget(userId);
    log.warn("apps.token_reused", { user_id: userId, grant_id: grantId });
  }
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.issued;
}

type Outcome =
  & { ended?: { userId: string; grantId: string } }
  & ({ refusal: OAuthError } | { issued: IssuedTokens });

/** undefined if these are all scopes of the grant. */
function less(scopes: Scope[] | undefined, grant: Grant): Scope[] | undefined {
  return scopes && scopes.length < grant.scopes.length ? scopes : undefined;
}
