import assert from "node:assert/strict";
import { served } from "../../../routes/app.ts";
import { sessionCopies } from "../../../routes/dashboard/session_copies.ts";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";

/** What an account calls. A URL that is a credential itself has no copy. */
const v1 = [...served.account, ...served.plain.filter(({ access }) => access === "account")]
  .filter(({ path }) => path.startsWith("/v1/api/"));

// SPEC: dashboard.copies
Deno.test("every route of /v1/api but health is served under /api, and refuses a key with 401", async () => {
  await using test = await testService();
  const owner = await account(test);
  const dashboard = [...served.account, ...served.plain, ...served.copies]
    .map(({ method, path }) => `${method} ${path}`);
  assert.ok(v1.length > 40);
  for (const { method, path } of v1) {
    const copy = path.replace("/v1/api/", "/api/");
    assert.ok(dashboard.includes(`${method} ${copy}`), `${method} ${copy}`);
    const url = copy.replace(/:\w+/g, "nobody-has-it");
    const json = method === "GET" || method === "DELETE" ? undefined : {};
    const byKey = await test.request(url, { method, token: owner.key, json });
    assert.equal(byKey.status, 401, url);
    const stranger = await test.request(url, { method, json });
    assert.equal(stranger.status, 401, url);
  }
  assert.ok(!dashboard.includes("GET /api/health"));
});

// SPEC: dashboard.copies
Deno.test("a copy gives exactly the answer of its v1 route, by cookie and by access token; failures name fields in field_errors", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message({ Subject: "Copied" }));
  await test.settle();
  const email = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
  const paths = [
    "/emails?limit=5",
    `/emails/${email_id}`,
    `/emails/${email_id}/links`,
    `/emails/${email_id}/raw`,
    `/threads/${email.thread_id}`,
    "/arrivals",
    "/webhooks",
    "/changes",
    "/emails/nobody",
  ];
  for (const path of paths) {
    const own = await test.request(`/v1/api${path}`, { token: owner.key });
    const text = await own.text();
    for (const init of [{ headers: { cookie: owner.cookie } }, { token: owner.accessToken }]) {
      const copy = await test.request(`/api${path}`, init);
      assert.equal(copy.status, own.status, path);
      assert.equal(await copy.text(), text, path);
      assert.equal(copy.headers.get("content-type"), own.headers.get("content-type"), path);
      assert.equal(copy.headers.get("cache-control"), "no-store", path);
    }
  }
  const wrong = await test.request("/api/emails?limit=none", { token: owner.accessToken });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys((await wrong.json()).error.details.field_errors), ["limit"]);
  const unknown = await test.request("/api/emails?unred=true", { token: owner.accessToken });
  assert.deepEqual(Object.keys((await unknown.json()).error.details.field_errors), ["unred"]);
  const other = await account(test);
  const foreign = await test.request(`/api/emails/${email_id}`, { token: other.accessToken });
  assert.equal(foreign.status, 404);
});

Deno.test("no route of /v1 takes a cookie", async () => {
  await using test = await testService();
  const { cookie } = await account(test);
  for (const { method, path } of v1) {
    const json = method === "GET" || method === "DELETE" ? undefined : {};
    const answer = await test.request(path, { method, headers: { cookie }, json });
    assert.equal(answer.status, 401, `${method} ${path}`);
  }
  assert.equal((await test.request("/v1/mcp", { headers: { cookie }, json: {} })).status, 401);
});

Deno.test("a change by cookie through a copy must come from the service's own origin", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const patch = (headers: Record<string, string>) =>
    test.request(`/api/emails/${email_id}`, {
      method: "PATCH",
      json: { is_read: true },
      headers: { cookie: owner.cookie, ...headers },
    });
  assert.equal((await patch({ origin: "https://evil.example" })).status, 403);
  assert.equal((await patch({ "sec-fetch-site": "cross-site" })).status, 403);
  const own = await patch({ "sec-fetch-site": "same-origin" });
  assert.equal(own.status, 200);
  assert.equal((await own.json()).data.is_read, true);
});

// SPEC: dashboard.copies
Deno.test("a route and its copy are one entry of the document, with the credentials of both", async () => {
  await using test = await testService();
  const { paths } = await (await test.request("/openapi.json")).json();
  const security = (path: string) =>
    paths[path].get.security.flatMap((each: object) => Object.keys(each)).sort();
  assert.deepEqual(security("/v1/api/emails"), ["accessToken", "apiKey", "session"]);
  assert.deepEqual(security("/v1/api/emails/{messageId}/raw"), [
    "accessToken",
    "apiKey",
    "session",
  ]);
  assert.equal(paths["/api/emails"], undefined);
  assert.match(paths["/v1/api/emails"].get.description, /With a session: `\/api\/emails`/);
});

Deno.test("a route that the dashboard has itself is not copied", () => {
  const route = (method: string, path: string) =>
    ({ family: "v1", tag: "Emails", method, path }) as const;
  const routes = [
    route("GET", "/v1/api/a"),
    route("POST", "/v1/api/a"),
    route("GET", "/v1/mcp"),
    route("GET", "/v1/api/health"),
  ];
  const copies = sessionCopies(routes, [{ method: "POST", path: "/api/a" }]);
  assert.deepEqual(copies, [
    { family: "dashboard", tag: "Emails", method: "GET", path: "/api/a", copyOf: "/v1/api/a" },
  ]);
});
