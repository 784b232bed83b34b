import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";
import { post } from "../mcp/post.ts";
import {
  appsOf,
  codeFor,
  connect,
  exchange,
  form,
  read,
  redirectUri,
  refresh,
  refusal,
  register,
} from "./connect.ts";

const hour = 3_600_000, day = 24 * hour;
const invalidGrant = [400, "invalid_grant"];

// SPEC: oauth.token
Deno.test("a code becomes a pair of tokens, which call tools and REST until the access token ends after an hour", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const clientId = await register(test);
  const code = await codeFor(test, owner, clientId, { scopes: ["mailboxes:read", "emails:read"] });
  const answer = await exchange(test, clientId, code, {
    resource: "http://localhost:8000/v1/mcp/?tools=x",
  });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  const { status, body } = await read(answer);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), [
    "access_token",
    "expires_in",
    "refresh_token",
    "scope",
    "token_type",
  ]);
  assert.equal(body.token_type, "Bearer");
  assert.equal(body.expires_in, 3_600);
  assert.equal(body.scope, "emails:read mailboxes:read");
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_mailboxes", arguments: {} },
  };
  const called = await post(test, body.access_token, call);
  assert.match(JSON.stringify(called.body), new RegExp(email_address));
  const token = body.access_token;
  assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 200);
  await test.advance(hour);
  assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 401);
});

// SPEC: oauth.token_errors
Deno.test("each wrong parameter of a token request has the error of its RFC, and the code stays", async () => {
  await using test = await testService();
  const owner = await account(test);
  const clientId = await register(test), other = await register(test);
  const code = await codeFor(test, owner, clientId);
  const with_ = (fields: Record<string, string>) => refusal(exchange(test, clientId, code, fields));
  const requests: [Record<string, string>, string][] = [
    [{ grant_type: "" }, "invalid_request"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
    [{ code: "" }, "invalid_request"],
    [{ code: "x" }, "invalid_grant"],
    [{ code: `lbxgc_${"x".repeat(44)}` }, "invalid_grant"],
    [{ client_id: "" }, "invalid_request"],
    [{ client_id: other }, "invalid_grant"],
    [{ code_verifier: "" }, "invalid_request"],
    [{ code_verifier: "x".repeat(43) }, "invalid_grant"],
    [{ redirect_uri: `${redirectUri}/` }, "invalid_grant"],
    [{ resource: "https://other.example/v1/mcp" }, "invalid_target"],
  ];
  for (const [fields, error] of requests) {
    assert.deepEqual(await with_(fields), [400, error], JSON.stringify(fields));
  }
  const twice = [["grant_type", "authorization_code"], ["code", code], ["code", code]];
  assert.deepEqual(await refusal(form(test, "/oauth/token", twice as [string, string][])), [
    400,
    "invalid_request",
  ]);
  const json = test.request("/oauth/token", { json: { grant_type: "authorization_code" } });
  assert.deepEqual(await refusal(json), [400, "invalid_request"]);
  const long = form(test, "/oauth/token", { grant_type: "x".repeat(17_000) });
  assert.deepEqual(await refusal(long), [413, "invalid_request"]);
  assert.equal((await exchange(test, clientId, code, { unknown: "x" })).status, 200);
});

// SPEC: oauth.code_once
Deno.test("a code lives 60 seconds", async () => {
  await using test = await testService();
  const owner = await account(test);
  const clientId = await register(test);
  const [soon, late] = [await codeFor(test, owner, clientId), await codeFor(test, owner, clientId)];
  await test.advance(59_999);
  assert.equal((await exchange(test, clientId, soon)).status, 200);
  await test.advance(1);
  assert.deepEqual(await refusal(exchange(test, clientId, late)), invalidGrant);
  assert.equal((await appsOf(test, owner)).length, 1);
});

// SPEC: oauth.code_once
Deno.test("a code is used once: of many uses at once one gets tokens, and a second use ends the grant", async () => {
  await using test = await testService();
  const owner = await account(test);
  const clientId = await register(test);
  const code = await codeFor(test, owner, clientId);
  const first = await read(exchange(test, clientId, code));
  assert.equal((await appsOf(test, owner)).length, 1);
  await test.advance(10 * 60_000);
  assert.deepEqual(await refusal(exchange(test, clientId, code)), invalidGrant);
  assert.deepEqual(await appsOf(test, owner), []);
  await test.advance(1_001);
  const token = first.body.access_token;
  assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 401);
  assert.deepEqual(await refusal(refresh(test, first.body.refresh_token)), invalidGrant);
  const next = await codeFor(test, owner, clientId);
  const answers = await Promise.all([1, 2, 3, 4].map(() => read(exchange(test, clientId, next))));
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
  assert.deepEqual(await appsOf(test, owner), []);
});

// SPEC: oauth.outlives
Deno.test("a code of an account that has ended gives nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const clientId = await register(test);
  const code = await codeFor(test, owner, clientId);
  const { access_token, refresh_token } = await connect(test, owner);
  const ended = await test.request("/api/account", {
    method: "DELETE",
    token: owner.accessToken,
    json: { confirm_email: owner.email, password: owner.password },
  });
  assert.equal(ended.status, 200);
  assert.deepEqual(await refusal(exchange(test, clientId, code)), invalidGrant);
  assert.deepEqual(await refusal(refresh(test, refresh_token)), invalidGrant);
  await test.advance(1_001);
  assert.equal((await test.request("/v1/api/mailboxes", { token: access_token })).status, 401);
  await test.advance(200_000);
  const rows = await Array.fromAsync(test.kv.list({ prefix: [] }));
  const left = rows.filter(({ key }) => String(key[0]).startsWith("grant"));
  assert.deepEqual(left.map(({ key }) => key), []);
});

// SPEC: oauth.refresh
Deno.test("a refresh token gives a pair, works again for 60 seconds, and later ends the grant", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { clientId, refresh_token: first, scope } = await connect(test, owner);
  const second = await read(refresh(test, first, { client_id: clientId }));
  assert.equal(second.status, 200);
  assert.equal(second.body.scope, scope);
  assert.notEqual(second.body.refresh_token, first);
  await test.advance(59_999);
  const third = await read(refresh(test, first));
  assert.equal(third.status, 200);
  // All pairs go on.
  for (const { body } of [second, third]) {
    const token = body.access_token;
    assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 200);
    assert.equal((await read(refresh(test, body.refresh_token))).status, 200);
  }
  await test.advance(1);
  assert.equal((await appsOf(test, owner)).length, 1);
  assert.deepEqual(await refusal(refresh(test, first)), invalidGrant);
  assert.deepEqual(await appsOf(test, owner), []);
  assert.deepEqual(await refusal(refresh(test, third.body.refresh_token)), invalidGrant);
});

// SPEC: oauth.refresh
Deno.test("a refresh token that was rotated long ago ends the grant", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { refresh_token } = await connect(test, owner);
  let token = refresh_token;
  for (let n = 0; n < 5; n++) {
    token = (await read(refresh(test, token))).body.refresh_token;
    await test.advance(hour);
  }
  assert.deepEqual(await refusal(refresh(test, refresh_token)), invalidGrant);
  assert.deepEqual(await refusal(refresh(test, token)), invalidGrant);
});

// SPEC: oauth.token
Deno.test("a refresh token lasts 90 days from its making, and the grant with it", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { refresh_token } = await connect(test, owner);
  await test.advance(90 * day - 1);
  const next = await read(refresh(test, refresh_token));
  assert.equal(next.status, 200);
  await test.advance(90 * day - 1);
  const last = await read(refresh(test, next.body.refresh_token));
  assert.equal(last.status, 200);
  await test.advance(90 * day);
  assert.deepEqual(await refusal(refresh(test, last.body.refresh_token)), invalidGrant);
  const session = await test.request("/api/auth/login", {
    json: { email: owner.email, password: owner.password },
  });
  const { accessToken } = (await session.json()).data;
  assert.deepEqual(await appsOf(test, { ...owner, accessToken }), []);
});

// SPEC: oauth.refresh_scope
Deno.test("a refresh may ask for less, not for more; the next one has all again", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { refresh_token } = await connect(test, owner, { scopes: ["search", "mailboxes:read"] });
  assert.deepEqual(await refusal(refresh(test, refresh_token, { scope: "emails:read" })), [
    400,
    "invalid_scope",
  ]);
  const less = await read(refresh(test, refresh_token, { scope: "search offline_access" }));
  assert.equal(less.body.scope, "search");
  const token = less.body.access_token;
  assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 403);
  const all = await read(refresh(test, less.body.refresh_token));
  assert.equal(all.body.scope, "mailboxes:read search");
});

Deno.test("a refresh token of another client is refused and stays", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { refresh_token } = await connect(test, owner);
  const other = await register(test);
  assert.deepEqual(await refusal(refresh(test, refresh_token, { client_id: other })), invalidGrant);
  assert.equal((await refresh(test, refresh_token)).status, 200);
});

// SPEC: oauth.bounds
Deno.test("a client that refreshes in a loop fills no store: a grant has 100 refresh tokens at most", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { refresh_token } = await connect(test, owner);
  for (let n = 0; n < 120; n++) assert.equal((await refresh(test, refresh_token)).status, 200);
  const access = await Array.fromAsync(test.kv.list({ prefix: ["grants_by_access"] }));
  assert.equal(access.length, 100);
  let token = refresh_token;
  for (let n = 0; n < 120; n++) token = (await read(refresh(test, token))).body.refresh_token;
  assert.ok(token);
  const all = await Array.fromAsync(test.kv.list({ prefix: ["grants_by_access"] }));
  assert.equal(all.length, 100);
});

// SPEC: oauth.bounds
Deno.test("an account has 200 grants at most: the one that was used least lately ends", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const clientId = await register(test);
  const allow = async () =>
    (await read(exchange(test, clientId, await codeFor(test, owner, clientId)))).body.access_token;
  const [first, second] = [await allow(), await allow()];
  await test.advance(1);
  for (let n = 0; n < 198; n++) await allow();
  assert.equal((await test.request("/v1/api/mailboxes", { token: first })).status, 200);
  await test.advance(5_000);
  await allow();
  assert.equal((await appsOf(test, owner)).length, 200);
  assert.equal((await test.request("/v1/api/mailboxes", { token: first })).status, 200);
  assert.equal((await test.request("/v1/api/mailboxes", { token: second })).status, 401);
});

// SPEC: oauth.windows
Deno.test("calls with a valid code or token count in no window, wrong ones in the address's", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "3" } });
  const owner = await account(test);
  const { clientId, refresh_token } = await connect(test, owner);
  for (let n = 0; n < 5; n++) assert.equal((await refresh(test, refresh_token)).status, 200);
  // The registration was the first of three.
  assert.deepEqual(await refusal(refresh(test, "x")), invalidGrant);
  assert.equal((await form(test, "/oauth/revoke", { token: "x" })).status, 200);
  const over = await refresh(test, "x");
  assert.ok(Number(over.headers.get("retry-after")) > 0);
  assert.deepEqual(await refusal(over), [429, "temporarily_unavailable"]);
  assert.deepEqual(await refusal(form(test, "/oauth/revoke", { token: "x" })), [
    429,
    "temporarily_unavailable",
  ]);
  assert.deepEqual(await refusal(test.request("/oauth/register", { json: {} })), [
    429,
    "temporarily_unavailable",
  ]);
  assert.equal((await refresh(test, refresh_token)).status, 200);
  const code = await codeFor(test, owner, clientId);
  assert.equal((await exchange(test, clientId, code)).status, 200);
  assert.equal((await form(test, "/oauth/revoke", { token: refresh_token })).status, 200);
});
