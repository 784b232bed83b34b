import type { Caller } from "../core/caller.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import type { Grant } from "../apps/grant.ts";
import type { ApiKey } from "./api_key.ts";
import { callerOfGrant, callerOfKey, callerOfSession } from "./credentials.ts";
import { isAlive } from "./issuer_chain.ts";
import { isMember, type Member, personOf } from "./member.ts";
import type { Session } from "./sessions.ts";
import type { User } from "./user.ts";

/** A credential by its id, without its secret, and its person. */
export type Issuer = Pick<Caller, "userId" | "keyId" | "grantId" | "sessionId" | "memberId">;

/** What of a caller names its credential and its person. */
export function issuerIn({ userId, keyId, grantId, sessionId, memberId }: Issuer): Issuer {
  return { userId, keyId, grantId, sessionId, memberId };
}

/** The key, grant or session of a caller as one field of a signed token. */
export function issuerField({ keyId, grantId, sessionId = "" }: Issuer): string {
  if (keyId !== undefined) return `k${keyId}`;
  return grantId === undefined ? `s${sessionId}` : `g${grantId}`;
}

/** The inverse of `issuerField`. */
export function issuerOf(userId: string, field: string): Issuer {
  const kind = field.slice(0, 1), id = field.slice(1);
  if (kind === "k") return { userId, keyId: id };
  return kind === "g" ? { userId, grantId: id } : { userId, sessionId: id };
}

/** The caller of a key, grant or session as it is now; null if that has ended or expired, or its account has. */
export async function callerOfIssuer(
  { database, clock }: Pick<Service, "database" | "clock">,
  { userId, keyId, grantId, sessionId = "" }: Issuer,
): Promise<Caller | null> {
  const now = clock.now();
  const user = await database.get<User>(keys.user(userId));
  if (!user) return null;
  const memberOf = (row: { userId: string; memberId?: string }) =>
    database.get<Member>(keys.member(userId, personOf(row).memberId));
  if (grantId !== undefined) {
    const grant = await database.get<Grant>(keys.grant(userId, grantId));
    const isLive = grant && grant.expiresAt > now && isMember(user, grant);
    const member = isLive ? await memberOf(grant) : null;
    return grant && member && callerOfGrant(user, member, grant);
  }
  if (keyId !== undefined) {
    const key = await database.get<ApiKey>(keys.apiKey(userId, keyId));
    const isOver = !key || (key.expiresAt !== null && key.expiresAt <= now);
    if (isOver || !await isAlive(database, user, key)) return null;
    return callerOfKey(user, key);
  }
  const session = await database.get<Session>(keys.session(userId, sessionId));
  if (!session || session.expiresAt <= now) return null;
  const member = await memberOf(session);
  return member && callerOfSession(user, member, session);
}
