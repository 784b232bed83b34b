import assert from "node:assert/strict";
import { testService } from "../../service.ts";
import { read, redirectUri } from "./connect.ts";

// SPEC: oauth.register
Deno.test("a client registers itself as a public client", async () => {
  await using test = await testService();
  const answer = await test.request("/oauth/register", {
    json: {
      client_name: "Any app",
      redirect_uris: [redirectUri, "http://127.0.0.1/cb"],
      grant_types: ["authorization_code", "refresh_token", "urn:x"],
      token_endpoint_auth_method: "client_secret_basic",
      logo_uri: "javascript:alert(1)",
      unknown: { a: 1 },
    },
  });
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { status, body } = await read(answer);
  assert.equal(status, 201);
  const { client_id, ...rest } = body;
  assert.match(client_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    client_id_issued_at: Math.floor(test.clock.now() / 1_000),
    client_name: "Any app",
    redirect_uris: [redirectUri, "http://127.0.0.1/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
});

Deno.test("a client without a name is called by the host of its redirect", async () => {
  await using test = await testService();
  const { body } = await read(
    test.request("/oauth/register", { json: { redirect_uris: [redirectUri] } }),
  );
  assert.equal(body.client_name, "app.example");
});

// SPEC: oauth.register
Deno.test("each wrong registration has the error of RFC 7591, and writes nothing", async () => {
  await using test = await testService();
  const metadata = "invalid_client_metadata", redirect = "invalid_redirect_uri";
  const redirect_uris = [redirectUri];
  const wrong: [string, number, BodyInit][] = [
    [metadata, 400, ""],
    [metadata, 400, "{"],
    [metadata, 400, "[]"],
    [metadata, 400, "null"],
    [redirect, 400, "{}"],
    ...([
      [redirect, { redirect_uris: [] }],
      [redirect, { redirect_uris: redirectUri }],
      [redirect, { redirect_uris: ["http://app.example/cb"] }],
      [redirect, { redirect_uris: ["javascript:alert(1)"] }],
      [redirect, { redirect_uris: ["data:text/html,x"] }],
      [redirect, { redirect_uris: [`${redirectUri}#x`] }],
      [redirect, { redirect_uris: [redirectUri, 1] }],
      [metadata, { redirect_uris: Array(21).fill(redirectUri) }],
      [metadata, { redirect_uris, client_name: "x".repeat(101) }],
      [metadata, { redirect_uris, client_name: 1 }],
      [metadata, { redirect_uris, grant_types: ["client_credentials"] }],
      [metadata, { redirect_uris, grant_types: "authorization_code" }],
      [metadata, { redirect_uris, response_types: ["token"] }],
    ] as [string, object][]).map(([error, body]) =>
      [error, 400, JSON.stringify(body)] as [string, number, BodyInit]
    ),
    ["invalid_request", 413, JSON.stringify({ redirect_uris, x: "x".repeat(16_384) })],
  ];
  for (const [error, status, body] of wrong) {
    const headers = { "content-type": "application/json" };
    const answer = await read(test.request("/oauth/register", { method: "POST", headers, body }));
    assert.deepEqual(
      [answer.status, answer.body.error],
      [status, error],
      String(body).slice(0, 99),
    );
    assert.match(answer.body.error_description, /^[ !#-[\]-~]+$/);
  }
  const rows = await Array.fromAsync(test.kv.list({ prefix: ["oauth_clients"] }));
  assert.deepEqual(rows, []);
  const twenty = { redirect_uris: Array(20).fill(redirectUri), client_name: "ü".repeat(100) };
  assert.equal((await test.request("/oauth/register", { json: twenty })).status, 201);
});
