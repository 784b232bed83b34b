import { hash } from "node:crypto";
import type { Service } from "../core/service.ts";
import { equalSecrets, familyOf, sha256Hex } from "../accounts/secrets.ts";
import { isMember, personOf } from "../accounts/member.ts";
import type { User } from "../accounts/user.ts";
import * as keys from "../store/keys.ts";
import { isDocumentUrl } from "./client_documents.ts";
import { type Code, endGrant, type Family, type Grant } from "./grant.ts";
import { invalidGrant, type OAuthError } from "./oauth_error.ts";
import { keepClient } from "./registered_client.ts";
import { type IssuedTokens, issueTokens } from "./tokens.ts";

/** What a client sends for its tokens (RFC 6749, 4.1.3; RFC 7636, 4.5). */
export interface CodeExchange {
  code: string;
  clientId: string;
  codeVerifier: string;
  redirectUri?: string;
}

/** An account has at most this many grants: a further one ends those that expired, and that which was used least lately. */
const maxGrants = 200;
const unknown = "The code is unknown or has expired.";

/**
 * Makes the grant of a code. A code is used once: its second use ends the grant (RFC 6749, 4.1.2). Throws OAuthError
 * `invalid_grant`.
 */
export async function exchangeCode(service: Service, asked: CodeExchange): Promise<IssuedTokens> {
  const { database, clock, ids } = service;
  const family = familyOf("code", asked.code);
  if (family === null) throw invalidGrant(unknown);
  const familyHash = sha256Hex(family), key = keys.grantFamily(familyHash);
  const grantId = `${keys.grantIdPrefix}${ids.timed(clock.now())}`;
  const ending = await excessGrants(service, await database.get<Family>(key));
  const outcome = await database.transact(async (tx): Promise<Outcome> => {
    const row = await tx.get<Family>(key);
    if (!row) return { refusal: invalidGrant(unknown) };
    const { userId } = row;
    if ("grantId" in row) {
      endGrant(tx, service, { ...row, family: familyHash });
      return {
        ended: userId,
        refusal: invalidGrant("The code was used before: its grant has ended."),
      };
    }
    const now = clock.now();
    const { memberId } = personOf(row);
    const user = await tx.get<User>(keys.user(userId));
    const refusal = row.expiresAt <= now || !user || !isMember(user, row)
      ? invalidGrant(unknown)
      : mismatch(row, asked);
    if (refusal) return { refusal };
    const { client, scopes, mailboxIds, generation } = row;
    if (!isDocumentUrl(service.settings, client.clientId)) await keepClient(tx, client.clientId);
    for (const { grantId } of ending) {
      const grant = await tx.get<Grant>(keys.grant(userId, grantId));
      if (grant) endGrant(tx, service, grant);
    }
    const grant: Omit<Grant, "expiresAt"> = {
      ...{ grantId, userId, memberId, client, scopes },
      ...(mailboxIds ? { mailboxIds } : {}),
      ...{ createdAt: now, lastUsedAt: null, family: familyHash, generation },
    };
    const issued = issueTokens(tx, service, grant, { family, before: [] });
    return ending.length > 0 ? { ended: userId, issued } : { issued };
  });
  if (outcome.ended !== undefined) service.credentials.forget(outcome.ended);
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.issued;
}

/** `ended`: the account of which grants ended. */
type Outcome = { ended?: string } & ({ refusal: OAuthError } | { issued: IssuedTokens });

function mismatch(code: Code, asked: CodeExchange): OAuthError | null {
  if (code.client.clientId !== asked.clientId) {
    return invalidGrant("The code was given to another client.");
  }
  if (asked.redirectUri !== undefined && asked.redirectUri !== code.client.redirectUri) {
    return invalidGrant("redirect_uri is not that of the authorization request.");
  }
  const challenge = hash("sha256", asked.codeVerifier, "base64url");
  return equalSecrets(challenge, code.codeChallenge)
    ? null
    : invalidGrant("code_verifier does not match the code_challenge.");
}

/** The grants that must end before the account of a code gets another one. */
async function excessGrants(
  { database, clock }: Service,
  code: Family | null,
): Promise<readonly Grant[]> {
  if (!code || "grantId" in code) return [];
  const rows = await database.collect<Grant>({ prefix: keys.grants(code.userId) });
  const now = clock.now();
  const usedAt = ({ lastUsedAt, createdAt }: Grant) => lastUsedAt ?? createdAt;
  const byUse = rows.map(({ value }) => value).sort((a, b) => usedAt(a) - usedAt(b));
  const expired = byUse.filter(({ expiresAt }) => expiresAt <= now).slice(0, maxEndedAtOnce);
  const live = byUse.filter(({ expiresAt }) => expiresAt > now);
  return [...expired, ...live.slice(0, Math.max(0, live.length - (maxGrants - 1)))];
}

/** Each is a check and a job. */
const maxEndedAtOnce = 10;
