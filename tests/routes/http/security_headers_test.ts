import assert from "node:assert/strict";
import { account, inboundToken, type TestService, testService } from "../../service.ts";
import { apiRoutes, tokenFor } from "../../contract/served_routes.ts";
import { ownMs } from "../../own_time.ts";

const https = { BASE_URL: "https://mail.example.com" };

function assertGuarded(answer: Response, what: string): void {
  assert.equal(answer.headers.get("cache-control"), "no-store", what);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff", what);
}

Deno.test("every answer of /v1, /api and /operator except health is no-store and nosniff: successes, errors, 404, 405, 429, MCP", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "300" } });
  const owner = await account(test);
  for (const route of apiRoutes) {
    const { path, method } = route;
    if (path === "/v1/api/health") continue;
    for (const token of [tokenFor(route, owner), "nonsense"]) {
      // The other input is missing or none: this is the one route that would wait.
      const query = path.endsWith("/emails/wait") ? "?timeout_seconds=0" : "";
      const answer = await test.request(path + query, { method, token });
      assertGuarded(answer, `${method} ${path} ${answer.status}`);
    }
    assertGuarded(await test.request(path, { method: "PUT", token: owner.key }), `PUT ${path}`);
  }
  for (const path of ["/v1/nowhere", "/api/nowhere", "/v1", "/api"]) {
    assertGuarded(await test.request(path), path);
  }
  for (const path of ["/operator/metrics", "/operator/nowhere"]) {
    assertGuarded(await test.request(path), path);
  }
  const mcp = await test.request("/v1/mcp", {
    token: owner.key,
    json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
  });
  assert.equal(mcp.status, 200);
  assertGuarded(mcp, "MCP");
  let refused = await test.request("/v1/api/emails");
  for (let n = 0; n < 300 && refused.status !== 429; n++) {
    refused = await test.request("/v1/api/emails");
  }
  assert.equal(refused.status, 429);
  assertGuarded(refused, "429");
  const health = await test.request("/v1/api/health");
  assert.equal(health.headers.get("cache-control"), null);
});

Deno.test("every answer has HSTS if BASE_URL is https, and none if it is http", async () => {
  const paths = ["/docs", "/v1/api/health", "/v1/api/emails", "/nowhere", "/inbound/raw"];
  const said = async (test: TestService) =>
    await Promise.all(
      paths.map(async (path) =>
        (await test.request(path)).headers.get("strict-transport-security")
      ),
    );
  await using secure = await testService({ env: https });
  assert.deepEqual(await said(secure), paths.map(() => "max-age=31536000"));
  await using plain = await testService();
  assert.deepEqual(await said(plain), paths.map(() => null));
});

Deno.test("no other page may show the reference page in a frame", async () => {
  await using test = await testService();
  const { headers } = await test.request("/docs");
  assert.match(headers.get("content-security-policy") ?? "", /(^|; )frame-ancestors 'none'(;|$)/);
});

Deno.test("the documents are made once, and are 304 for a client that has them", async () => {
  await using test = await testService({ instances: 1 });
  for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
    const first = await test.request(path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    for (const known of [`"x", ${etag}`, `W/${etag}`, `W/"x",W/${etag}`, "*"]) {
      const again = await test.request(path, { headers: { "if-none-match": known } });
      assert.equal(again.status, 304, known);
      assert.equal(await again.text(), "");
      assert.equal(again.headers.get("etag"), etag);
    }
    const text = await first.text();
    assert.equal(await (await test.request(path)).text(), text);
    for (const other of ['"x"', 'W/"x"', `w/${etag}`, etag.slice(1, -1), '"*"']) {
      const answer = await test.request(path, { headers: { "if-none-match": other } });
      assert.equal(answer.status, 200, other);
    }
  }
  const from = ownMs();
  for (let n = 0; n < 100; n++) await test.request("/llms.txt");
  assert.ok(ownMs() - from < 2_000);
});

Deno.test("the session's cookie is __Host-lbx_session on https, and the other name is ignored there", async () => {
  await using test = await testService({ env: https });
  const { email, password } = {
    email: "host@example.org",
    password: "correct horse battery staple",
  };
  await test.request("/api/auth/register", { json: { email, password, name: "Host" } });
  const login = await test.request("/api/auth/login", { json: { email, password } });
  const [cookie] = login.headers.getSetCookie();
  assert.match(
    cookie,
    /^__Host-lbx_session=[^;]{40,}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const pair = cookie.split(";")[0];
  const status = async (cookie: string) =>
    (await test.request("/api/keys", { headers: { cookie } })).status;
  assert.equal(await status(pair), 200);
  assert.equal(await status(pair.replace("__Host-", "")), 401);
  const logout = await test.request("/api/auth/logout", {
    method: "POST",
    headers: { cookie: pair },
  });
  assert.match(
    logout.headers.getSetCookie()[0],
    /^__Host-lbx_session=; Max-Age=0; Path=\/;.*Secure/,
  );
  const document = await (await test.request("/openapi.json")).json();
  assert.equal(document.components.securitySchemes.session.name, "__Host-lbx_session");
});

Deno.test("X-Forwarded-For is one warning in the log from an untrusted peer, none from a trusted one", async () => {
  const ask = async (test: TestService) => {
    for (let n = 0; n < 3; n++) {
      await test.request("/v1/api/health", { headers: { "x-forwarded-for": "198.51.100.7" } });
      await test.request("/inbound/raw", { token: inboundToken });
    }
    return test.log.filter(({ event }) => event === "proxy.not_trusted");
  };
  await using open = await testService({ instances: 1 });
  const [warning, ...others] = await ask(open);
  assert.deepEqual(others, []);
  assert.equal(warning.level, "warn");
  assert.equal(warning.peer, "192.0.2.1");
  assert.match(String(warning.meaning), /TRUSTED_PROXIES/);
  await using behind = await testService({
    env: { TRUSTED_PROXIES: "192.0.2.0/24" },
    instances: 1,
  });
  assert.deepEqual(await ask(behind), []);
});
