import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { clients, listen, type ToolClient } from "./mcp_clients.ts";
import { post } from "./post.ts";

const names = [
  "search_emails",
  "list_emails",
  "get_email",
  "get_email_thread",
  "get_email_raw",
  "list_mailboxes",
  "send_email",
  "reply_email",
];

/** Calls a tool and returns both forms of its result. */
// deno-lint-ignore no-explicit-any -- tests read any field of the result
async function call(client: ToolClient, name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const text = JSON.parse(result.content[0].text!);
  assert.notEqual(result.isError, true, JSON.stringify(text));
  assert.deepEqual(result.structuredContent, text);
  return text;
}

for (const [client, connect] of Object.entries(clients)) {
  // SPEC: mcp.tools, mcp.bearer, mcp.structured, mcp.eras
  Deno.test({
    name: `${client} takes the documented steps: mailboxes, search, email, thread, raw, reply`,
    // A client keeps its connection until the server closes.
    sanitizeResources: false,
    sanitizeOps: false,
    async fn() {
      await using test = await testService();
      await using server = listen(test);
      const owner = await account(test);
      const box = await mailbox(test, owner);
      const raw = message({ Subject: "Your order", "Message-ID": "<o1@example.net>" }, "ZX-48213");
      const { email_id } = await deliver(test, box.email_address, raw);
      await test.settle();
      const agent = await connect(server.url, owner.key);
      const { tools } = await agent.listTools();
      assert.deepEqual(tools.map((each) => each.name), names);
      const { mailboxes } = await call(agent, "list_mailboxes", {});
      assert.equal(mailboxes[0].mailbox_id, box.mailbox_id);
      assert.equal(mailboxes[0].email_count, 1);
      const { mailbox_id } = mailboxes[0];
      const { results, total } = await call(agent, "search_emails", {
        query: "order ZX-48213",
        mailbox_id,
      });
      assert.equal(total, 1);
      assert.equal(results[0].email_id, email_id);
      const { email } = await call(agent, "get_email", { email_id: results[0].email_id });
      assert.equal(email.body_text.trim(), "ZX-48213");
      const thread = await call(agent, "get_email_thread", { thread_id: email.thread_id });
      assert.equal(thread.thread.length, 1);
      const original = await call(agent, "get_email_raw", { email_id });
      assert.equal(
        new TextDecoder().decode(Uint8Array.fromBase64(original.raw_eml_base64)),
        raw,
      );
      const reply = await call(agent, "reply_email", { email_id, body_text: "Thank you." });
      assert.equal(reply.thread_id, email.thread_id);
      await test.settle();
      const listed = await call(agent, "list_emails", { mailbox_id, direction: "outbound" });
      assert.equal(listed.emails[0].subject, "Re: Your order");
      const sent = await call(agent, "send_email", {
        mailbox_id,
        to: box.email_address,
        subject: "Note",
        body_text: "To self.",
      });
      assert.equal(sent.mailbox_id, mailbox_id);
      await agent.close();
    },
  });

  // SPEC: mcp.errors, mcp.own_errors
  Deno.test({
    name: `${client} gets a failure as an isError result with the codes of REST`,
    sanitizeResources: false,
    sanitizeOps: false,
    async fn() {
      await using test = await testService();
      await using server = listen(test);
      const owner = await account(test);
      const agent = await connect(server.url, owner.key);
      // From here on the client validates every result with the output schemas.
      await agent.listTools();
      const failing: [string, Record<string, unknown>, string][] = [
        ["get_email", { email_id: "nobody-knows" }, "NOT_FOUND"],
        ["get_email_thread", { thread_id: "nobody-knows" }, "NOT_FOUND"],
        ["get_email_raw", { email_id: "nobody-knows" }, "NOT_FOUND"],
        ["search_emails", { query: "x", mailbox_id: "nobody-knows" }, "NOT_FOUND"],
        ["search_emails", {}, "VALIDATION_ERROR"],
        ["search_emails", { query: "x", limit: 101 }, "VALIDATION_ERROR"],
        ["list_emails", { order: "sideways" }, "VALIDATION_ERROR"],
        ["reply_email", { email_id: "nobody-knows", body_text: "x" }, "NOT_FOUND"],
      ];
      for (const [name, args, code] of failing) {
        const result = await agent.callTool({ name, arguments: args });
        const { error } = JSON.parse(result.content[0].text!);
        assert.equal(result.isError, true, name);
        assert.equal(error.code, code, `${name} ${JSON.stringify(args)}`);
        assert.equal(typeof error.message, "string");
      }
      await assert.rejects(agent.callTool({ name: "delete_everything", arguments: {} }));
      await agent.close();
    },
  });
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

// SPEC: mcp.methods, mcp.unauthorized
Deno.test("GET and DELETE are 405 with Allow, without a credential 401 with a Bearer challenge", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await test.request("/v1/mcp", { method, token: owner.key });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get("allow"), "POST");
    assert.equal((await answer.json()).error.code, "METHOD_NOT_ALLOWED");
  }
  for (const token of ["", "lbx_wrong_key", "nonsense"]) {
    const { response, body } = await post(test, token, list);
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer resource_metadata="/);
    assert.equal(body.error.code, "UNAUTHORIZED");
    assert.equal(body.success, false);
  }
});

// SPEC: mcp.origin
Deno.test("a foreign origin is 403; the own origin and none are served; localhost equals 127.0.0.1", async () => {
  await using test = await testService();
  const owner = await account(test);
  const status = async (origin?: string) =>
    (await post(test, owner.key, list, { headers: origin === undefined ? {} : { origin } }))
      .response.status;
  assert.equal(await status(), 200);
  assert.equal(await status("http://localhost:8000"), 200);
  assert.equal(await status("http://127.0.0.1:8000"), 200);
  for (const origin of ["https://evil.example", "http://localhost:8001", "null", ""]) {
    assert.equal(await status(origin), 403, origin);
  }
});

// SPEC: mcp.own_errors
Deno.test("a body that is not JSON is 400 with -32700, an invalid request 400 with -32600 or below, an unknown tool a JSON-RPC error", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const garbage of ["", "{", "\u0000", "nonsense"]) {
    const { response, body } = await post(test, owner.key, garbage);
    assert.equal(response.status, 400);
    assert.equal(body.error.code, -32700, garbage);
  }
  for (const invalid of [{}, 1, "text", null, { jsonrpc: "1.0", id: 1, method: "ping" }]) {
    const { response, body } = await post(test, owner.key, JSON.stringify(invalid));
    assert.equal(response.status, 400, JSON.stringify(invalid));
    assert.ok(body.error.code <= -32600, JSON.stringify(body));
  }
  const plain = await post(test, owner.key, list, { headers: { "content-type": "text/plain" } });
  assert.equal(plain.response.status, 400);
  assert.equal(plain.body.error.code, -32600);
  const { body } = await post(test, owner.key, {
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "nothing", arguments: {} },
  });
  assert.equal(body.error.code, -32602);
  assert.equal(body.id, 7);
});

// SPEC: limit.mcp
Deno.test("a tool call counts in the MCP minute and the account's windows; other messages count in none", async () => {
  const limits = { requestsPerMinute: 20, mcpRequestsPerMinute: 3 };
  await using test = await testService({ plans: { free: limits } });
  const owner = await account(test, "free");
  const tool = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_mailboxes", arguments: {} },
  };
  const remaining = (response: Response) => response.headers.get("x-ratelimit-remaining");
  for (let i = 0; i < 5; i++) {
    const { response } = await post(test, owner.key, list);
    assert.equal(response.status, 200);
    assert.equal(remaining(response), "3");
  }
  for (const left of ["2", "1", "0"]) {
    const { response, body } = await post(test, owner.key, tool);
    assert.deepEqual(body.result.structuredContent, { mailboxes: [] });
    assert.equal(remaining(response), left);
  }
  const { response, body } = await post(test, owner.key, tool);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("retry-after"), "60");
  assert.equal(body.result.isError, true);
  assert.deepEqual(JSON.parse(body.result.content[0].text), {
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many requests.",
      details: { limit: 3, window: "minute", retry_after: 60 },
    },
  });
  const rest = await test.request("/v1/api/mailboxes", { token: owner.key });
  // Three were tool calls, this is the fourth.
  assert.equal(rest.headers.get("x-ratelimit-limit"), "20");
  assert.equal(remaining(rest), "16");
  await test.advance(60_000);
  assert.equal((await post(test, owner.key, tool)).body.result.isError, undefined);
});

// SPEC: mcp.descriptions
Deno.test("every tool has a title, annotations, and schemas that describe every parameter", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { body } = await post(test, owner.key, list);
  const bare: string[] = [];
  for (const tool of body.result.tools) {
    assert.ok(tool.title && tool.description.length > 80, tool.name);
    assert.deepEqual(Object.keys(tool.annotations).sort(), [
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
      "title",
    ]);
    assert.equal(tool.annotations.readOnlyHint, !/^(send|reply)/.test(tool.name), tool.name);
    assert.equal(tool.inputSchema.type, "object");
    assert.equal(tool.outputSchema.type, "object");
    for (const [name, field] of Object.entries(tool.inputSchema.properties)) {
      if (!(field as { description?: string }).description) bare.push(`${tool.name}.${name}`);
    }
    // Strict clients refuse references, and combinations at the top.
    assert.ok(!/"\$(ref|defs)"/.test(JSON.stringify(tool)), tool.name);
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      for (const word of ["anyOf", "oneOf", "allOf", "not"]) assert.ok(!(word in schema));
    }
  }
  assert.deepEqual(bare, []);
});

Deno.test("a model is told that mail with the status stored did not leave the service", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { body } = await post(test, owner.key, list);
  const sendEmail = body.result.tools.find(({ name }: { name: string }) => name === "send_email");
  assert.match(sendEmail.description, /or stored \(recipients elsewhere get nothing,/);
  assert.match(JSON.stringify(sendEmail.outputSchema.properties.status), /stored: kept, but not/);
});

// SPEC: mcp.untrusted
Deno.test("every tool that returns content of mail describes it as untrusted", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { body } = await post(test, owner.key, list);
  const marked = body.result.tools.filter((tool: { description: string }) =>
    tool.description.includes("untrusted")
  ).map((tool: { name: string }) => tool.name);
  assert.deepEqual(marked, names.slice(0, 5));
});
