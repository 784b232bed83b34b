import assert from "node:assert/strict";
import { grantableScopes, type Scope } from "../../../domain/core/caller.ts";
import { scopesUsedBy } from "../../../routes/mcp/mcp_challenge.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, mailbox, testService } from "../../service.ts";
import { post } from "../mcp/post.ts";
import { appsOf, connect, refresh } from "./connect.ts";

const metadata =
  'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource/v1/mcp"';
const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const call = (name: string, args: object = {}) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name, arguments: args },
});

// SPEC: oauth.challenge
Deno.test("a POST to the MCP server without a valid credential says where apps log in, and what the tools need", async () => {
  await using test = await testService();
  const eight = 'scope="emails:read emails:send mailboxes:read search"';
  const challengeOf = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await test.request(path, {
      method: "POST",
      headers,
      body: JSON.stringify(list),
    });
    assert.equal(answer.status, 401);
    return answer.headers.get("www-authenticate");
  };
  assert.equal(await challengeOf("/v1/mcp"), `Bearer ${metadata}, ${eight}`);
  assert.equal(await challengeOf("/v1/mcp?toolset=bogus"), `Bearer ${metadata}, ${eight}`);
  const all = `scope="${scopesUsedBy(tools).join(" ")}"`;
  assert.notEqual(all, eight);
  assert.equal(await challengeOf("/v1/mcp?toolset=full"), `Bearer ${metadata}, ${all}`);
  assert.equal(
    await challengeOf("/v1/mcp/?tools=create_mailbox,search_emails"),
    `Bearer ${metadata}, scope="mailboxes:write search"`,
  );
  const dead = `Bearer ${metadata}, ${eight}, error="invalid_token"`;
  for (const token of [`lbxg_${"x".repeat(44)}`, "lbx_wrong", "x"]) {
    assert.equal(await challengeOf("/v1/mcp", { authorization: `Bearer ${token}` }), dead);
  }
  const basic = await challengeOf("/v1/mcp", { authorization: "Basic eDp5" });
  assert.equal(basic, `Bearer ${metadata}, ${eight}`);
  const rest = await test.request("/v1/api/emails");
  assert.equal(rest.headers.get("www-authenticate"), 'Bearer realm="letterbox"');
});

// SPEC: oauth.tools
Deno.test("an app is shown every grantable tool of its toolset, whatever it may call", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { access_token } = await connect(test, owner, { scopes: ["search"] });
  for (
    const [path, toolset] of [["/v1/mcp", "standard"], ["/v1/mcp?toolset=full", "full"]] as const
  ) {
    const { response, body } = await post(test, access_token, list, { path });
    assert.equal(response.headers.get("www-authenticate"), null);
    const expected = tools.filter(({ toolsets, operation }) =>
      toolsets.includes(toolset) &&
      [operation.scope ?? []].flat().every((each) => grantableScopes.includes(each as Scope))
    );
    assert.deepEqual(
      body.result.tools.map(({ name }: { name: string }) => name),
      expected.map(({ operation }) => operation.name),
    );
  }
});

// SPEC: oauth.insufficient_scope
Deno.test("a call that lacks a scope is 403 for an app, with all that it has and needs, over MCP and REST", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { access_token: token, refresh_token } = await connect(test, owner, {
    scopes: ["search", "mailboxes:read"],
  });
  const need = (scopes: string) =>
    `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`;
  const mail = { mailbox_id: box.mailbox_id, to: "x@example.net", subject: "x", body_text: "x" };
  const sent = await post(test, token, call("send_email", mail));
  assert.equal(sent.response.status, 403);
  assert.equal(
    sent.response.headers.get("www-authenticate"),
    need("mailboxes:read search emails:send"),
  );
  assert.equal(sent.body.error.code, "FORBIDDEN");
  assert.equal(sent.body.error.details.required_scope, "emails:send");
  const read = await test.request("/v1/api/emails", { token });
  assert.equal(read.status, 403);
  assert.equal(read.headers.get("www-authenticate"), need("mailboxes:read search emails:read"));
  const stream = await test.request("/v1/api/events", { token });
  assert.equal(stream.status, 403);
  assert.equal(stream.headers.get("www-authenticate"), need("mailboxes:read search emails:read"));
  // A token that may do less than its grant: asking again must not lose what the person allowed.
  const less = await (await refresh(test, refresh_token, { scope: "search" })).json();
  const again = await test.request("/v1/api/emails", { token: less.access_token });
  assert.equal(again.headers.get("www-authenticate"), need("mailboxes:read search emails:read"));
  const approve = await test.request("/v1/api/drafts/x/approve", { token, json: {} });
  assert.equal(approve.status, 403);
  const { response } = await post(test, token, call("list_mailboxes"));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("www-authenticate"), null);
  // A key gets the result of the tool as before.
  const key = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "n", scopes: ["search"] },
  });
  const { apiKey } = (await key.json()).data;
  const refused = await post(test, apiKey, call("send_email", mail));
  assert.equal(refused.response.status, 200);
  assert.match(JSON.stringify(refused.body), /required_scope/);
  const restOfKey = await test.request("/v1/api/emails", { token: apiKey });
  assert.equal(restOfKey.status, 403);
  assert.equal(restOfKey.headers.get("www-authenticate"), null);
  assert.equal((await appsOf(test, owner)).length, 1);
});
