import assert from "node:assert/strict";
import { type Caller, hasScope, type Scope, scopes } from "../../../domain/core/caller.ts";
import { personOf } from "../../../domain/accounts/member.ts";
import { beginSession } from "../../../domain/accounts/sessions.ts";
import * as keys from "../../../domain/store/keys.ts";
import { newApiKey } from "../../../domain/accounts/secrets.ts";
import { systemIds } from "../../../domain/core/ids.ts";
import {
  account,
  data,
  mailbox,
  operatorToken,
  type TestService,
  testService,
} from "../../service.ts";

const warning = "Store this key now: it is shown once and cannot be read again.";
const day = 86_400_000;

async function created(test: TestService, token: string, input: object) {
  return await data(test.request("/v1/api/keys", { json: { name: "agent", ...input }, token }));
}

for (const base of ["/v1/api/keys", "/api/keys"]) {
  // SPEC: keys.create, keys.list, keys.delete, keys.dashboard, key.secret_once, key.format
  // SPEC: key.prefix_masked, state.key_revoked
  Deno.test(`${base}: a key is created, listed without its secret, and revoked permanently`, async () => {
    // Another instance may accept a revoked key for a second: a test below has two instances.
    await using test = await testService({ instances: 1 });
    const { accessToken: token, keyId: firstId } = await account(test, "free");
    const answer = await test.request(base, {
      json: { name: "agent", expirationDays: 365 },
      token,
    });
    const body = await answer.json();
    assert.equal(answer.status, 201);
    const { keyId, apiKey, keyPrefix } = body.data;
    assert.deepEqual(body, {
      success: true,
      data: {
        keyId,
        name: "agent",
        apiKey,
        keyPrefix,
        plan: "free",
        rateLimit: null,
        createdAt: "2026-11-20T10:00:00.000Z",
        expirationTs: "2027-11-20T10:00:00.000Z",
      },
      meta: { warning },
    });
    assert.match(apiKey, /^lbx_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    assert.equal(keyPrefix, apiKey.slice(0, 21) + "*".repeat(34));
    const listed = await (await test.request(base, { token })).json();
    const { apiKey: _secret, ...record } = body.data;
    assert.deepEqual(listed.meta, { total: 2 });
    assert.deepEqual(listed.data.find((key: { keyId: string }) => key.keyId === keyId), {
      ...record,
      lastUsed: null,
    });
    assert.equal((await test.request("/v1/api/mailboxes", { token: apiKey })).status, 200);
    const revoked = await test.request(`${base}/${keyId}`, { method: "DELETE", token });
    assert.deepEqual([revoked.status, await revoked.json()], [200, {
      success: true,
      data: { keyId, revoked: true },
    }]);
    assert.equal((await test.request("/v1/api/mailboxes", { token: apiKey })).status, 401);
    const again = await test.request(`${base}/${keyId}`, { method: "DELETE", token });
    assert.deepEqual([again.status, (await again.json()).error.code], [404, "NOT_FOUND"]);
    const left = await (await test.request(base, { token })).json();
    assert.deepEqual(left.data.map((key: { keyId: string }) => key.keyId), [firstId]);
  });
}

// SPEC: key.expiry, access.key_expires
Deno.test("a key without an expiry never expires; a key with one is refused from that moment, also while in use", async () => {
  await using test = await testService();
  const { accessToken } = await account(test);
  const forever = await created(test, accessToken, {});
  assert.equal(forever.expirationTs, null);
  const short = await created(test, accessToken, { expirationDays: 1 });
  const status = async (token: string) =>
    (await test.request("/v1/api/mailboxes", { token })).status;
  assert.equal(await status(short.apiKey), 200);
  await test.advance(day - 1);
  assert.equal(await status(short.apiKey), 200);
  await test.advance(1);
  assert.equal(await status(short.apiKey), 401);
  assert.equal(await status(forever.apiKey), 200);
});

// SPEC: keys.create_invalid, error.validation
Deno.test("invalid input to key creation is named by field", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const wrong: [object, string, string?][] = [
    [{ name: "" }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{}, "name"],
    [{ name: "x", expirationDays: 0 }, "expirationDays"],
    [{ name: "x", expirationDays: 366 }, "expirationDays"],
    [{ name: "x", expirationDays: 1.5 }, "expirationDays"],
    [{ name: "x", scopes: ["everything"] }, "scopes.0"],
    [{ name: "x", scopes: [] }, "scopes", "must name at least one scope"],
    [{ name: "x", mailboxIds: [] }, "mailboxIds", "must name at least one mailbox"],
  ];
  for (const [json, field, reason] of wrong) {
    const answer = await test.request("/v1/api/keys", { json, token: key });
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [400, "VALIDATION_ERROR"], JSON.stringify(json));
    assert.deepEqual(Object.keys(error.details), [field]);
    if (reason) assert.equal(error.details[field], reason);
  }
  assert.equal((await created(test, key, { name: "x".repeat(100) })).name.length, 100);
});

// SPEC: keys.free_defaults
Deno.test("a key's plan and rate limit are the account's current ones", async () => {
  await using test = await testService({ plans: {} });
  const { email, accessToken } = await account(test, "free");
  const key = await created(test, accessToken, {});
  assert.deepEqual([key.plan, key.rateLimit], ["free", 20]);
  await test.request("/operator/accounts/plan", {
    method: "PUT",
    json: { email, plan: "pro" },
    token: operatorToken,
  });
  const keys = await data(test.request("/api/keys", { token: accessToken }));
  assert.deepEqual(keys.map(({ plan, rateLimit }: Record<string, unknown>) => [plan, rateLimit]), [
    ["pro", 100],
    ["pro", 100],
  ]);
});

// SPEC: key.last_used
Deno.test("lastUsed is shown at once, written within 5 s, and costs no commit per request", async () => {
  // Only the process of the call knows a use that is not written yet.
  await using test = await testService({ instances: 1 });
  const { key, keyId, userId, accessToken } = await account(test);
  const lastUsed = async () =>
    (await data(test.request("/api/keys", { token: accessToken })))[0].lastUsed;
  const stored = async () =>
    (await test.kv.get<{ lastUsedAt: number }>(["api_keys", userId, keyId])).value?.lastUsedAt;
  assert.equal(await lastUsed(), null);
  for (let n = 0; n < 3; n++) {
    await test.advance(1000);
    await test.request("/v1/api/mailboxes", { token: key });
  }
  assert.equal(await lastUsed(), "2026-11-20T10:00:03.000Z");
  assert.equal(await stored(), null);
  await test.advance(3000);
  assert.equal(await stored(), Date.parse("2026-11-20T10:00:03.000Z"));
  assert.equal(await lastUsed(), "2026-11-20T10:00:03.000Z");
});

Deno.test("writing a last use does not restore a revoked key", async () => {
  await using test = await testService();
  const { key, keyId, userId, accessToken } = await account(test);
  await test.request("/v1/api/mailboxes", { token: key });
  await test.request(`/api/keys/${keyId}`, { method: "DELETE", token: accessToken });
  await test.advance(10_000);
  assert.equal((await test.kv.get(["api_keys", userId, keyId])).value, null);
});

// SPEC: state.key_revoked
Deno.test("revocation holds from the next request on, while a hundred are in flight", async () => {
  // One process; the next test has two.
  await using test = await testService({ instances: 1 });
  const { key, keyId, accessToken } = await account(test);
  const calls = Array.from(
    { length: 100 },
    () => test.request("/v1/api/mailboxes", { token: key }),
  );
  await test.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token: accessToken });
  const after = await Promise.all(
    Array.from({ length: 100 }, () => test.request("/v1/api/mailboxes", { token: key })),
  );
  assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([401]));
  await Promise.all(calls);
});

Deno.test("with two instances on one store a revoked key is refused everywhere within a second", async () => {
  await using first = await testService({ exclusive: false });
  await using second = await testService({
    exclusive: false,
    kv: first.kv,
    parts: { clock: first.clock },
  });
  const { key, keyId, accessToken } = await account(first);
  assert.equal((await second.request("/v1/api/mailboxes", { token: key })).status, 200);
  await first.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token: accessToken });
  assert.equal((await first.request("/v1/api/mailboxes", { token: key })).status, 401);
  first.clock.advance(1001);
  assert.equal((await second.request("/v1/api/mailboxes", { token: key })).status, 401);
});

// SPEC: error.unauthorized, error.body, session.cookie_dashboard_only
Deno.test("an unknown, malformed or mistyped key is 401, and /api/* accepts no API key", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  for (
    const token of ["lbx_", "lbx_a_b", mistyped, newApiKey(systemIds()).apiKey, key.toUpperCase()]
  ) {
    const answer = await test.request("/v1/api/mailboxes", { token });
    assert.deepEqual([answer.status, await answer.json()], [401, {
      success: false,
      error: { code: "UNAUTHORIZED", message: "Credentials are missing or not valid." },
    }]);
  }
  assert.equal((await test.request("/api/keys", { token: key })).status, 401);
});

// SPEC: access.foreign_404
Deno.test("another account's key is 404 for a revocation", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const answer = await test.request(`/v1/api/keys/${owner.keyId}`, {
    method: "DELETE",
    token: other.key,
  });
  assert.equal(answer.status, 404);
  assert.equal((await test.request("/v1/api/mailboxes", { token: owner.key })).status, 200);
});

/** Every scope with a request that needs it; `path` may name the mailbox. */
const needs: [scope: string, method: string, path: string, json?: object][] = [
  ["emails:read", "GET", "/v1/api/emails"],
  ["emails:read", "GET", "/v1/api/emails/x"],
  ["emails:read", "GET", "/v1/api/emails/x/raw"],
  ["emails:read", "GET", "/v1/api/threads/x"],
  ["emails:read", "GET", "/v1/api/arrivals"],
  ["emails:send", "POST", "/v1/api/emails/send", { to: "a@example.org" }],
  ["emails:send", "POST", "/v1/api/emails/x/reply", { body_text: "x" }],
  ["emails:write", "PATCH", "/v1/api/emails/x", { is_read: true }],
  ["emails:write", "DELETE", "/v1/api/emails/x"],
  ["emails:write", "POST", "/v1/api/emails/batch", { email_ids: ["x"], delete: true }],
  ["search", "POST", "/v1/api/search", { query: "x" }],
  ["mailboxes:read", "GET", "/v1/api/mailboxes"],
  ["mailboxes:read", "GET", "/v1/api/mailboxes/check-email?local_part=agent&domain=agents.test"],
  ["mailboxes:write", "POST", "/v1/api/mailboxes", { local_part: "agent", domain: "agents.test" }],
  ["mailboxes:write", "DELETE", "/v1/api/mailboxes/x", { confirm_email_address: "x" }],
  ["webhooks:write", "GET", "/v1/api/webhooks"],
  ["webhooks:write", "POST", "/v1/api/webhooks", {
    url: "https://example.org",
    events: ["api_key.created"],
  }],
  ["keys:write", "GET", "/v1/api/keys"],
  ["keys:write", "POST", "/v1/api/keys", { name: "x", scopes: ["keys:write"] }],
  ["keys:write", "DELETE", "/v1/api/keys/x"],
];
const every = [...new Set(needs.map(([scope]) => scope))];

// SPEC: key.scopes, error.forbidden
Deno.test("a key without the scope gets 403 that names it, a key with only that scope does not", async () => {
  await using test = await testService();
  const { key } = await account(test);
  for (const scope of every) {
    const alone = (await created(test, key, { scopes: [scope] })).apiKey;
    const others = every.filter((other) => other !== scope);
    const without = (await created(test, key, { scopes: others })).apiKey;
    const wanting = needs.filter(([needed]) => needed === scope);
    assert.ok(wanting.length > 0, `no request needs ${scope}`);
    for (const [, method, path, json] of wanting) {
      const refused = await test.request(path, { method, token: without, json });
      const { error } = await refused.json();
      assert.deepEqual(
        [refused.status, error?.code, error?.details],
        [403, "FORBIDDEN", { required_scope: scope }],
        `${method} ${path}`,
      );
      const allowed = await test.request(path, { method, token: alone, json });
      const body = await allowed.text();
      assert.ok(!body.includes("required_scope"), `${method} ${path}: ${body}`);
    }
  }
});

// SPEC: key.named_scopes
Deno.test("a session has emails:approve and policy:write; a key only if its scopes name them", async () => {
  await using test = await testService();
  const { userId, key, accessToken } = await account(test);
  const named: Scope[] = ["emails:approve", "policy:write"];
  const others = scopes.filter((each) => !named.includes(each));
  const caller = { userId, plan: "enterprise" as const };
  const has = (one: Caller) => scopes.filter((each) => hasScope(one, each));
  assert.deepEqual(has({ ...caller, sessionId: "s" }), scopes);
  assert.deepEqual(has({ ...caller, keyId: "k" }), others);
  assert.deepEqual(has({ ...caller, keyId: "k", scopes: named }), named);
  const make = (token: string, wanted?: readonly string[]) =>
    test.request("/v1/api/keys", { token, json: { name: "x", scopes: wanted } });
  for (const scope of named) {
    const refused = await make(key, [scope]);
    assert.deepEqual([refused.status, (await refused.json()).error.details], [403, {
      required_scope: scope,
    }]);
    const made = await make(accessToken, [scope, "keys:write"]);
    assert.equal(made.status, 201);
    // It may give a new key the scopes that it has.
    assert.equal((await make((await made.json()).data.apiKey, [scope])).status, 201);
  }
  assert.equal((await make(key, others)).status, 201);
});

// SPEC: key.no_more_than_itself
Deno.test("a key cannot make a key that can do more than itself", async () => {
  await using test = await testService();
  const owner = await account(test);
  const one = await mailbox(test, owner), two = await mailbox(test, owner);
  const limited = (await created(test, owner.key, {
    scopes: ["keys:write", "search"],
    mailboxIds: [one.mailbox_id],
  })).apiKey;
  const inherits = await created(test, limited, {});
  assert.deepEqual([inherits.scopes, inherits.mailboxIds], [
    ["keys:write", "search"],
    [one.mailbox_id],
  ]);
  const more = await test.request("/v1/api/keys", {
    json: { name: "x", scopes: ["search", "emails:read"] },
    token: limited,
  });
  assert.deepEqual([more.status, (await more.json()).error.code], [403, "FORBIDDEN"]);
  const wider = await test.request("/v1/api/keys", {
    json: { name: "x", mailboxIds: [two.mailbox_id] },
    token: limited,
  });
  assert.equal(wider.status, 404);
});

Deno.test("a key made by a key expires no later than its maker, whatever it asks for", async () => {
  await using test = await testService();
  const owner = await account(test);
  const lent = await created(test, owner.key, { expirationDays: 10 });
  const expiries = [];
  for (const expirationDays of [undefined, 365, 5]) {
    expiries.push((await created(test, lent.apiKey, { expirationDays })).expirationTs);
  }
  assert.deepEqual(expiries.slice(0, 2), [lent.expirationTs, lent.expirationTs]);
  assert.equal(Date.parse(lent.expirationTs) - Date.parse(expiries[2]), 5 * day);
});

// SPEC: key.mailbox_ids
Deno.test("a key limited to some mailboxes sees only those", async () => {
  await using test = await testService();
  const owner = await account(test);
  const one = await mailbox(test, owner), two = await mailbox(test, owner);
  const { apiKey: token } = await created(test, owner.key, { mailboxIds: [one.mailbox_id] });
  const { mailboxes } = await (await test.request("/v1/api/mailboxes", { token })).json();
  assert.deepEqual(mailboxes.map((box: { mailbox_id: string }) => box.mailbox_id), [
    one.mailbox_id,
  ]);
  const of = async (id: string) =>
    (await test.request(`/v1/api/emails?mailbox_id=${id}`, { token })).status;
  assert.deepEqual([await of(one.mailbox_id), await of(two.mailbox_id)], [200, 404]);
  const removal = await test.request(`/v1/api/mailboxes/${two.mailbox_id}`, {
    method: "DELETE",
    token,
    json: { confirm_email_address: two.email_address },
  });
  assert.equal(removal.status, 404);
  const unknown = await test.request("/v1/api/keys", {
    json: { name: "x", mailboxIds: ["no-such-mailbox"] },
    token: owner.key,
  });
  assert.equal(unknown.status, 404);
});

// SPEC: keys.list
Deno.test("keys are listed in pages if there is a limit, and all at once without one", async () => {
  await using test = await testService();
  const { key: token, keyId } = await account(test);
  const made = [keyId];
  for (let n = 0; n < 4; n++) made.push((await created(test, token, {})).keyId);
  const page = async (query: string) =>
    await (await test.request(`/v1/api/keys${query}`, { token })).json();
  const idsOf = ({ data }: { data: { keyId: string }[] }) => data.map((each) => each.keyId);
  const all = await page("");
  assert.deepEqual([idsOf(all), all.meta], [made, { total: 5 }]);
  const first = await page("?limit=2");
  assert.deepEqual([idsOf(first), first.meta.total, first.meta.limit, first.meta.has_more], [
    made.slice(0, 2),
    5,
    2,
    true,
  ]);
  const second = await page(`?limit=3&cursor=${first.meta.next_cursor}`);
  assert.deepEqual([idsOf(second), second.meta], [
    made.slice(2),
    { total: 5, limit: 3, has_more: false, next_cursor: null },
  ]);
  for (const query of ["?limit=0", "?limit=101", "?cursor=x"]) {
    const { error } = await page(query);
    assert.equal(error.code, "VALIDATION_ERROR", query);
  }
});

// SPEC: keys.limit
Deno.test("a free account has 100 live keys, however many are asked for at once; expired and revoked ones make room", async () => {
  await using test = await testService();
  const { accessToken: token, userId } = await account(test, "free");
  const make = async (input: object = {}) => {
    const answer = await test.request("/v1/api/keys", { token, json: { name: "x", ...input } });
    return { status: answer.status, body: await answer.json() };
  };
  const lent = await make({ expirationDays: 1 });
  const root = await make();
  const { apiKey } = root.body.data;
  for (let n = 0; n < 7; n++) await created(test, apiKey, {});
  const answers = await Promise.all(Array.from({ length: 120 }, () => make()));
  assert.equal(answers.filter(({ status }) => status === 201).length, 90);
  const refused = answers.find(({ status }) => status !== 201)!;
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.details], [
    403,
    "FORBIDDEN",
    { count: 100, limit: 100, plan: "free" },
  ]);
  assert.equal(lent.status, 201);
  await test.advance(day);
  const { accessToken } = await beginSession(test.service, personOf({ userId }));
  const again = async () =>
    (await test.request("/v1/api/keys", { token: accessToken, json: { name: "x" } })).status;
  assert.deepEqual([await again(), await again()], [201, 403]);
  // A key ends with the seven that it made.
  const path = `/v1/api/keys/${root.body.data.keyId}`;
  await data(test.request(path, { method: "DELETE", token: accessToken }));
  await test.settle();
  const statuses = [];
  for (let n = 0; n < 9; n++) statuses.push(await again());
  assert.deepEqual(statuses, [...Array(8).fill(201), 403]);
});

Deno.test("keys of a store without a count are counted, and the rows of long expired ones go", async () => {
  await using test = await testService();
  const { accessToken: token, userId } = await account(test, "free");
  const old = await created(test, token, { expirationDays: 1 });
  await test.service.database.transact((tx) => tx.delete(keys.apiKeyBound(userId)));
  await test.advance(32 * day);
  const { accessToken } = await beginSession(test.service, personOf({ userId }));
  await created(test, accessToken, {});
  const listed = await data(test.request("/v1/api/keys", { token: accessToken }));
  assert.equal(listed.length, 2);
  assert.ok(listed.every((each: { keyId: string }) => each.keyId !== old.keyId));
  assert.equal((await test.kv.get(["api_key_bounds", userId])).value, 2);
});
