import type { Caller } from "../operation.ts";
import type { Service } from "../service.ts";
import * as keys from "../store/keys.ts";
import type { ApiKey, ApiKeyRef } from "./api_keys.ts";
import { isWellFormedApiKey, sha256Hex } from "./secrets.ts";
import { findSession } from "./sessions.ts";
import type { User } from "./user.ts";

/** Whose API key this is; null where it is malformed, unknown, revoked or expired. */
export async function authenticateKey(service: Service, apiKey: string): Promise<Caller | null> {
  if (!isWellFormedApiKey(apiKey)) return null;
  const ref = await service.entries.get<ApiKeyRef>(keys.apiKeyByHash(sha256Hex(apiKey)));
  if (!ref) return null;
  const [key, user] = await service.entries.getMany<ApiKey | User>([
    keys.apiKey(ref.userId, ref.keyId),
    keys.user(ref.userId),
  ]) as [ApiKey | null, User | null];
  if (!key || !user || (key.expiresAt !== null && key.expiresAt <= service.clock.now())) {
    return null;
  }
  return {
    userId: user.userId,
    plan: user.plan,
    keyId: key.keyId,
    ...(key.scopes ? { scopes: key.scopes } : {}),
    ...(key.mailboxIds ? { mailboxIds: key.mailboxIds } : {}),
  };
}

/** Whose session this token or cookie is of; null where it is unknown, ended or expired. */
export async function authenticateSession(
  service: Service,
  kind: "access" | "refresh",
  token: string,
): Promise<Caller | null> {
  const session = await findSession(service, kind, token);
  const user = session && await service.entries.get<User>(keys.user(session.userId));
  return user && { userId: user.userId, plan: user.plan, sessionId: session.sessionId };
}
