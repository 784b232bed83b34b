import { isRecent } from "../core/clock.ts";
import type { Scope } from "../core/caller.ts";
import type { Service } from "../core/service.ts";
import { newGrantAccessToken, newGrantRefreshToken, sha256Hex } from "../accounts/secrets.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { AccessToken, Grant, RefreshToken, RefreshTokens } from "./grant.ts";

export const accessSeconds = 3_600;
const refreshMs = 90 * 86_400_000;
/** A client whose answer was lost, or two of its processes at once, can use a refresh token again for this long. */
const againMs = 60_000;
/**
 * A grant has at most this many refresh tokens: only processes that use one at the same time make more than one. The oldest
 * goes, but not the one in use, and its access token with it: so a client in a loop fills no store.
 */
const maxTokens = 100;

/** The answer of the token endpoint (RFC 6749, 5.1). */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  scopes: readonly Scope[];
}

/** Whether a refresh token that was used at `usedAt` may be used again. */
export function mayBeUsedAgain(usedAt: number, now: number): boolean {
  return isRecent(usedAt, now, againMs);
}

/**
 * Makes a pair of tokens and writes it with the grant. `family` is the secret of all refresh tokens of the grant, `before`
 * are those that it has, and `used` is the one for which the pair is. `scopes`: those of the access token, if it may do
 * less than the grant.
 */
export function issueTokens(
  tx: Tx,
  { clock, ids }: Pick<Service, "clock" | "ids">,
  grant: Omit<Grant, "expiresAt">,
  { family, before, used, scopes }: {
    family: string;
    before: readonly RefreshToken[];
    used?: RefreshToken;
    scopes?: readonly Scope[];
  },
): IssuedTokens {
  const now = clock.now();
  const accessToken = newGrantAccessToken(ids), refreshToken = newGrantRefreshToken(ids, family);
  const { userId, grantId } = grant;
  const access = sha256Hex(accessToken), expiresAt = now + refreshMs;
  const tokens = before.filter(({ usedAt }) => usedAt === null || mayBeUsedAgain(usedAt, now));
  tokens.push({ hash: sha256Hex(refreshToken), access, expiresAt, usedAt: null });
  if (tokens.length > maxTokens) {
    const [gone] = tokens.splice(tokens[0] === used ? 1 : 0, 1);
    tx.delete(keys.grantByAccess(gone.access));
  }
  tx.set(keys.grantFamily(grant.family), { userId, grantId, tokens } satisfies RefreshTokens);
  const expireInMs = accessSeconds * 1_000;
  const token: AccessToken = {
    ...{ userId, grantId, expiresAt: now + expireInMs },
    ...(scopes ? { scopes } : {}),
  };
  tx.set(keys.grantByAccess(access), token, { expireInMs });
  tx.set(keys.grant(userId, grantId), { ...grant, expiresAt } satisfies Grant);
  return { accessToken, refreshToken, scopes: scopes ?? grant.scopes };
}
