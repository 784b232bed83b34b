import assert from "node:assert/strict";
import { account, type TestService, testService } from "../../service.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const call = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "list_mailboxes", arguments: {} },
};
const json = "application/json";
const events = "text/event-stream";

/** A message of the newest revision. */
function modern(message: { method: string; params?: { name?: string } }) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    body: { ...message, params: { ...message.params, _meta: meta } },
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": message.method,
      ...message.params?.name && { "mcp-name": message.params.name },
    },
  };
}

async function send(
  test: TestService,
  token: string,
  accept: string | null,
  { body, headers = {} }: { body: object; headers?: Record<string, string> },
) {
  const response = await test.request("/v1/mcp", {
    method: "POST",
    token,
    headers: { "content-type": json, ...headers, ...accept !== null && { accept } },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text };
}

/** The message of an answer, as a client of its type reads it. */
function messageIn({ type, text }: { type: string | null; text: string }) {
  if (type === json) return JSON.parse(text);
  assert.equal(type, events);
  const [, data] = text.match(/^event: message\ndata: (.+)\n\n$/) ?? assert.fail(text);
  return JSON.parse(data);
}

// SPEC: mcp.accept
Deno.test("an Accept that names one of the two types is answered in it, in every revision", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const named: [accept: string, type: string][] = [
    [json, json],
    ["Application/JSON; charset=utf-8", json],
    ["application/json, text/plain, */*", json],
    [`${json}, ${events};q=0`, json],
    [events, events],
    [`text/html, ${events};q=0.5`, events],
  ];
  for (const message of [list, call]) {
    const whole = messageIn(await send(test, key, `${json}, ${events}`, { body: message }));
    for (const request of [{ body: message }, modern(message)]) {
      for (const [accept, type] of named) {
        const answer = await send(test, key, accept, request);
        assert.deepEqual([answer.status, answer.type], [200, type], `${accept} ${message.method}`);
        const { result } = messageIn(answer);
        assert.deepEqual(
          result.tools ?? result.content,
          whole.result.tools ?? whole.result.content,
        );
      }
    }
  }
});

// SPEC: mcp.accept
Deno.test("without an Accept, and with */*, both types are taken; one that names neither is 406", async () => {
  await using test = await testService();
  const { key } = await account(test);
  for (const accept of [null, "", "*/*", `${events}, ${json}`]) {
    const answer = await send(test, key, accept, { body: list });
    assert.equal(answer.status, 200, String(accept));
    assert.equal(messageIn(answer).result.tools.length, 8);
  }
  for (const accept of ["text/html", "application/*", "application/jsonp", `${json};q=0`]) {
    const answer = await send(test, key, accept, { body: list });
    assert.deepEqual([answer.status, answer.type], [406, json], accept);
  }
});

// SPEC: mcp.accept
Deno.test("errors with another status are JSON whatever Accept names, and a notification has no body", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const invalid = await send(test, key, events, { body: { jsonrpc: "1.0" } });
  assert.deepEqual([invalid.status, invalid.type], [400, json]);
  const refused = await send(test, "", events, { body: list });
  assert.deepEqual([refused.status, refused.type], [401, json]);
  const body = { jsonrpc: "2.0", method: "notifications/initialized" };
  for (const accept of [json, events]) {
    const { status, text } = await send(test, key, accept, { body });
    assert.deepEqual([status, text], [202, ""]);
  }
});

// SPEC: mcp.slash
Deno.test("/v1/mcp/ is /v1/mcp: its answers, its windows, its errors, its parameters", async () => {
  const limits = { requestsPerMinute: 20, mcpRequestsPerMinute: 3 };
  await using test = await testService({ plans: { free: limits } });
  const { key } = await account(test, "free");
  const answerOf = async (path: string, init: RequestInit & { token?: string; json?: unknown }) => {
    const answer = await test.request(path, init);
    // Requests without a key count one by one.
    const own = init.token
      ? /^(date|x-request-id)$/
      : /^(date|x-request-id|x-ratelimit-remaining)$/;
    const headers = [...answer.headers].filter(([name]) => !own.test(name));
    return { status: answer.status, headers, text: await answer.text() };
  };
  const requests: (RequestInit & { token?: string; json?: unknown })[] = [
    { token: key, json: list },
    { token: "", json: list },
    { method: "GET", token: key },
    { method: "DELETE", token: key },
    { method: "GET" },
    { token: key, json: list, headers: { origin: "https://evil.example" } },
    { token: key, json: [list] },
  ];
  for (const request of requests) {
    for (const query of ["", "?toolset=full", "?toolset=no"]) {
      const plain = await answerOf(`/v1/mcp${query}`, request);
      assert.deepEqual(await answerOf(`/v1/mcp/${query}`, request), plain, JSON.stringify(request));
    }
  }
  for (const left of ["2", "1"]) {
    const answer = await test.request("/v1/mcp/", { token: key, json: call });
    assert.equal(answer.headers.get("x-ratelimit-remaining"), left);
    await answer.body?.cancel();
  }
  const answer = await test.request("/v1/mcp//", { token: key, json: list });
  assert.equal(answer.status, 404);
  await answer.body?.cancel();
});
