import assert from "node:assert/strict";
import { unavailable } from "../../../domain/core/errors.ts";
import {
  account,
  deliver,
  FakeClock,
  inboundToken,
  mailbox,
  message,
  operatorToken,
  type TestService,
  testService,
} from "../../service.ts";

const unlimited = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
};
const minute = (limit: number) => ({ enterprise: { ...unlimited, requestsPerMinute: limit } });
const endOfMinute = Date.parse("2026-11-20T10:01:00.000Z") / 1000;

function limits(answer: Response): [limit: number, remaining: number, reset: number] {
  const header = (name: string) => {
    const text = answer.headers.get(`x-ratelimit-${name}`);
    assert.ok(text !== null, `${answer.status} without x-ratelimit-${name}`);
    return Number(text);
  };
  return [header("limit"), header("remaining"), header("reset")];
}

/**
 * Deadlines come twenty times as late: on a busy machine 1,000 requests to a remote database take longer than a request
 * waits for its reservation, and then it passes uncounted.
 */
class PatientClock extends FakeClock {
  override elapsed(): number {
    return super.elapsed() / 20;
  }

  override after(delayMs: number, run: () => void): () => void {
    return super.after(20 * delayMs, run);
  }
}

for (const limit of [20, 100, 500]) {
  // SPEC: limit.minute, limit.account_windows
  Deno.test(`of 1,000 requests at once exactly ${limit} pass, by key, by access token and a mix of them`, async () => {
    const parts = { clock: new PatientClock() };
    await using test = await testService({ plans: minute(limit), parts });
    const { key, accessToken } = await account(test);
    const asked = [
      () => test.request("/v1/api/mailboxes", { token: key }),
      () => test.request("/v1/api/mailboxes", { token: accessToken }),
      () => test.request("/api/keys", { token: accessToken }),
    ];
    for (const ways of [[asked[0]], [asked[1]], asked]) {
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, n) => ways[n % ways.length]()),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, limit);
      assert.equal(answers.filter(({ status }) => status === 429).length, 1000 - limit);
      const left = answers.filter(({ status }) => status === 200).map((answer) =>
        limits(answer)[1]
      );
      assert.deepEqual(new Set(left), new Set(Array.from({ length: limit }, (_, n) => n)));
      await test.advance(60_000);
    }
  });
}

Deno.test("1,000 requests at once to two instances on one store never exceed the limit", async () => {
  await using first = await testService({ plans: minute(100), exclusive: false });
  await using second = await testService({
    plans: minute(100),
    exclusive: false,
    kv: first.kv,
    parts: { clock: first.clock },
  });
  const { key } = await account(first);
  const answers = await Promise.all(
    Array.from(
      { length: 1000 },
      (_, n) => (n % 2 ? first : second).request("/v1/api/mailboxes", { token: key }),
    ),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  assert.ok(passed <= 100 && passed >= 80, `${passed}`);
});

// SPEC: limit.minute, limit.headers, error.rate_limit
Deno.test("past the limit: 429 with the window, the requests left and Retry-After", async () => {
  // Exact in one process; over several never more pass (tests/billing).
  await using test = await testService({ plans: {}, instances: 1 });
  const { key } = await account(test, "free");
  await test.advance(12_300);
  for (let n = 1; n <= 20; n++) {
    const answer = await test.request("/v1/api/mailboxes", { token: key });
    assert.deepEqual([answer.status, ...limits(answer)], [200, 20, 20 - n, endOfMinute]);
  }
  const refused = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual(limits(refused), [20, 0, endOfMinute]);
  assert.equal(refused.headers.get("retry-after"), "48");
  assert.deepEqual([refused.status, await refused.json()], [429, {
    success: false,
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many requests.",
      details: { limit: 20, window: "minute", retry_after: 48 },
    },
  }]);
});

// SPEC: limit.hour, limit.day
Deno.test("the hour and the day are limited too, and the headers show the window with the fewest left", async () => {
  // Exact in one process; over several never more pass (tests/billing).
  await using test = await testService({ plans: { free: { requestsPerDay: 150 } }, instances: 1 });
  const { key } = await account(test, "free");
  const ask = () => test.request("/v1/api/mailboxes", { token: key });
  for (let passed = 0; passed < 100; passed++) {
    if (passed > 0 && passed % 20 === 0) await test.advance(60_000);
    const answer = await ask();
    assert.equal(answer.status, 200);
    assert.equal(limits(answer)[0], passed < 80 ? 20 : passed < 100 ? 100 : 0);
  }
  await test.advance(60_000);
  const byHour = await ask();
  assert.deepEqual((await byHour.json()).error.details, {
    limit: 100,
    window: "hour",
    retry_after: 3600 - 300,
  });
  await test.advance(3_300_000);
  for (let n = 0; n < 50; n++) {
    if (n % 20 === 0) await test.advance(60_000);
    assert.equal((await ask()).status, 200);
  }
  const byDay = await ask();
  const { details } = (await byDay.json()).error;
  assert.deepEqual([details.limit, details.window], [150, "day"]);
  assert.equal(limits(byDay)[2], Date.parse("2026-11-21T00:00:00.000Z") / 1000);
});

// SPEC: limit.headers
Deno.test("every answer of the API carries the headers: 200, 400, 401, 403, 404, 405, 413, 429 and health", async () => {
  await using test = await testService({ plans: minute(1000) });
  const { key, cookie } = await account(test);
  const answers: [number, string, Parameters<TestService["request"]>[1]][] = [
    [200, "/v1/api/mailboxes", { token: key }],
    [200, "/v1/api/health", {}],
    [400, "/v1/api/keys", { token: key, json: {} }],
    [401, "/v1/api/mailboxes", {}],
    [401, "/v1/mcp", { method: "POST" }],
    [403, "/api/keys", { json: {}, headers: { cookie, origin: "https://evil.test" } }],
    [404, "/v1/api/nothing", { token: key }],
    [404, "/api/nothing", {}],
    [405, "/v1/api/health", { method: "POST" }],
    [405, "/v1/api/mailboxes", { method: "PUT", token: key }],
    [413, "/v1/api/keys", {
      method: "POST",
      token: key,
      headers: { "content-length": "99999999", "content-type": "application/json" },
    }],
    [503, "/api/webhooks/stripe", { method: "POST" }],
  ];
  for (const [status, path, init] of answers) {
    const answer = await test.request(path, init);
    assert.equal(answer.status, status, path);
    const [limit, , reset] = limits(answer);
    assert.ok([1_000, 300, 1_000_000].includes(limit), path);
    assert.equal(reset, endOfMinute);
  }
});

// SPEC: limit.unlimited_header
Deno.test("while the database does not answer, requests are 503 with the headers; later ones count as usual", async () => {
  // Its commits fail in one process.
  await using test = await testService({ plans: minute(1000), exclusive: false, instances: 1 });
  const { key } = await account(test);
  const { database } = test.service;
  const get = database.get.bind(database);
  database.get = () => Promise.reject(unavailable("The database is not available."));
  const away = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual([away.status, away.headers.get("retry-after")], [503, "1"]);
  assert.equal(limits(away)[2], endOfMinute);
  database.get = get;
  const back = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual([back.status, ...limits(back)], [200, 1000, 999, endOfMinute]);
});

Deno.test("an unlimited account shows the largest exact number and the end of the minute", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const answer = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual(limits(answer), [9007199254740991, 9007199254740991, endOfMinute]);
});

// SPEC: limit.anonymous
Deno.test("health costs nothing, unknown paths cost one, and requests without a valid credential count by address", async () => {
  await using test = await testService({
    env: { ANONYMOUS_REQUESTS_PER_MINUTE: "5", TRUSTED_PROXIES: "192.0.2.0/24" },
    plans: minute(10),
  });
  const { key } = await account(test);
  const from = (address: string, token?: string) =>
    test.request("/v1/api/nothing", { token, headers: { "x-forwarded-for": address } });
  for (let n = 0; n < 9; n++) {
    const health = await test.request("/v1/api/health", {
      headers: { "x-forwarded-for": "203.0.113.1" },
    });
    assert.deepEqual([health.status, ...limits(health)], [200, 5, 5, endOfMinute]);
  }
  for (let n = 1; n <= 5; n++) {
    assert.deepEqual(limits(await from("203.0.113.1", n % 2 ? "lbx_wrong" : undefined)), [
      5,
      5 - n,
      endOfMinute,
    ]);
  }
  assert.equal((await from("203.0.113.1")).status, 429);
  assert.equal((await from("203.0.113.2")).status, 404);
  assert.equal((await from("203.0.113.1", key)).status, 404);
  assert.deepEqual(limits(await from("203.0.113.1", key)), [10, 8, endOfMinute]);
  for (let n = 0; n < 5; n++) assert.equal((await from(`2001:db9::${n}`)).status, 404);
  assert.equal((await from("2001:db9::ffff")).status, 429);
});

Deno.test("X-Forwarded-For from an untrusted peer changes nothing", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "3" } });
  const statuses = [];
  for (let n = 0; n < 5; n++) {
    const headers = { "x-forwarded-for": `203.0.113.${n}` };
    statuses.push((await test.request("/api/nothing", { headers })).status);
  }
  assert.deepEqual(statuses, [404, 404, 404, 429, 429]);
});

// SPEC: inbound.no_window
Deno.test("mail, the operator and authenticated providers count in no window", async () => {
  await using test = await testService({
    env: { ANONYMOUS_REQUESTS_PER_MINUTE: "1" },
    plans: minute(100),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 5; n++) {
    const { disposition } = await deliver(test, box.email_address, message({}, `${n}\n`));
    assert.equal(disposition, "accepted");
    const plan = await test.request("/operator/accounts/plan", {
      method: "PUT",
      json: { email: owner.email, plan: "enterprise" },
      token: operatorToken,
    });
    assert.equal(plan.status, 200);
  }
});

Deno.test("a wrong inbound or operator token counts in the anonymous window, a right one never", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "3" } });
  const raw = (token: string) => test.request("/inbound/raw", { method: "POST", token });
  const plan = (token: string) =>
    test.request("/operator/accounts/plan", { method: "PUT", json: {}, token });
  const statuses = [];
  for (const answer of [raw("wrong"), plan("wrong"), raw(""), plan("wrong"), raw("wrong")]) {
    statuses.push((await answer).status);
  }
  assert.deepEqual(statuses.toSorted(), [401, 401, 401, 429, 429]);
  assert.equal((await test.request("/api/auth/login", { json: {} })).status, 429);
  assert.equal((await raw(inboundToken)).status, 415);
  assert.equal((await plan(operatorToken)).status, 400);
});

Deno.test("the documents count in the anonymous window of their reader", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "3" } });
  for (const [n, path] of ["/openapi.json", "/docs", "/llms.txt"].entries()) {
    const answer = await test.request(path);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("x-ratelimit-remaining"), String(2 - n));
  }
  const refused = await test.request("/docs");
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "60");
});

// SPEC: limit.refused_free
Deno.test("a request refused with 429 costs nothing: the next minute has its full number", async () => {
  await using test = await testService({
    plans: { enterprise: { ...unlimited, requestsPerMinute: 5, requestsPerHour: 12 } },
  });
  const { key } = await account(test);
  const passed = [];
  for (let n = 0; n < 4; n++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => test.request("/v1/api/mailboxes", { token: key })),
    );
    passed.push(answers.filter(({ status }) => status === 200).length);
    await test.advance(60_000);
  }
  assert.deepEqual(passed, [5, 5, 2, 0]);
});

Deno.test("a refused request costs less than an accepted one: it does not read the database", async () => {
  const kv = await Deno.openKv(":memory:");
  let operations = 0;
  for (const name of ["get", "getMany", "list", "atomic"] as const) {
    const original = kv[name].bind(kv) as (...args: unknown[]) => unknown;
    Object.assign(kv, { [name]: (...args: unknown[]) => (operations++, original(...args)) });
  }
  {
    await using test = await testService({ plans: minute(500), kv });
    const { key } = await account(test);
    const operationsOf = async (status: number) => {
      const before = operations;
      for (let n = 0; n < 500; n++) {
        const answer = await test.request("/v1/api/mailboxes", { token: key });
        assert.equal(answer.status, status);
        await answer.body?.cancel();
      }
      return operations - before;
    };
    const accepted = await operationsOf(200), refused = await operationsOf(429);
    assert.ok(accepted > refused, `${accepted} operations of accepted requests`);
    assert.equal(refused, 0);
  }
  kv.close();
});

function mcp(test: TestService, token: string, method: string, params: object = {}) {
  return test.request("/v1/mcp", {
    token,
    json: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream" },
  });
}

async function result(answer: Response) {
  const text = await answer.text();
  const line = text.split("\n").find((each) => each.startsWith("data: "));
  return JSON.parse(line ? line.slice(6) : text).result;
}

// SPEC: limit.mcp
Deno.test("an MCP tool call costs one of the MCP minute and one of the account; other MCP messages cost nothing", async () => {
  await using test = await testService({
    plans: { enterprise: { ...unlimited, requestsPerMinute: 6, mcpRequestsPerMinute: 3 } },
  });
  const { key } = await account(test);
  const call = () => mcp(test, key, "tools/call", { name: "list_mailboxes", arguments: {} });
  for (let n = 0; n < 4; n++) {
    const listed = await mcp(test, key, "tools/list");
    assert.deepEqual([listed.status, ...limits(listed)], [200, 3, 3, endOfMinute]);
    assert.equal((await result(listed)).tools.length, 8);
  }
  for (let n = 1; n <= 3; n++) {
    const called = await call();
    assert.deepEqual(limits(called), [3, 3 - n, endOfMinute]);
    assert.deepEqual((await result(called)).structuredContent, { mailboxes: [] });
  }
  const refused = await call();
  assert.deepEqual([refused.status, ...limits(refused)], [200, 3, 0, endOfMinute]);
  assert.equal(refused.headers.get("retry-after"), "60");
  const { isError, content } = await result(refused);
  assert.deepEqual([isError, JSON.parse(content[0].text)], [true, {
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many requests.",
      details: { limit: 3, window: "minute", retry_after: 60 },
    },
  }]);
  const rest = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual([rest.status, ...limits(rest)], [200, 6, 2, endOfMinute]);
});

// SPEC: limit.mcp
Deno.test("of 200 MCP calls at once exactly as many pass as the MCP minute allows", async () => {
  await using test = await testService({
    plans: { enterprise: { ...unlimited, requestsPerMinute: 100, mcpRequestsPerMinute: 10 } },
  });
  const { key } = await account(test);
  const answers = await Promise.all(
    Array.from(
      { length: 200 },
      () => mcp(test, key, "tools/call", { name: "list_mailboxes", arguments: {} }),
    ),
  );
  const results = await Promise.all(answers.map(result));
  assert.equal(results.filter(({ isError }) => !isError).length, 10);
});
