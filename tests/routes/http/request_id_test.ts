import assert from "node:assert/strict";
import { account, type TestService, testService } from "../../service.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// SPEC: http.request_id
Deno.test("every answer has its own X-Request-Id, whatever the client sent", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const answers = await Promise.all([
    test.request("/v1/api/health", { headers: { "x-request-id": "mine" } }),
    test.request("/v1/api/emails", { token: key }),
    test.request("/v1/api/emails"),
    test.request("/v1/api/health", { method: "POST" }),
    test.request("/nowhere"),
    test.request("/docs"),
    test.request("/v1/mcp", {
      token: key,
      headers: { accept: "application/json, text/event-stream" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 401, 405, 404, 200, 200]);
  const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
  for (const id of ids) assert.match(id, uuid);
  assert.equal(new Set(ids).size, ids.length);
  for (const answer of answers) await answer.body?.cancel();
});

// SPEC: http.request_id
Deno.test("an unforeseen exception is one line with its stack, the route's template and the request's id", async () => {
  // The reads of one process are broken.
  await using test = await testService({ instances: 1 });
  const { key } = await account(test);
  breakReads(test);
  const answer = await test.request("/v1/api/emails/some-id?x=1", { token: key });
  assert.equal(answer.status, 500);
  assert.doesNotMatch(await answer.text(), /inside|TypeError|\.ts/);
  const [line, ...more] = failed(test);
  assert.deepEqual(more, []);
  assert.equal(line.error, "TypeError: the inside");
  assert.match(String(line.stack), /^at .*request_id_test\.ts/);
  assert.ok(String(line.stack).length <= 2_000);
  assert.equal(line.route, "GET /v1/api/emails/:messageId");
  assert.equal(line.requestId, answer.headers.get("x-request-id"));
});

Deno.test("an unforeseen exception of an MCP tool is logged with the tool and the request's id", async () => {
  // The reads of one process are broken.
  await using test = await testService({ instances: 1 });
  const { key } = await account(test);
  // The credential is cached for a second, so it is the tool that fails.
  await (await test.request("/v1/api/keys", { token: key })).body?.cancel();
  breakReads(test);
  const answer = await test.request("/v1/mcp", {
    token: key,
    headers: { accept: "application/json, text/event-stream" },
    json: {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "get_email", arguments: { email_id: "some-id" } },
    },
  });
  assert.doesNotMatch(await answer.text(), /inside|TypeError|\.ts/);
  const [line] = failed(test);
  assert.match(String(line.stack), /^at .*request_id_test\.ts/);
  assert.equal(line.route, "POST /v1/mcp get_email");
  assert.equal(line.requestId, answer.headers.get("x-request-id"));
});

const failed = (test: TestService) => test.log.filter(({ event }) => event === "request.failed");

/** Makes every read of the database throw a TypeError. */
function breakReads({ service }: TestService): void {
  const { database } = service;
  const fail = () => {
    throw new TypeError("the inside\nwith a second line");
  };
  for (const part of ["get", "getMany", "collect", "transact"]) {
    if (part in database) Object.assign(database, { [part]: fail });
  }
}
