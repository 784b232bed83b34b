import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import * as keys from "../../../../domain/store/keys.ts";
import { account, data, mailbox, type TestService, testService } from "../../../service.ts";
import { relayedService } from "../../mail/send/sending.ts";
import { newUpload, pathOf } from "../../uploads/uploading.ts";
import { callTool } from "../../../routes/mcp/call_tool.ts";
import { connect } from "../../../routes/oauth/connect.ts";
import { call } from "../../mail/send/drafts/approvals.ts";
import { type Colleague, colleague } from "./colleague.ts";

const password = "correct horse battery";
const of = (id: string) => `/api/members/${id}`;
const tokenIn = (text = "") => /token=(lbxo_\w+)/.exec(text)?.[1] ?? "";

async function invited(test: TestService, token: string, email: string, role = "viewer") {
  const json = { email, role };
  return (await data(test.request("/api/members", { token, json }))).invitation_url as string;
}
const accept = (test: TestService, url: string, name = "Bea") =>
  call(test, "", "POST", "/api/members/accept", { token: tokenIn(url), name, password });
const login = async (test: TestService, email: string) =>
  (await test.request("/api/auth/login", { json: { email, password } })).status;
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

// SPEC: members.last_owner
Deno.test("two owners who remove or lower each other at the same moment: one of them stays an owner", async () => {
  for (const instances of [1, 2]) {
    await using test = await testService({ instances });
    for (const [method, json] of [["DELETE"], ["PATCH", { role: "viewer" }]] as const) {
      const first = await account(test), second = await colleague(test, first, "owner");
      const both = await Promise.all([
        call(test, first.accessToken, method, of(second.memberId), json),
        call(test, second.accessToken, method, of(first.userId), json),
      ]);
      assert.deepEqual(statuses(both), method === "DELETE" ? [200, 401] : [200, 403]);
      const rows = await Array.fromAsync(
        test.kv.list<{ role: string }>({ prefix: ["members", first.userId] }),
      );
      assert.equal(rows.filter(({ value }) => value.role === "owner").length, 1);
    }
  }
});

// SPEC: members.accept
Deno.test("an invitation is accepted once, also by the shown and the mailed link at the same moment", async () => {
  await using world = await relayedService({}, {
    env: { SMTP_URL: "smtp://127.0.0.1:1", BASE_URL: "https://box.example" },
    instances: 2,
  });
  const { test, relay } = world;
  const owner = await account(test);
  const shown = await invited(test, owner.accessToken, "bea@example.org");
  await test.settle();
  const { text } = await PostalMime.parse(relay.taken[0].raw);
  const all = await Promise.all([shown, shown, text, text].map((url) => accept(test, url!)));
  assert.deepEqual(statuses(all), [200, 400, 400, 400], JSON.stringify(all));
  const people = await data(test.request("/api/members", { token: owner.accessToken }));
  assert.deepEqual(people.map(({ status }: { status: string }) => status), ["active", "active"]);
});

// SPEC: members.limit
Deno.test("25 people at most, also if invitations, acceptances and withdrawals come at once over two instances", async () => {
  await using test = await testService({ instances: 2 });
  const { accessToken } = await account(test);
  const urls: string[] = [];
  for (let n = 0; n < 20; n++) urls.push(await invited(test, accessToken, `p${n}@example.org`));
  const json = (n: number) => ({ email: `q${n}@example.org`, role: "viewer" });
  const asked = Array.from(
    { length: 12 },
    (_, n) => call(test, accessToken, "POST", "/api/members", json(n)),
  );
  const accepted = urls.slice(0, 3).map((url, n) => accept(test, url, `P${n}`));
  const answers = await Promise.all(asked);
  assert.deepEqual(statuses(await Promise.all(accepted)), [200, 200, 200]);
  assert.deepEqual(statuses(answers), [...Array(4).fill(201), ...Array(8).fill(403)]);
  const people = await data(test.request("/api/members", { token: accessToken }));
  assert.equal(people.length, 25);
});

// SPEC: members.owners
Deno.test("an admin can neither withdraw nor replace the invitation of an owner", async () => {
  await using test = await testService();
  const owner = await account(test), admin = await colleague(test, owner, "admin");
  const url = await invited(test, owner.accessToken, "cofounder@example.org", "owner");
  const json = { email: "CoFounder@example.org", role: "viewer" };
  const refused = await call(test, admin.accessToken, "POST", "/api/members", json);
  assert.deepEqual([refused.status, refused.body.error.details], [403, { required_role: "owner" }]);
  assert.equal((await accept(test, url)).status, 200);
});

// SPEC: members.one_account
Deno.test("an email is one person in any case; what is no address of ASCII is 400", async () => {
  await using test = await testService();
  const owner = await account(test);
  const first = await invited(test, owner.accessToken, "Bea@Example.org");
  const second = await invited(test, owner.accessToken, "bEA@eXAMPLE.ORG");
  assert.equal((await accept(test, first)).status, 400, "it was replaced");
  assert.equal((await accept(test, second)).status, 200);
  assert.equal(await login(test, "bea@example.org"), 200);
  const again = { email: "BEA@example.org", role: "viewer" };
  const refused = await call(test, owner.accessToken, "POST", "/api/members", again);
  assert.equal(refused.body.error.code, "CONFLICT");
  const register = { email: "bea@EXAMPLE.org", password, name: "B" };
  assert.equal((await test.request("/api/auth/register", { json: register })).status, 409);
  for (
    const email of [
      ...["bea@example.org.", "bea@example", "bea@münchen.example", "béa@example.org", " "],
      ...[
        "bea@example.org\r\nBcc: x@y.example",
        '"bea" <bea@example.org>',
        `${"b".repeat(250)}@x.org`,
      ],
    ]
  ) {
    const answer = await call(test, owner.accessToken, "POST", "/api/members", {
      ...{ email, role: "viewer" },
    });
    assert.deepEqual([answer.status, answer.body.error.code], [400, "VALIDATION_ERROR"], email);
  }
});

// SPEC: members.ended_account
Deno.test("no invitation and no link to a new email of an account that has ended works, and neither takes the email away", async () => {
  await using world = await relayedService({}, {
    env: { SMTP_URL: "smtp://127.0.0.1:1", BASE_URL: "https://box.example" },
    // Its job comes later, as on a busy service.
    instances: 1,
  });
  const { test, relay } = world;
  const owner = await account(test);
  const urls = [
    await invited(test, owner.accessToken, "bea@example.org"),
    await invited(test, owner.accessToken, "cid@example.org", "owner"),
  ];
  await call(test, owner.accessToken, "PATCH", of(owner.userId), { email: "new@example.org" });
  await test.settle();
  const mails = await Promise.all(
    relay.taken.map(async ({ to, raw }) => ({ to: to[0], ...await PostalMime.parse(raw) })),
  );
  const textTo = (address: string) => mails.find(({ to }) => to === address)?.text;
  // The account ends, and no job has run yet.
  await test.service.database.transact((tx) => tx.delete(keys.user(owner.userId)));
  test.service.credentials.forget(owner.userId);
  for (const url of [...urls, textTo("bea@example.org"), textTo("cid@example.org")]) {
    assert.equal((await accept(test, url!)).status, 400);
  }
  const moved = await call(test, "", "POST", "/api/auth/verify-email", {
    token: tokenIn(textTo("new@example.org")),
  });
  assert.deepEqual([moved.status, moved.body.error.code], [400, "VALIDATION_ERROR"]);
  for (const email of ["bea@example.org", "cid@example.org", "new@example.org"]) {
    const json = { email, password, name: "N" };
    assert.equal((await test.request("/api/auth/register", { json })).status, 201, email);
  }
});

/** A request whose body comes after `then`. */
async function slow(
  test: TestService,
  token: string,
  [method, path, json]: [string, string, object],
  then: () => Promise<unknown>,
) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      begin();
      await then();
      controller.enqueue(new TextEncoder().encode(JSON.stringify(json)));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const headers = { "content-type": "application/json" };
  const answer = await test.request(path, { method, token, headers, body });
  await begun;
  return { status: answer.status, body: await answer.json() };
}

// SPEC: roles.at_the_act
Deno.test("what a person begins to ask before their role is lowered, or before they are removed, is judged by what they are at the act", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  await call(test, owner.accessToken, "PUT", `/v1/api/mailboxes/${mailbox_id}/policy`, {
    approval: "always",
  });
  const mail = { mailbox_id, to: "ann@one.example", subject: "s", body_text: "one" };
  const held = async () =>
    (await call(test, owner.key, "POST", "/v1/api/emails/send", mail)).body.data;
  const draftOf = async (id: string) =>
    (await call(test, owner.key, "GET", `/v1/api/drafts/${id}`)).body.data;
  const requests = async (): Promise<[string, string, object][]> => {
    const { draft_id } = await held();
    const { content_hash } = await draftOf(draft_id);
    return [
      ["POST", `/v1/api/drafts/${draft_id}/approve`, { content_hash }],
      ["POST", `/v1/api/drafts/${draft_id}/reject`, {}],
      ["PATCH", `/v1/api/drafts/${draft_id}`, { subject: "other" }],
      ["POST", "/v1/api/emails/send", mail],
      ["POST", "/v1/api/keys", { name: "mine" }],
      ["POST", "/v1/api/mailboxes", { generate: true }],
      ["POST", "/api/members", { email: "x@example.org", role: "viewer" }],
    ];
  };
  for (const request of await requests()) {
    const admin = await colleague(test, owner, "admin");
    const lower = () =>
      call(test, owner.accessToken, "PATCH", of(admin.memberId), { role: "viewer" });
    const { status, body } = await slow(test, admin.accessToken, request, lower);
    assert.equal(status, 403, `${request[1]} ${JSON.stringify(body)}`);
    assert.ok(body.error.details.required_role, request[1]);
    const other = await colleague(test, owner, "admin");
    const remove = () => call(test, owner.accessToken, "DELETE", of(other.memberId));
    assert.equal((await slow(test, other.accessToken, request, remove)).status, 401, request[1]);
  }
});

// SPEC: members.decided_by
Deno.test("a person who was removed or lowered decides nothing, though another instance knows them for a second", async () => {
  await using test = await testService({ instances: 2 });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  await call(test, owner.accessToken, "PUT", `/v1/api/mailboxes/${mailbox_id}/policy`, {
    approval: "always",
  });
  const mail = { mailbox_id, to: "ann@one.example", subject: "s", body_text: "one" };
  const { draft_id } = (await call(test, owner.key, "POST", "/v1/api/emails/send", mail)).body.data;
  const path = `/v1/api/drafts/${draft_id}`;
  const { content_hash } = (await call(test, owner.key, "GET", path)).body.data;
  const decisions = [["approve", { content_hash }], ["reject", {}]] as const;
  const both = (person: Colleague) =>
    Promise.all([0, 1].map(() => test.request("/api/account", { token: person.accessToken })));
  const ends: [string, object | undefined, number][] = [
    ["DELETE", undefined, 401],
    ["PATCH", { role: "viewer" }, 403],
  ];
  for (const [method, json, status] of ends) {
    for (const [decision, body] of decisions) {
      const person = await colleague(test, owner, "approver");
      await both(person);
      await call(test, owner.accessToken, method, of(person.memberId), json);
      for (let turn = 0; turn < 2; turn++) {
        const answer = await call(test, person.accessToken, "POST", `${path}/${decision}`, body);
        assert.equal(answer.status, status, `${method} ${decision}`);
      }
    }
  }
  assert.equal((await call(test, owner.key, "GET", path)).body.data.status, "pending_approval");
});

// SPEC: members.delete
Deno.test("what is under way for a person who is removed ends: an upload, a wait of their app, a conversation over MCP", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test), admin = await colleague(test, owner, "admin");
  const { mailbox_id } = await mailbox(test, owner);
  const { access_token } = await connect(test, admin);
  const { upload_url } = await newUpload(test, admin.accessToken);
  const wait = callTool(test, access_token, "wait_for_email", { mailbox_id, timeout_seconds: 60 });
  await test.waiting(1);
  const put = await slow(
    test,
    "",
    ["PUT", pathOf(upload_url), {}],
    async () => {
      await call(test, owner.accessToken, "DELETE", of(admin.memberId));
      await test.settle();
    },
  );
  assert.equal(put.status, 404, JSON.stringify(put));
  assert.equal((await wait).rpc, "UNAUTHORIZED");
  const list = await test.request("/v1/mcp", {
    ...{
      method: "POST",
      token: access_token,
      json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    },
    headers: { accept: "application/json, text/event-stream" },
  });
  assert.equal(list.status, 401);
  const left = await Array.fromAsync(test.kv.list({ prefix: [] }));
  assert.deepEqual(left.filter(({ key }) => key.includes(admin.memberId)), []);
});
