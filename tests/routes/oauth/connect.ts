import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { allowApp, readAuthorize } from "../../../domain/apps/authorize.ts";
import { grantableScopes } from "../../../domain/core/caller.ts";
import { findClient } from "../../../domain/apps/clients.ts";
import type { Scope } from "../../../domain/core/caller.ts";
import type { TestAccount, TestService } from "../../service.ts";

export const verifier = "a-verifier-of-the-tests-0123456789-0123456789-01";
export const challenge = createHash("sha256").update(verifier).digest("base64url");
export const redirectUri = "https://app.example/callback";

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

/** Registers a client over HTTP. */
export async function register(test: TestService, fields: object = {}): Promise<string> {
  const answer = await test.request("/oauth/register", {
    json: { redirect_uris: [redirectUri], client_name: "Test app", ...fields },
  });
  assert.equal(answer.status, 201);
  return (await answer.json()).client_id;
}

export interface Allowed {
  clientId?: string;
  /** Absent: all that the person can allow. */
  scopes?: readonly Scope[];
  mailboxIds?: string[] | null;
  redirectUri?: string;
}

/** The code that a person gives a client, as the consent page does it. */
export async function codeFor(
  { service }: TestService,
  owner: Pick<TestAccount, "userId" | "accessToken">,
  clientId: string,
  { scopes, mailboxIds = null, redirectUri: uri = redirectUri }: Allowed = {},
): Promise<string> {
  const client = await findClient(service, clientId, owner.userId);
  assert.ok(client);
  const caller = await service.credentials.callerOf({
    kind: "access",
    secret: owner.accessToken,
  });
  assert.ok(caller);
  const read = readAuthorize(service, caller, client, {
    ...{ response_type: "code", client_id: clientId, redirect_uri: uri },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
    scope: grantableScopes.join(" "),
  });
  assert.ok("request" in read);
  const chosen = { scopes: [...scopes ?? read.request.scopes], mailboxIds };
  return await allowApp(service, caller, read.request, chosen);
}

/** A form to an endpoint of OAuth. */
export async function form(
  test: TestService,
  path: string,
  fields: Record<string, string> | [string, string][],
): Promise<Response> {
  return await test.request(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
}

export const exchange = (
  test: TestService,
  clientId: string,
  code: string,
  fields: Record<string, string> = {},
) =>
  form(test, "/oauth/token", {
    ...{ grant_type: "authorization_code", client_id: clientId, code },
    ...{ code_verifier: verifier, redirect_uri: redirectUri },
    ...fields,
  });

export const refresh = (test: TestService, token: string, fields: Record<string, string> = {}) =>
  form(test, "/oauth/token", { grant_type: "refresh_token", refresh_token: token, ...fields });

/** Status and `error` of an answer. */
export async function refusal(answer: Response | Promise<Response>): Promise<[number, string]> {
  const { status, body } = await read(answer);
  return [status, body.error];
}

export async function read(
  given: Response | Promise<Response>,
  // deno-lint-ignore no-explicit-any -- tests look at whatever came back
): Promise<{ status: number; body: any }> {
  const answer = await given;
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}

/** Registers a client and connects it: its tokens and the id of its grant. */
export async function connect(
  test: TestService,
  owner: Pick<TestAccount, "userId" | "accessToken">,
  allowed: Allowed = {},
): Promise<Tokens & { clientId: string; code: string; grantId: string }> {
  const uri = allowed.redirectUri ?? redirectUri;
  const clientId = allowed.clientId ?? await register(test, { redirect_uris: [uri] });
  const code = await codeFor(test, owner, clientId, allowed);
  const answer = await exchange(test, clientId, code, { redirect_uri: uri });
  assert.equal(answer.status, 200);
  const apps = await appsOf(test, owner);
  return { ...await answer.json(), clientId, code, grantId: apps.at(-1).grant_id };
}

export async function appsOf(
  test: TestService,
  owner: Pick<TestAccount, "accessToken">,
  // deno-lint-ignore no-explicit-any -- tests look at whatever came back
): Promise<any[]> {
  const answer = await test.request("/api/apps", { token: owner.accessToken });
  assert.equal(answer.status, 200);
  return (await answer.json()).data;
}
