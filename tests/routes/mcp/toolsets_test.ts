import assert from "node:assert/strict";
import { scopes } from "../../../domain/core/caller.ts";
import { scopesOf } from "../../../domain/core/operation.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, mailbox, type TestService, testService } from "../../service.ts";
import { post } from "./post.ts";

const standard = [
  ...["search_emails", "list_emails", "get_email", "get_email_thread", "get_email_raw"],
  ...["list_mailboxes", "send_email", "reply_email"],
];
/** The order of docs/specification.md "MCP", with tools that are still to come. */
const order = [
  ...standard,
  ...["create_mailbox", "delete_mailbox", "update_email", "update_emails", "delete_email"],
  ...["wait_for_email", "get_verification", "expect_code", "get_expected_code", "list_changes"],
  ...["create_draft", "list_drafts", "get_draft", "update_draft", "delete_draft", "send_draft"],
  ...["forward_email", "get_links", "get_attachment", "claim_emails", "ack_email", "nack_email"],
  ...["extend_claim", "create_upload", "list_threads"],
];

interface Listed {
  name: string;
  description: string;
  annotations: Record<string, unknown>;
  inputSchema: { properties: Record<string, { type?: string; description?: string }> };
}

async function listed(test: TestService, token: string, path?: string): Promise<Listed[]> {
  const { body } = await post(test, token, { jsonrpc: "2.0", id: 1, method: "tools/list" }, {
    path,
  });
  return body.result.tools;
}

const names = (some: readonly { name: string }[]) => some.map(({ name }) => name);

async function call(test: TestService, token: string, path: string, name: string, args = {}) {
  const params = { name, arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { body: { result, error } } = await post(test, token, message, { path });
  if (error) return { rpc: error.code };
  return { failed: result.isError === true, ...JSON.parse(result.content[0].text) };
}

async function keyWith(test: TestService, token: string, limits: object): Promise<string> {
  const answer = await test.request("/v1/api/keys", { token, json: { name: "one", ...limits } });
  assert.equal(answer.status, 201);
  return (await answer.json()).data.apiKey;
}

// SPEC: mcp.tools, mcp.toolsets
Deno.test("the URL without a parameter serves the eight tools, ?toolset=full all of them in the documented order", async () => {
  await using test = await testService();
  const { key } = await account(test);
  assert.deepEqual(names(await listed(test, key)), standard);
  const full = names(await listed(test, key, "/v1/mcp?toolset=full"));
  assert.deepEqual(full, order.filter((name) => full.includes(name)));
  for (const name of ["create_mailbox", "delete_mailbox", "list_changes"]) {
    assert.ok(full.includes(name), name);
  }
});

// SPEC: mcp.url_parameters
Deno.test("another toolset or another parameter of the URL is 400, and nothing is called", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const wrong: [string, string][] = [
    ["toolset=all", "toolset"],
    ["toolset=", "toolset"],
    ["toolset=full&toolset=full", "toolset"],
    ["tools=full", "tools"],
    ["mode=full", "mode"],
  ];
  for (const [query, field] of wrong) {
    const params = { name: "create_mailbox", arguments: {} };
    const { response, body } = await post(
      test,
      key,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      { path: `/v1/mcp?${query}` },
    );
    assert.equal(response.status, 400, query);
    assert.equal(body.error.code, "VALIDATION_ERROR");
    assert.deepEqual(Object.keys(body.error.details), [field]);
  }
  const boxes = await test.request("/v1/api/mailboxes", { token: key });
  assert.deepEqual(await boxes.json(), { mailboxes: [] });
});

// SPEC: mcp.tools_by_scope
Deno.test("a key with scopes is shown only their tools; another tool is FORBIDDEN, one of the other toolset unknown", async () => {
  await using test = await testService();
  const { key, accessToken } = await account(test);
  for (const scope of scopes) {
    const limited = await keyWith(test, accessToken, { scopes: [scope] });
    for (const [path, toolset] of [["/v1/mcp", "standard"], ["/v1/mcp?toolset=full", "full"]]) {
      const own = tools.filter((tool) => (tool.toolsets as string[]).includes(toolset));
      const may = own.filter(({ operation }) => scopesOf(operation).every((each) => each === scope))
        .map(({ operation }) => operation.name);
      assert.deepEqual(names(await listed(test, limited, path)), may, `${scope} ${path}`);
      for (const { operation } of own.filter((each) => !may.includes(each.operation.name))) {
        // Arguments that would be refused do not hide that the scope is missing.
        const answer = await call(test, limited, path, operation.name, { nonsense: 1 });
        const lacking = scopesOf(operation).find((each) => each !== scope);
        assert.deepEqual(
          [answer.failed, answer.error?.code, answer.error?.details],
          [true, "FORBIDDEN", { required_scope: lacking }],
          `${scope} ${operation.name}`,
        );
      }
    }
  }
  assert.deepEqual(await call(test, key, "/v1/mcp", "create_mailbox"), { rpc: -32602 });
  const reads = await keyWith(test, key, { scopes: ["emails:read"] });
  assert.deepEqual(await call(test, reads, "/v1/mcp", "create_mailbox"), { rpc: -32602 });
  // A claim shows the email, so it needs both.
  const works = await keyWith(test, accessToken, { scopes: ["emails:write"] });
  const both = await keyWith(test, accessToken, { scopes: ["emails:write", "emails:read"] });
  for (const [token, isShown] of [[works, false], [both, true]] as const) {
    const shown = names(await listed(test, token, "/v1/mcp?toolset=full"));
    assert.equal(shown.includes("claim_emails"), isShown);
    assert.equal(shown.includes("ack_email"), isShown);
  }
});

// SPEC: mcp.create_mailbox
Deno.test("create_mailbox answers {mailbox} with a generated or the requested name; delete_mailbox deletes it", async () => {
  await using test = await testService();
  const { key, userId } = await account(test);
  const path = "/v1/mcp?toolset=full";
  const { failed, ...made } = await call(test, key, path, "create_mailbox");
  assert.equal(failed, false, JSON.stringify(made));
  const { mailbox_id, email_address } = made.mailbox;
  assert.match(email_address, /^[a-z]+-[a-z]+-\d{4}@agents\.test$/);
  assert.deepEqual(made, {
    mailbox: {
      ...{ mailbox_id, email_address, domain: "agents.test", status: "active" },
      ...{ namespace: `ns_${userId}`, created_at: "2026-11-20T10:00:00.000Z" },
    },
  });
  const named = await call(test, key, path, "create_mailbox", { local_part: "Front.Desk" });
  assert.equal(named.mailbox.email_address, "front.desk@agents.test");
  const other = await call(test, key, path, "create_mailbox", { domain: "mail.agents.test" });
  assert.match(other.mailbox.email_address, /^[a-z]+-[a-z]+-\d{4}@mail\.agents\.test$/);
  const refusals: [object, string][] = [
    [{ local_part: "front.desk" }, "EMAIL_TAKEN"],
    [{ local_part: "a" }, "LOCAL_TOO_SHORT"],
    [{ domain: "elsewhere.example" }, "DOMAIN_NOT_ALLOWED"],
    [{ generate: true }, "VALIDATION_ERROR"],
  ];
  for (const [args, code] of refusals) {
    assert.equal((await call(test, key, path, "create_mailbox", args)).error.code, code);
  }
  const wrong = { mailbox_id, confirm_email_address: "another@agents.test" };
  const kept = await call(test, key, path, "delete_mailbox", wrong);
  assert.equal(kept.error.code, "VALIDATION_ERROR");
  const right = { mailbox_id, confirm_email_address: email_address };
  assert.deepEqual(await call(test, key, path, "delete_mailbox", right), {
    failed: false,
    deleted: true,
  });
  const answer = await test.request("/v1/api/mailboxes", { token: key });
  const left = (await answer.json()).mailboxes.map((each: { email_address: string }) =>
    each.email_address
  );
  assert.deepEqual(left.sort(), ["front.desk@agents.test", other.mailbox.email_address].sort());
});

// SPEC: mcp.list_changes
Deno.test("list_changes answers {changes, has_more, next_cursor}", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const answer = await call(test, owner.key, "/v1/mcp?toolset=full", "list_changes");
  const [{ change_id }] = answer.changes;
  assert.deepEqual(answer, {
    failed: false,
    changes: [{
      ...{ change_id, event: "mailbox.created", timestamp: "2026-11-20T10:00:00.000Z" },
      ...{ mailbox_id, email_id: null, thread_id: null, draft_id: null },
    }],
    has_more: false,
    next_cursor: change_id,
  });
});

// SPEC: mcp.descriptions
Deno.test("each tool of the full toolset has annotations and describes its parameters, and names no tool that the client is not shown", async () => {
  await using test = await testService();
  const { key, accessToken } = await account(test);
  const search = await keyWith(test, accessToken, { scopes: ["search"] });
  for (const token of [key, search]) {
    for (const path of ["/v1/mcp", "/v1/mcp?toolset=full"]) {
      const shown = await listed(test, token, path);
      assert.ok(shown.length > 0, path);
      for (const { name, description, annotations, inputSchema } of shown) {
        assert.ok(description.length > 80, name);
        assert.equal(annotations.destructiveHint, /^delete_|^update_emails$/.test(name), name);
        assert.equal(annotations.readOnlyHint, /^(search|list|get|wait)_/.test(name), name);
        for (const [field, { description }] of Object.entries(inputSchema.properties)) {
          assert.ok(description, `${name}.${field}`);
        }
        const later = order.filter((each) => !standard.includes(each));
        const named = later.filter((each) => new RegExp(`\\b${each}\\b`).test(description));
        for (const each of named) assert.ok(names(shown).includes(each), `${name} names ${each}`);
      }
    }
  }
});

/** The fields of a `Schema` of the Gemini API; JSON Schema and OpenAI have them all. */
const knownKeywords = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems"],
  ...["properties", "required", "minProperties", "maxProperties", "minLength", "maxLength"],
  ...["pattern", "example", "anyOf", "propertyOrdering", "default", "items", "minimum", "maximum"],
]);

/** The keywords of a schema and of those in it; the names of properties are none. */
function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => [
    keyword,
    ...keyword === "properties" ? Object.values(value).flatMap(keywordsOf) : keywordsOf(value),
  ]);
}

Deno.test("the arguments of every tool are described by keywords that every model provider takes", async () => {
  await using test = await testService();
  const { key } = await account(test);
  for (const { name, inputSchema } of await listed(test, key, "/v1/mcp?toolset=full")) {
    const unknown = keywordsOf(inputSchema).filter((keyword) => !knownKeywords.has(keyword));
    assert.deepEqual(unknown, [], name);
  }
});

// SPEC: mcp.json_arguments
Deno.test("a text that is no JSON is refused for a number or a truth value by every tool, as its schema says", async () => {
  await using test = await testService();
  const { key } = await account(test);
  const path = "/v1/mcp?toolset=full";
  const texts: Record<string, string> = { integer: "ten", boolean: "yes" };
  let count = 0;
  for (const { name, inputSchema } of await listed(test, key, path)) {
    for (const [field, { type = "" }] of Object.entries(inputSchema.properties)) {
      if (!(type in texts)) continue;
      // The service has a limit of calls a minute.
      if (++count % 50 === 0) await test.advance(60_000);
      const { failed, error } = await call(test, key, path, name, { [field]: texts[type] });
      assert.ok(failed && field in error.details, `${name}.${field}: ${JSON.stringify(error)}`);
    }
  }
  assert.ok(count > 40, String(count));
});
