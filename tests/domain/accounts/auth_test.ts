import assert from "node:assert/strict";
import { personOf } from "../../../domain/accounts/member.ts";
import { beginSession } from "../../../domain/accounts/sessions.ts";
import { limitSubject } from "../../../domain/core/client_address.ts";
import { account, data, operatorToken, type TestService, testService } from "../../service.ts";

const person = { email: "Ada@Example.org", password: "correct horse", name: "Ada Lovelace" };

async function registered(test: TestService) {
  return await data(test.request("/api/auth/register", { json: person }));
}

const login = (test: TestService, change: Partial<typeof person> = {}, from?: string) =>
  test.request("/api/auth/login", {
    json: { email: person.email, password: person.password, ...change },
    headers: from ? { "x-forwarded-for": from } : {},
  });

const wrong = () => Promise.resolve(false);

const unauthorized = {
  success: false,
  error: { code: "UNAUTHORIZED", message: "The email or the password is wrong." },
};

// SPEC: auth.register, auth.login, session.cookie, general.envelope
Deno.test("register answers 201 with the new account; login answers tokens and a cookie as long-lived as the refresh token", async () => {
  await using test = await testService();
  const answer = await test.request("/api/auth/register", { json: person });
  const body = await answer.json();
  assert.equal(answer.status, 201);
  assert.deepEqual(body, {
    success: true,
    data: {
      userId: body.data.userId,
      name: "Ada Lovelace",
      createdAt: "2026-11-20T10:00:00.000Z",
    },
  });
  const entered = await login(test, { email: "ada@example.ORG" });
  const tokens = await entered.json();
  assert.equal(entered.status, 200);
  assert.deepEqual(tokens, {
    success: true,
    data: {
      accessToken: tokens.data.accessToken,
      refreshToken: tokens.data.refreshToken,
      expiresIn: 3600,
      user: { userId: body.data.userId, name: "Ada Lovelace" },
    },
  });
  const [cookie, ...others] = entered.headers.getSetCookie();
  assert.deepEqual(others, []);
  assert.match(
    cookie,
    /^lbx_session=[^;]{40,}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

// SPEC: session.cookie
Deno.test("on https the cookie is Secure", async () => {
  await using test = await testService({ env: { BASE_URL: "https://letterbox.test" } });
  await registered(test);
  assert.match((await login(test)).headers.getSetCookie()[0], /; Secure/);
});

// SPEC: auth.register_invalid, auth.register_conflict, user.email_unique
// SPEC: error.validation_dashboard, error.conflict
Deno.test("register names invalid fields, and refuses an email that is taken in any case", async () => {
  await using test = await testService();
  await registered(test);
  const answers: [object, number, object][] = [
    [{ ...person, email: "ada" }, 400, { email: "must be a valid email address" }],
    [{ ...person, password: "1234567" }, 400, { password: "must have at least 8 characters" }],
    [
      { ...person, password: "p".repeat(1025) },
      400,
      { password: "must have at most 1,024 characters" },
    ],
    [{ ...person, name: " " }, 400, { name: "must not be empty" }],
  ];
  for (const [json, status, fields] of answers) {
    const answer = await test.request("/api/auth/register", { json });
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code, error.details], [
      status,
      "VALIDATION_ERROR",
      { field_errors: fields },
    ]);
  }
  const missing = await test.request("/api/auth/register", { json: {} });
  const { error } = await missing.json();
  assert.deepEqual(Object.keys(error.details.field_errors), ["email", "password", "name"]);
  const taken = await test.request("/api/auth/register", {
    json: { ...person, email: "ADA@example.org" },
  });
  assert.equal(taken.status, 409);
  assert.deepEqual(await taken.json(), {
    success: false,
    error: { code: "CONFLICT", message: "An account with this email already exists." },
  });
});

// SPEC: user.email_unique
Deno.test("of five registrations of one email at once one succeeds", async () => {
  await using test = await testService();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => test.request("/api/auth/register", { json: person })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(4).fill(409)]);
});

// SPEC: auth.login_wrong
Deno.test("login answers the same for a wrong password and an unknown email", async () => {
  await using test = await testService();
  await registered(test);
  for (const change of [{ password: "wrong" }, { email: "nobody@example.org" }]) {
    const answer = await login(test, change);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="letterbox"');
    assert.deepEqual(answer.headers.getSetCookie(), []);
    assert.deepEqual(await answer.json(), unauthorized);
  }
});

// SPEC: access.v1, access.dashboard, auth.refresh, auth.refresh_wrong, session.lifetimes
Deno.test("an access token works for an hour, on /v1 and on /api; the refresh token makes new ones for 30 days", async () => {
  await using test = await testService();
  const { accessToken, refreshToken } = await account(test);
  const status = async (path: string, token: string) =>
    (await test.request(path, { token })).status;
  assert.equal(await status("/v1/api/mailboxes", accessToken), 200);
  assert.equal(await status("/api/keys", accessToken), 200);
  assert.equal(await status("/api/keys", refreshToken), 401);
  await test.advance(3_600_000 - 1);
  assert.equal(await status("/api/keys", accessToken), 200);
  await test.advance(1);
  assert.equal(await status("/api/keys", accessToken), 401);
  const refreshed = await data(test.request("/api/auth/refresh", { json: { refreshToken } }));
  assert.deepEqual(Object.keys(refreshed), ["accessToken", "expiresIn"]);
  assert.equal(refreshed.expiresIn, 3600);
  assert.equal(await status("/api/keys", refreshed.accessToken), 200);
  const again = await data(test.request("/api/auth/refresh", { json: { refreshToken } }));
  assert.equal(await status("/api/keys", refreshed.accessToken), 200);
  assert.equal(await status("/api/keys", again.accessToken), 200);
  await test.advance(30 * 86_400_000 - 3_600_000);
  const late = await test.request("/api/auth/refresh", { json: { refreshToken } });
  assert.deepEqual([late.status, (await late.json()).error.code], [401, "UNAUTHORIZED"]);
});

// SPEC: auth.refresh_wrong
Deno.test("refresh is 401 for anything but a refresh token, and 400 without one", async () => {
  await using test = await testService();
  const { accessToken, key } = await account(test);
  for (const refreshToken of ["", "lbxr_unknown", accessToken, key]) {
    const answer = await test.request("/api/auth/refresh", { json: { refreshToken } });
    assert.equal(answer.status, 401, refreshToken);
  }
  assert.equal((await test.request("/api/auth/refresh", { json: {} })).status, 400);
});

for (const by of ["the first access token", "a refreshed access token", "the cookie"] as const) {
  // SPEC: auth.logout
  Deno.test(`logout by ${by} ends every token of the session and the cookie, and no other session`, async () => {
    await using test = await testService();
    const { userId, accessToken, refreshToken, cookie } = await account(test);
    const other = await beginSession(test.service, personOf({ userId }));
    const second = await data(test.request("/api/auth/refresh", { json: { refreshToken } }));
    const token = by === "the first access token" ? accessToken : second.accessToken;
    const out = await test.request("/api/auth/logout", {
      method: "POST",
      ...(by === "the cookie" ? { headers: { cookie } } : { token }),
    });
    assert.deepEqual(await out.json(), { success: true, data: { message: "Logged out." } });
    assert.match(out.headers.getSetCookie()[0], /^lbx_session=; Max-Age=0; Path=\//);
    for (const dead of [accessToken, second.accessToken]) {
      assert.equal((await test.request("/api/keys", { token: dead })).status, 401);
      assert.equal((await test.request("/v1/api/mailboxes", { token: dead })).status, 401);
    }
    assert.equal((await test.request("/api/keys", { headers: { cookie } })).status, 401);
    const refresh = await test.request("/api/auth/refresh", { json: { refreshToken } });
    assert.equal(refresh.status, 401);
    assert.equal((await test.request("/api/keys", { token: other.accessToken })).status, 200);
  });
}

for (const by of ["the access token", "the cookie"] as const) {
  // SPEC: auth.end_others
  Deno.test(`DELETE /api/auth/sessions by ${by} ends all tokens and cookies of the account but its own; keys and other accounts go on`, async () => {
    await using test = await testService();
    const { userId, accessToken, refreshToken, cookie, key } = await account(test);
    const [cookieName] = cookie.split("=");
    const stranger = await account(test);
    const others = [
      await beginSession(test.service, personOf({ userId })),
      await beginSession(test.service, personOf({ userId })),
    ];
    const status = async (options: { token?: string; headers?: Record<string, string> }) =>
      (await test.request("/api/keys", options)).status;
    for (const { accessToken: token } of others) assert.equal(await status({ token }), 200);
    const end = async () => {
      const answer = await test.request("/api/auth/sessions", {
        method: "DELETE",
        ...(by === "the cookie" ? { headers: { cookie } } : { token: accessToken }),
      });
      return [answer.status, await answer.json(), answer.headers.getSetCookie()];
    };
    assert.deepEqual(await end(), [200, { success: true, data: { ended: 2 } }, []]);
    for (const other of others) {
      assert.equal(await status({ token: other.accessToken }), 401);
      const theirs = { cookie: `${cookieName}=${other.refreshToken}` };
      assert.equal(await status({ headers: theirs }), 401);
      const json = { refreshToken: other.refreshToken };
      assert.equal((await test.request("/api/auth/refresh", { json })).status, 401);
    }
    assert.equal(await status({ token: accessToken }), 200);
    assert.equal(await status({ headers: { cookie } }), 200);
    assert.equal((await test.request("/api/auth/refresh", { json: { refreshToken } })).status, 200);
    assert.equal((await test.request("/v1/api/mailboxes", { token: key })).status, 200);
    assert.equal(await status({ token: stranger.accessToken }), 200);
    assert.deepEqual(await end(), [200, { success: true, data: { ended: 0 } }, []]);
  });
}

Deno.test("DELETE /api/auth/sessions counts the sessions that were live", async () => {
  await using test = await testService();
  const { userId, email, password } = await account(test);
  await beginSession(test.service, personOf({ userId }));
  await test.advance(30 * 86_400_000);
  for (let n = 0; n < 5; n++) await beginSession(test.service, personOf({ userId }));
  const entered = await data(test.request("/api/auth/login", { json: { email, password } }));
  const token = entered.accessToken;
  const ended = await data(test.request("/api/auth/sessions", { method: "DELETE", token }));
  assert.deepEqual(ended, { ended: 5 });
  const left = await Array.fromAsync(test.kv.list({ prefix: ["sessions", userId] }));
  assert.equal(left.length, 1);
});

// SPEC: auth.sessions
Deno.test("an account has at most 20 live sessions: the oldest ends, also with 30 logins at once", async () => {
  await using test = await testService();
  const { userId, accessToken, cookie } = await account(test);
  const second = await beginSession(test.service, personOf({ userId }));
  const usable = async (token: string) =>
    (await test.request("/api/keys", { token })).status === 200;
  for (let n = 0; n < 18; n++) await beginSession(test.service, personOf({ userId }));
  assert.ok(await usable(accessToken), "the first of 20");
  const last = await beginSession(test.service, personOf({ userId }));
  assert.ok(!await usable(accessToken), "the first of 21");
  assert.equal((await test.request("/api/keys", { headers: { cookie } })).status, 401);
  assert.ok(await usable(second.accessToken) && await usable(last.accessToken));
  // A logout makes room for another.
  await test.request("/api/auth/logout", { method: "POST", token: last.accessToken });
  await beginSession(test.service, personOf({ userId }));
  assert.ok(await usable(second.accessToken));
  const begun = await Promise.all(
    Array.from({ length: 30 }, () => beginSession(test.service, personOf({ userId }))),
  );
  const live = await Promise.all(begun.map((each) => usable(each.accessToken)));
  assert.equal(live.filter(Boolean).length, 20);
  assert.ok(!await usable(second.accessToken));
});

Deno.test("DELETE /api/auth/sessions with an API key or without a credential is 401", async () => {
  await using test = await testService();
  const { key, accessToken } = await account(test);
  for (const token of [key, undefined]) {
    const answer = await test.request("/api/auth/sessions", { method: "DELETE", token });
    assert.equal(answer.status, 401);
  }
  assert.equal((await test.request("/api/keys", { token: accessToken })).status, 200);
});

Deno.test("logout without a credential is 401", async () => {
  await using test = await testService();
  assert.equal((await test.request("/api/auth/logout", { method: "POST" })).status, 401);
});

Deno.test("each login begins a new session, whatever cookie the browser sends", async () => {
  await using test = await testService();
  await registered(test);
  const planted = "lbx_session=lbxr_planted";
  const entered = await test.request("/api/auth/login", {
    json: { email: person.email, password: person.password },
    headers: { cookie: planted },
  });
  assert.doesNotMatch(entered.headers.getSetCookie()[0], /planted/);
  assert.equal((await test.request("/api/keys", { headers: { cookie: planted } })).status, 401);
});

// SPEC: access.dashboard, session.cookie_dashboard_only
Deno.test("the cookie authenticates only /api/*", async () => {
  await using test = await testService();
  const { cookie } = await account(test);
  assert.equal((await test.request("/api/keys", { headers: { cookie } })).status, 200);
  assert.equal((await test.request("/v1/api/keys", { headers: { cookie } })).status, 401);
  assert.equal(
    (await test.request("/v1/mcp", { method: "POST", headers: { cookie } })).status,
    401,
  );
});

Deno.test("a wrong Authorization header is 401 also with a valid cookie", async () => {
  await using test = await testService();
  const { cookie, key } = await account(test);
  for (const authorization of ["Bearer nonsense", "Basic bm86bm8=", "", `Bearer ${key}`]) {
    const answer = await test.request("/api/keys", { headers: { cookie, authorization } });
    assert.equal(answer.status, 401, authorization);
  }
});

// SPEC: session.same_origin, error.forbidden
Deno.test("a change by cookie from another origin is 403 and changes nothing; by token it is allowed", async () => {
  await using test = await testService();
  const { cookie, accessToken } = await account(test);
  const create = (headers: Record<string, string>) =>
    test.request("/api/keys", { json: { name: "x" }, headers });
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: "http://localhost:8001" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.test", "sec-fetch-site": "same-origin" },
  ];
  for (const headers of foreign) {
    const answer = await create({ cookie, ...headers });
    assert.equal(answer.status, 403, JSON.stringify(headers));
    assert.equal((await answer.json()).error.code, "FORBIDDEN");
    assert.ok(answer.headers.has("x-ratelimit-limit"));
  }
  const listed = await (await test.request("/api/keys", { headers: { cookie } })).json();
  assert.equal(listed.meta.total, 1);
  const reading = { cookie, origin: "https://evil.test" };
  assert.equal((await test.request("/api/keys", { headers: reading })).status, 200);
  const own: Record<string, string>[] = [
    { origin: "http://localhost:8000", "sec-fetch-site": "same-origin" },
    { origin: "http://127.0.0.1:8000" },
    { "sec-fetch-site": "same-origin" },
    {},
  ];
  for (const headers of own) assert.equal((await create({ cookie, ...headers })).status, 201);
  const byToken = { authorization: `Bearer ${accessToken}`, origin: "https://evil.test" };
  assert.equal((await create(byToken)).status, 201);
});

// SPEC: http.media_type
Deno.test("a form or plain text from another site is not JSON: 400, and nothing is created", async () => {
  await using test = await testService();
  const { cookie } = await account(test);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const answer = await test.request("/api/keys", {
      method: "POST",
      headers: { cookie, "content-type": type },
      body: '{"name":"x"}',
    });
    assert.deepEqual([answer.status, (await answer.json()).error.code], [400, "BAD_REQUEST"]);
  }
});

// SPEC: session.guessing
Deno.test("after 20 wrong passwords the guesser gets 429 for any password, the owner elsewhere logs in", async () => {
  // One process takes parallel logins in turn; another instance may verify one more.
  await using test = await testService({ env: { TRUSTED_PROXIES: "192.0.2.1" }, instances: 1 });
  await registered(test);
  const guesser = "203.0.113.9", owner = "198.51.100.7";
  const guesses = await Promise.all(
    Array.from({ length: 25 }, () => login(test, { password: "wrong" }, guesser)),
  );
  const statuses = guesses.map(({ status }) => status);
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(401));
  assert.deepEqual(statuses.slice(20), Array(5).fill(429));
  const refused = await login(test, {}, guesser);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "900");
  assert.deepEqual(await refused.json(), {
    success: false,
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many failed logins; try again later.",
      details: { limit: 20, window: "hour", retry_after: 900 },
    },
  });
  assert.equal((await login(test, {}, owner)).status, 200);
  assert.equal((await login(test, { password: "wrong" }, owner)).status, 429);
  assert.equal((await login(test, {}, owner)).status, 200);
  await test.advance(15 * 60_000);
  assert.equal((await login(test, {}, guesser)).status, 200);
});

Deno.test("guessing an unknown email is slowed in the same way", async () => {
  await using test = await testService();
  const from = limitSubject("192.0.2.1");
  for (let n = 0; n < 19; n++) {
    await test.service.loginGuard.attempt("Nobody@example.org", from, wrong);
  }
  const guess = () => login(test, { email: "nobody@example.org", password: "x" });
  assert.deepEqual([(await guess()).status, (await guess()).status], [401, 429]);
});

Deno.test("the guesses of one instance count for another on the same store", async () => {
  await using first = await testService({ exclusive: false });
  await using second = await testService({ exclusive: false, kv: first.kv });
  const attempts = [];
  for (let n = 0; n < 22; n++) {
    const { loginGuard } = (n % 2 ? second : first).service;
    attempts.push(
      await loginGuard.attempt(person.email, "203.0.113.9", wrong).catch((error) => error.code),
    );
  }
  assert.deepEqual(attempts, [...Array(20).fill(false), ...Array(2).fill("RATE_LIMIT_EXCEEDED")]);
});

// SPEC: operator.set_plan
Deno.test("the operator's change of a plan holds from the next request on; 401 with a wrong token, 404 if no token is set", async () => {
  await using test = await testService();
  const { userId, email, key } = await account(test, "free");
  const set = (json: object, token = operatorToken) =>
    test.request("/operator/accounts/plan", { method: "PUT", json, token });
  const answer = await set({ email: email.toUpperCase(), plan: "pro" });
  assert.deepEqual([answer.status, await answer.json()], [200, {
    success: true,
    data: { userId, email, plan: "pro" },
  }]);
  const [listed] = await data(test.request("/v1/api/keys", { token: key }));
  assert.equal(listed.plan, "pro");
  assert.equal((await set({ email, plan: "pro" }, "wrong-token-of-the-operator")).status, 401);
  assert.equal((await set({ email: "nobody@example.org", plan: "pro" })).status, 404);
  assert.equal((await set({ email, plan: "gold" })).status, 400);
  await using closed = await testService({ env: { OPERATOR_TOKEN: "" } });
  const none = await closed.request("/operator/accounts/plan", {
    method: "PUT",
    json: { email, plan: "pro" },
    token: operatorToken,
  });
  assert.equal(none.status, 404);
});

Deno.test("login with an empty password is 401, for a known and an unknown account", async () => {
  await using test = await testService();
  const { email } = await account(test);
  for (const who of [email, "nobody@example.org"]) {
    const answer = await test.request("/api/auth/login", { json: { email: who, password: "" } });
    assert.equal(answer.status, 401);
    assert.equal((await answer.json()).error.code, "UNAUTHORIZED");
  }
});
