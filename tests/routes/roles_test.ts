import assert from "node:assert/strict";
import { beginSession } from "../../domain/accounts/sessions.ts";
import { allowedTo, isAtLeast, isBeyond, leastRoleOf } from "../../domain/core/roles/least_role.ts";
import { roles } from "../../domain/core/roles/role.ts";
import { scopesOf } from "../../domain/core/operation.ts";
import { served } from "../../routes/app.ts";
import { tools } from "../../routes/mcp/tools.ts";
import type { RestRoute } from "../../routes/http/rest.ts";
import { colleague } from "../domain/accounts/members/colleague.ts";
import { account, data, testService } from "../service.ts";
import { post } from "./mcp/post.ts";
import { connect } from "./oauth/connect.ts";

const rows = [
  ...served.account,
  ...served.copies.filter((each) => "operation" in each),
] as RestRoute[];
const plain = [...served.plain, ...served.copies.filter((each) => !("operation" in each))]
  .filter((each) => "access" in each && each.access === "account") as {
    name: string;
    method: string;
    path: string;
  }[];

/** Names of the table that are parts of an operation, and those of the consent page. */
const parts = [
  "update_draft_that_does_not_wait",
  "revoke_app_of_another",
  "update_another_member",
  "delete_another_member",
  "change_owners",
  "allow_app",
];

// SPEC: roles.table
Deno.test("every operation of an account, every tool and every plain route has a row in the table of roles", () => {
  const names = new Set([
    ...rows.map(({ operation }) => operation.name as string),
    ...tools.map(({ operation }) => operation.name),
    ...plain.map(({ name }) => name),
  ]);
  const without = [...names].filter((name) => leastRoleOf(name) === undefined);
  assert.deepEqual(without, []);
  const unknown = allowedTo("owner").filter((name) => !names.has(name) && !parts.includes(name));
  assert.deepEqual(unknown, []);
  // What has no operation is not asked at each request, so everybody may do it; an import asks by itself.
  const beyond = plain.map(({ name }) => name).filter((name) => leastRoleOf(name) !== "viewer");
  assert.deepEqual([...new Set(beyond)], ["import_email"]);
});

Deno.test("what a key with a scope may do, a person may whose keys may have the scope; only expectations are more", () => {
  const beyond = rows.filter(({ operation }) => {
    const least = leastRoleOf(operation.name)!;
    const scopes = scopesOf(operation);
    return scopes.length > 0 &&
      roles.some((role) => !isBeyond(role, scopes) && !isAtLeast(role, least));
  });
  const names = [...new Set(beyond.map(({ operation }) => operation.name))].sort();
  assert.deepEqual(names, ["delete_expectation", "expect_code"]);
});

/** A wait for mail of an unknown mailbox ends at once. */
const pathOf = (path: string) =>
  path.replaceAll(/:\w+/g, "x") + (path.endsWith("/wait") ? "?mailbox_id=x" : "");
const isRefused = (status: number, body: { error?: { code: string; details?: object } }) =>
  status === 403 && body.error?.code === "FORBIDDEN" &&
  "required_role" in (body.error.details ?? {});

for (const role of roles) {
  // SPEC: roles.enforced
  Deno.test(`every route answers the role ${role} as the table says`, async () => {
    await using test = await testService();
    const owner = await account(test);
    const person = await colleague(test, owner, role);
    for (const { method, path, input, strict, operation } of rows) {
      const { accessToken: token } = await beginSession(test.service, person);
      const hasBody = input === "json" || (strict && input === "none");
      const answer = await test.request(pathOf(path), {
        ...{ method, token },
        ...(hasBody ? { json: {} } : {}),
      });
      const body = await answer.json();
      const least = leastRoleOf(operation.name)!;
      const name = `${method} ${path} ${answer.status} ${JSON.stringify(body).slice(0, 300)}`;
      // A wrong password of the end of the account is 401 too.
      if (operation.name !== "end_account") assert.notEqual(answer.status, 401, name);
      assert.equal(isRefused(answer.status, body), !isAtLeast(role, least), name);
      if (!isAtLeast(role, least)) assert.equal(body.error.details.required_role, least, name);
    }
  });
}

// SPEC: roles.grants
Deno.test("an app can do no more than the role of its person, over REST and MCP", async () => {
  await using test = await testService();
  const owner = await account(test);
  const person = await colleague(test, owner, "admin");
  const { access_token: token } = await connect(test, person);
  const lowered = await test.request(`/api/members/${person.memberId}`, {
    ...{ method: "PATCH", token: owner.accessToken, json: { role: "viewer" } },
  });
  assert.equal(lowered.status, 200);
  await test.advance(1_001);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const { body: listed } = await post(test, token, list, { path: "/v1/mcp?toolset=full" });
  const shown: string[] = listed.result.tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(
    shown.toSorted(),
    tools.map(({ operation }) => operation.name).filter((name) => leastRoleOf(name) === "viewer")
      .toSorted(),
  );
  for (const { method, path, input, operation } of rows.filter(({ family }) => family === "v1")) {
    const answer = await test.request(pathOf(path), {
      ...{ method, token },
      ...(input === "json" ? { json: {} } : {}),
    });
    const body = await answer.json();
    const least = leastRoleOf(operation.name)!;
    assert.notEqual(answer.status, 401, path);
    assert.equal(
      isRefused(answer.status, body),
      least !== "viewer",
      `${method} ${path} ${JSON.stringify(body)}`,
    );
  }
  for (const { operation: { name } } of tools) {
    const json = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      // A wait for mail of an unknown mailbox ends at once.
      params: { name, arguments: name === "wait_for_email" ? { mailbox_id: "x" } : {} },
    };
    const answer = await test.request("/v1/mcp?toolset=full", {
      ...{ json, token },
      headers: { accept: "application/json, text/event-stream" },
    });
    const text = await answer.text();
    assert.equal(text.includes("required_role"), leastRoleOf(name) !== "viewer", `${name} ${text}`);
  }
});

// SPEC: roles.account
Deno.test("/api/account says who is signed in, with which role, and what it may do", async () => {
  await using test = await testService();
  const owner = await account(test);
  const person = await colleague(test, owner, "approver");
  const of = (token: string) => data(test.request("/api/account", { token }));
  const mine = await of(person.accessToken);
  assert.deepEqual(
    [mine.userId, mine.memberId, mine.email, mine.role],
    [owner.userId, person.memberId, person.email, "approver"],
  );
  assert.deepEqual(mine.may, allowedTo("approver"));
  assert.ok(mine.may.includes("approve_draft") && !mine.may.includes("send_email"));
  assert.deepEqual((await of(owner.accessToken)).role, "owner");
});
