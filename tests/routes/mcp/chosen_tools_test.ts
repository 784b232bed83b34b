import assert from "node:assert/strict";
import { instructionsFor } from "../../../routes/mcp/instructions.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import { callTool } from "./call_tool.ts";
import { post } from "./post.ts";

const all = tools.map(({ operation }) => operation.name);
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

async function answerTo(test: TestService, token: string, path: string, body: unknown = list) {
  return await post(test, token, body, { path });
}

const namesIn = (body: { result: { tools: { name: string }[] } }) =>
  body.result.tools.map(({ name }) => name);

// SPEC: mcp.chosen_tools
Deno.test("?tools serves exactly the named tools of the full toolset in its order; another one is a JSON-RPC error", async () => {
  await using test = await testService();
  const { key } = await account(test);
  for (const name of all) {
    const { body } = await answerTo(test, key, `/v1/mcp?tools=${name}`);
    assert.deepEqual(namesIn(body), [name]);
  }
  const path = "/v1/mcp?tools=wait_for_email,create_mailbox,search_emails";
  const { body } = await answerTo(test, key, path);
  assert.deepEqual(namesIn(body), ["search_emails", "create_mailbox", "wait_for_email"]);
  const shown = await answerTo(test, key, `/v1/mcp?tools=${[...all].reverse().join(",")}`);
  assert.deepEqual(namesIn(shown.body), all);
  const made = await callTool(test, key, "create_mailbox", {}, path);
  assert.ok(made.mailbox.mailbox_id);
  assert.deepEqual(await callTool(test, key, "list_mailboxes", {}, path), { rpc: -32602 });
});

// SPEC: mcp.chosen_tools
Deno.test("?tools with an unknown, an empty or a repeated name, twice, or with toolset is 400 and calls nothing", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const wrong: [query: string, field: string, reason: RegExp][] = [
    [
      "tools=create_mailbox,send_mail",
      "tools",
      /`send_mail` is not a tool; the nearest is `send_email`/,
    ],
    ["tools=Create_Mailbox", "tools", /nearest is `create_mailbox`/],
    ["tools=create_mailbox,%20send_email", "tools", /nearest is `send_email`/],
    ["tools=zzzzzzzzzzzzzz", "tools", /the tools are `search_emails`/],
    ["tools=", "tools", /has an empty name/],
    ["tools=create_mailbox,", "tools", /has an empty name/],
    ["tools=create_mailbox,create_mailbox", "tools", /has `create_mailbox` twice/],
    ["tools=create_mailbox&tools=send_email", "tools", /given twice/],
    ["tools=create_mailbox&toolset=full", "tools", /cannot be given with toolset/],
    ["tool=create_mailbox", "tool", /nearest is `tools`/],
    ["structured=on", "structured", /./],
    ["structured=", "structured", /./],
  ];
  const params = { name: "create_mailbox", arguments: {} };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  for (const [query, field, reason] of wrong) {
    const { response, body } = await answerTo(test, key, `/v1/mcp?${query}`, call);
    assert.equal(response.status, 400, query);
    assert.equal(body.error.code, "VALIDATION_ERROR");
    assert.deepEqual(Object.keys(body.error.details), [field]);
    assert.match(body.error.details[field], reason, query);
  }
  const boxes = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual(await boxes.json(), { mailboxes: [] });
});

// SPEC: mcp.chosen_tools, mcp.tools_by_scope
Deno.test("a key with scopes is shown those of the named tools that it may call; another named one is FORBIDDEN", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const json = { name: "one", scopes: ["search"] };
  const limited = await (await test.request("/v1/api/keys", { token: key, json })).json();
  const path = "/v1/mcp?tools=search_emails,send_email";
  const { body } = await answerTo(test, limited.data.apiKey, path);
  assert.deepEqual(namesIn(body), ["search_emails"]);
  const { error } = await callTool(test, limited.data.apiKey, "send_email", {}, path);
  assert.deepEqual([error.code, error.details], ["FORBIDDEN", { required_scope: "emails:send" }]);
});

// SPEC: mcp.chosen_tools
Deno.test("URLs are shortened if get_links is served, else they are whole", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const url = `https://shop.example/${"v".repeat(200)}`;
  const { email_id } = await deliver(test, box.email_address, message({}, `Open ${url} now.`));
  await test.settle();
  const textAt = async (query: string) =>
    (await callTool(test, owner.key, "get_email", { email_id }, `/v1/mcp${query}`)).email.body_text;
  for (const query of ["", "?tools=get_email"]) assert.ok((await textAt(query)).includes(url));
  for (const query of ["?toolset=full", "?tools=get_email,get_links"]) {
    assert.match(await textAt(query), /…\[link 1\]/, query);
  }
});

// SPEC: mcp.structured_off
Deno.test("?structured=off leaves out outputSchema and structuredContent, and the text stays", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const params = { name: "list_mailboxes", arguments: {} };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  for (const [query, isStructured] of [["", true], ["?structured=off", false]] as const) {
    const listed = await answerTo(test, key, `/v1/mcp${query}`);
    for (const tool of listed.body.result.tools) {
      assert.equal("outputSchema" in tool, isStructured, tool.name);
      assert.ok(tool.inputSchema && tool.annotations && tool.title && tool.description);
    }
    const { body: { result } } = await answerTo(test, key, `/v1/mcp${query}`, call);
    assert.deepEqual(JSON.parse(result.content[0].text), { mailboxes: [] });
    assert.deepEqual(result.structuredContent, isStructured ? { mailboxes: [] } : undefined);
  }
});

// SPEC: mcp.ttl
Deno.test("a list of tools may be kept for a day by the client of that key, in every revision", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const newest = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const requests: [body: object, headers: Record<string, string>][] = [
    [list, {}],
    [list, { "mcp-protocol-version": "2025-11-25" }],
    [{ ...list, params: { _meta: meta } }, newest],
  ];
  for (const query of ["", "?toolset=full", "?tools=get_email&structured=off"]) {
    for (const [message, headers] of requests) {
      const { body } = await post(test, key, message, { path: `/v1/mcp${query}`, headers });
      const { tools: listed, ttlMs, cacheScope } = body.result;
      assert.ok(listed.length > 0);
      assert.deepEqual([ttlMs, cacheScope], [86_400_000, "private"]);
    }
  }
});

// SPEC: mcp.small_list
Deno.test("the list of four tools for a sign-up without structured results is at most 12,000 characters", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const names = "create_mailbox,wait_for_email,get_verification,send_email";
  const answer = await test.request(`/v1/mcp?tools=${names}&structured=off`, {
    token: key,
    json: list,
    headers: { accept: "application/json" },
  });
  const text = await answer.text();
  assert.equal(JSON.parse(text).result.tools.length, 4);
  assert.ok(text.length <= 12_000, String(text.length));
});

/** The tools that a text names. */
const namedIn = (text: string) => all.filter((name) => new RegExp(`\\b${name}\\b`).test(text));

// SPEC: mcp.instructions
Deno.test("the instructions name only tools that the client is shown, whichever it chose", async () => {
  for (const [n, name] of all.entries()) {
    const others = all.filter((_, each) => (each * 7 + n) % 3 === 0);
    for (const shown of [[name], all.filter((each) => each !== name), others]) {
      const text = instructionsFor(new Set(shown));
      assert.deepEqual(namedIn(text).filter((each) => !shown.includes(each)), []);
      assert.match(text, /untrusted/);
      assert.ok(!/ {2}|\.\.|, \.|^Usual order: [a-z_]+\./.test(text), text);
    }
  }
  await using test = await testService();
  const { key } = await account(test);
  const clientInfo = { name: "tests", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const path = "/v1/mcp?tools=create_mailbox,wait_for_email";
  const { body } = await answerTo(test, key, path, initialize);
  assert.deepEqual(namedIn(body.result.instructions), ["create_mailbox", "wait_for_email"]);
  const { body: { result: usual } } = await answerTo(test, key, "/v1/mcp", initialize);
  assert.match(
    usual.instructions,
    /Usual order: list_mailboxes, then search_emails .* or list_emails .*, then get_email /,
  );
});
