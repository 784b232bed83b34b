import { type Caller, grantableScopes, type Scope } from "../core/caller.ts";
import { invalidField, notFound, ServiceError } from "../core/errors.ts";
import { isBeyond, requireRole } from "../core/roles/least_role.ts";
import type { Service } from "../core/service.ts";
import { familyOf, newAuthorizationCode, sha256Hex } from "../accounts/secrets.ts";
import { personOf } from "../accounts/member.ts";
import { readUser } from "../accounts/user.ts";
import { readMailbox } from "../mailboxes/visible_mailboxes.ts";
import * as keys from "../store/keys.ts";
import type { Client } from "./client.ts";
import { findClient } from "./clients.ts";
import type { Code } from "./grant.ts";
import { isResource } from "./resource.ts";

/** What an app asks of a person. */
export interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  state?: string;
  /** The grantable ones of those that were asked for. */
  scopes: Scope[];
  resource?: string;
}

/** Those of the tools of the standard toolset, if an app asks for none. */
export const usualScopes: readonly Scope[] = [
  "emails:read",
  "emails:send",
  "mailboxes:read",
  "search",
];

/** How long a code can be exchanged, ms. */
const codeMs = 60_000;
const maxMailboxes = 100;

/** The scopes that a person of this role can allow an app to use. */
function scopesToGrant({ role }: Pick<Caller, "role">): readonly Scope[] {
  return grantableScopes.filter((each) => role === undefined || !isBeyond(role, [each]));
}

/**
 * The parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2). Client and redirect were
 * found to be right before. `error` is one of the codes that go to the redirect.
 */
export function readAuthorize(
  { settings }: Pick<Service, "settings">,
  caller: Pick<Caller, "role">,
  client: Client,
  params: Record<string, string>,
): { request: AuthorizeRequest } | { error: string; description: string } {
  const { response_type, code_challenge, code_challenge_method, redirect_uri, state, resource } =
    params;
  const refuse = (error: string, description: string) => ({ error, description });
  if (!response_type) return refuse("invalid_request", "response_type is missing.");
  if (response_type !== "code") {
    return refuse("unsupported_response_type", "The only response_type is code.");
  }
  if (!code_challenge) return refuse("invalid_request", "code_challenge is missing.");
  if (code_challenge_method !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge)) {
    return refuse("invalid_request", "code_challenge must be of the code_challenge_method S256.");
  }
  if (resource && !isResource(settings, resource)) {
    return refuse("invalid_target", "This server has no such resource.");
  }
  const asked = (params.scope ?? "").split(" ").filter((each) =>
    each !== "" && each !== "offline_access"
  );
  const wanted: readonly string[] = asked.length === 0 ? usualScopes : asked;
  const scopes = scopesToGrant(caller).filter((each) => wanted.includes(each));
  if (scopes.length === 0) {
    return refuse("invalid_scope", "None of the scopes exists and can be granted by this person.");
  }
  const { clientId } = client;
  const request = { clientId, redirectUri: redirect_uri, codeChallenge: code_challenge, scopes };
  return {
    request: { ...request, ...(state ? { state } : {}), ...(resource ? { resource } : {}) },
  };
}

/**
 * Stores what the person chose, for 60 s, and returns the code for it. The grant is made when the code is exchanged.
 * `mailboxIds` null: all. Throws VALIDATION_ERROR, and NOT_FOUND for a mailbox that the caller does not see.
 */
export async function allowApp(
  service: Service,
  caller: Caller,
  request: AuthorizeRequest,
  chosen: { scopes: Scope[]; mailboxIds: string[] | null },
): Promise<string> {
  const { database, clock, ids } = service;
  const { sessionId } = caller;
  if (sessionId === undefined) throw new ServiceError("FORBIDDEN");
  requireRole(caller, "allow_app");
  const client = await findClient(service, request.clientId, caller.userId);
  if (!client) throw notFound("app");
  const scopes = scopesToGrant(caller).filter((each) => chosen.scopes.includes(each));
  if (scopes.length === 0 || chosen.scopes.some((each) => !scopes.includes(each))) {
    throw invalidField("scope", "must name at least one scope, and only grantable ones");
  }
  const mailboxIds = chosen.mailboxIds && [...new Set(chosen.mailboxIds)];
  if (mailboxIds && (mailboxIds.length === 0 || mailboxIds.length > maxMailboxes)) {
    throw invalidField("mailbox_id", `must name 1 to ${maxMailboxes} mailboxes`);
  }
  for (const mailboxId of mailboxIds ?? []) await readMailbox(database, caller, mailboxId);
  const code = newAuthorizationCode(ids);
  const person = personOf(caller), { userId, memberId } = person;
  const row: Omit<Code, "generation"> = {
    ...person,
    client: { clientId: client.clientId, name: client.name, redirectUri: request.redirectUri },
    codeChallenge: request.codeChallenge,
    scopes,
    ...(mailboxIds ? { mailboxIds } : {}),
    expiresAt: clock.now() + codeMs,
  };
  const audited = service.audit.begin(caller, "allow_app", { surface: "rest" });
  const key = keys.grantFamily(sha256Hex(familyOf("code", code)!));
  await database.transact(async (tx) => {
    const user = await readUser(tx, userId);
    // A reset of the password ends it together with the grants.
    if (await tx.get(keys.session(userId, sessionId)) === null) {
      throw new ServiceError("UNAUTHORIZED");
    }
    const generation = user.grantGenerations?.[memberId] ?? 0;
    tx.set(key, { ...row, generation } satisfies Code, { expireInMs: codeMs });
    audited?.note({}, tx);
  });
  return code;
}

/** The redirect with an answer, and the issuer with it (RFC 9207). Parameters that are undefined are left out. */
export function answerUrl(
  { settings }: Pick<Service, "settings">,
  redirectUri: string,
  answer: Record<string, string | undefined>,
): string {
  const given = Object.entries({ ...answer, iss: settings.BASE_URL }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
