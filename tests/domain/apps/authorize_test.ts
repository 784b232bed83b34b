import assert from "node:assert/strict";
import { allowApp, answerUrl, readAuthorize, usualScopes } from "../../../domain/apps/authorize.ts";
import { grantableScopes, scopes } from "../../../domain/core/caller.ts";
import type { Role } from "../../../domain/core/roles/role.ts";
import { scopesUsedBy } from "../../../routes/mcp/mcp_challenge.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, mailbox, testService } from "../../service.ts";
import { challenge, codeFor, redirectUri, register } from "../../routes/oauth/connect.ts";

const client = { clientId: "c", name: "n", redirectUris: [redirectUri] };
const settings = { BASE_URL: "https://box.example" } as Parameters<
  typeof readAuthorize
>[0]["settings"];
const right = {
  response_type: "code",
  client_id: "c",
  redirect_uri: redirectUri,
  code_challenge: challenge,
  code_challenge_method: "S256",
};
const readWith = (params: Record<string, string>, role: Role = "owner") =>
  readAuthorize({ settings }, { role }, client, { ...right, ...params });
function errorOf(params: Record<string, string>): string {
  const read = readWith(params);
  return "error" in read ? read.error : "none";
}
function scopesOf(scope: string, role?: Role): readonly string[] {
  const read = readWith({ scope }, role);
  return "request" in read ? read.request.scopes : [read.error];
}

// SPEC: oauth.authorize
Deno.test("each wrong parameter of an authorization request has the error of its RFC", () => {
  assert.equal(errorOf({ response_type: "" }), "invalid_request");
  assert.equal(errorOf({ response_type: "token" }), "unsupported_response_type");
  assert.equal(errorOf({ response_type: "code token" }), "unsupported_response_type");
  assert.equal(errorOf({ code_challenge: "" }), "invalid_request");
  assert.equal(errorOf({ code_challenge: "short" }), "invalid_request");
  assert.equal(errorOf({ code_challenge_method: "plain" }), "invalid_request");
  assert.equal(errorOf({ code_challenge_method: "" }), "invalid_request");
  assert.equal(errorOf({ scope: "nothing else" }), "invalid_scope");
  assert.equal(errorOf({ scope: "emails:approve policy:write keys:write" }), "invalid_scope");
  for (const resource of ["https://other.example/v1/mcp", "https://box.example/v1", "x"]) {
    assert.equal(errorOf({ resource }), "invalid_target", resource);
  }
  assert.equal(errorOf({ unknown: "x" }), "none");
});

Deno.test("a resource is compared without its query and a last slash", () => {
  for (const rest of ["", "/", "?toolset=full", "/?tools=a,b"]) {
    assert.equal(errorOf({ resource: `https://box.example/v1/mcp${rest}` }), "none", rest);
  }
  for (const rest of ["//", "/x", "#x", "x"]) {
    assert.equal(
      errorOf({ resource: `https://box.example/v1/mcp${rest}` }),
      "invalid_target",
      rest,
    );
  }
});

// SPEC: oauth.authorize
Deno.test("unknown and ungrantable scopes are left out; none asked means those of the eight tools", () => {
  assert.deepEqual(scopesOf("search bogus keys:write emails:read offline_access"), [
    "emails:read",
    "search",
  ]);
  for (const none of ["", " ", "offline_access"]) assert.deepEqual(scopesOf(none), usualScopes);
  const eight = tools.filter(({ toolsets }) => toolsets.includes("standard"));
  assert.equal(eight.length, 8);
  assert.deepEqual(usualScopes, scopesUsedBy(eight));
  assert.deepEqual(
    grantableScopes,
    scopes.filter((each) => !["emails:approve", "policy:write", "keys:write"].includes(each)),
  );
});

// SPEC: roles.grants
Deno.test("a person can grant no scope beyond their role", () => {
  const all = scopes.join(" ");
  const read = ["emails:read", "mailboxes:read", "search", "audit:read"];
  for (const role of ["viewer", "approver"] as const) assert.deepEqual(scopesOf(all, role), read);
  for (const role of ["admin", "owner"] as const) {
    assert.deepEqual(scopesOf(all, role), grantableScopes);
  }
  assert.deepEqual(scopesOf("", "viewer"), ["emails:read", "mailboxes:read", "search"]);
  assert.deepEqual(scopesOf("emails:send emails:write", "viewer"), ["invalid_scope"]);
});

Deno.test("an answer has the issuer, and keeps the redirect as it is", () => {
  const answer = (uri: string, params: Record<string, string | undefined>) =>
    answerUrl({ settings }, uri, params);
  assert.equal(
    answer(redirectUri, { code: "c 1", state: "a&b=ü" }),
    `${redirectUri}?code=c+1&state=a%26b%3D%C3%BC&iss=https%3A%2F%2Fbox.example`,
  );
  assert.equal(
    answer("com.example.app:/cb?x=%20", { error: "access_denied", state: undefined }),
    "com.example.app:/cb?x=%20&error=access_denied&iss=https%3A%2F%2Fbox.example",
  );
});

Deno.test("a person can allow only grantable scopes and own mailboxes, and only a session can allow", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const clientId = await register(test);
  const foreign = await mailbox(test, other);
  const tries = [
    { allowed: { scopes: [] }, code: "VALIDATION_ERROR" },
    { allowed: { scopes: ["keys:write" as const, "search" as const] }, code: "VALIDATION_ERROR" },
    { allowed: { scopes: ["emails:approve" as const] }, code: "VALIDATION_ERROR" },
    { allowed: { mailboxIds: [] }, code: "VALIDATION_ERROR" },
    { allowed: { mailboxIds: [foreign.mailbox_id] }, code: "NOT_FOUND" },
  ];
  for (const { allowed, code } of tries) {
    await assert.rejects(codeFor(test, owner, clientId, allowed), { code });
  }
  const caller = await test.service.credentials.callerOf({ kind: "key", secret: owner.key });
  const request = {
    ...{ clientId, redirectUri, codeChallenge: challenge },
    scopes: [...usualScopes],
  };
  const chosen = { scopes: [...usualScopes], mailboxIds: null };
  await assert.rejects(allowApp(test.service, caller!, request, chosen), { code: "FORBIDDEN" });
});
