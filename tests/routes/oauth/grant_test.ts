import assert from "node:assert/strict";
import { readEntries, writeEntries } from "../../../domain/audit/entry.ts";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { post } from "../mcp/post.ts";
import { ScriptedTarget } from "../../domain/webhooks/scripted_target.ts";
import { appsOf, codeFor, connect, exchange, read, refresh, register } from "./connect.ts";

// SPEC: oauth.grant
Deno.test("an app sees the mailboxes that the person chose and no others, and is refused under /api", async () => {
  await using test = await testService();
  const owner = await account(test);
  const one = await mailbox(test, owner), other = await mailbox(test, owner);
  const { access_token: token } = await connect(test, owner, { mailboxIds: [one.mailbox_id] });
  const { mailboxes } = await (await test.request("/v1/api/mailboxes", { token })).json();
  assert.deepEqual(mailboxes.map((each: { mailbox_id: string }) => each.mailbox_id), [
    one.mailbox_id,
  ]);
  const hidden = await test.request(`/v1/api/emails?mailbox_id=${other.mailbox_id}`, { token });
  assert.equal(hidden.status, 404);
  for (const path of ["/api/mailboxes", "/api/apps", "/api/emails", "/api/account"]) {
    assert.equal((await test.request(path, { token })).status, 401, path);
  }
  assert.equal((await test.request("/v1/api/keys", { token })).status, 403);
  for (const given of [owner.key]) {
    assert.equal((await test.request("/api/apps", { token: given })).status, 401);
  }
});

// SPEC: oauth.grant
Deno.test("calls of an app count in the windows of the account, together with those of its keys", async () => {
  await using test = await testService({
    instances: 1,
    plans: { enterprise: { requestsPerMinute: 4 } },
  });
  const owner = await account(test);
  const { access_token } = await connect(test, owner);
  // `connect` has listed the apps with the access token of the session.
  const list = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_mailboxes" } };
  assert.equal((await post(test, access_token, list)).response.status, 200);
  assert.equal((await test.request("/v1/api/emails", { token: access_token })).status, 200);
  assert.equal((await test.request("/v1/api/emails", { token: owner.key })).status, 200);
  assert.equal((await test.request("/v1/api/emails", { token: access_token })).status, 429);
});

// SPEC: oauth.apps
Deno.test("GET /api/apps lists what people allowed, DELETE ends it at once, and both only for sessions of the account", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner);
  const at = new Date(test.clock.now()).toISOString();
  const { access_token: token, refresh_token, grantId } = await connect(test, owner, {
    scopes: ["emails:read"],
    mailboxIds: [box.mailbox_id],
    redirectUri: "cursor://anysphere.cursor/cb",
  });
  const all = await connect(test, owner);
  const [app, second] = await appsOf(test, owner);
  assert.deepEqual(app, {
    grant_id: grantId,
    client_name: "Test app",
    client_host: "cursor://anysphere.cursor",
    scopes: ["emails:read"],
    mailbox_ids: [box.mailbox_id],
    allowed_by: { member_id: owner.userId, name: "Test Account" },
    created_at: at,
    last_used: null,
  });
  assert.equal(second.mailbox_ids, null);
  await test.advance(1_000);
  assert.equal((await test.request("/v1/api/emails", { token })).status, 200);
  await test.advance(5_000);
  const used = (await appsOf(test, owner))[0].last_used;
  assert.equal(Date.parse(used) - Date.parse(at), 1_000);
  assert.deepEqual(await appsOf(test, stranger), []);
  const remove = (id: string, given: string) =>
    test.request(`/api/apps/${id}`, { method: "DELETE", token: given });
  assert.equal((await remove(grantId, stranger.accessToken)).status, 404);
  assert.equal((await remove("grant_x", owner.accessToken)).status, 404);
  assert.equal((await remove(owner.keyId, owner.accessToken)).status, 404);
  const removed = await remove(grantId, owner.accessToken);
  assert.deepEqual(await read(removed), {
    status: 200,
    body: { success: true, data: { revoked: true } },
  });
  if (test.instances > 1) await test.advance(1_001);
  assert.equal((await test.request("/v1/api/emails", { token })).status, 401);
  assert.equal((await refresh(test, refresh_token)).status, 400);
  assert.equal((await remove(grantId, owner.accessToken)).status, 404);
  assert.equal((await test.request("/v1/api/emails", { token: all.access_token })).status, 200);
});

// SPEC: oauth.outlives
Deno.test("a grant outlives the sessions of the person who gave it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { access_token: token } = await connect(test, owner);
  await test.request("/api/auth/logout", { method: "POST", token: owner.accessToken });
  await test.advance(1_001);
  assert.equal((await test.request("/api/apps", { token: owner.accessToken })).status, 401);
  assert.equal((await test.request("/v1/api/emails", { token })).status, 200);
});

// SPEC: oauth.waits
Deno.test("the end of a grant ends its waits and event streams, on another instance too", async () => {
  await using test = await testService({ instances: 2 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { access_token: token, grantId } = await connect(test, owner);
  const since = new Date(test.clock.now()).toISOString();
  const query = new URLSearchParams({ mailbox_id: box.mailbox_id, since, timeout_seconds: "60" });
  // Requests go to the instances in turn.
  const waits = [1, 2].map(() => test.request(`/v1/api/emails/wait?${query}`, { token }));
  const call = { mailbox_id: box.mailbox_id, since, timeout_seconds: 60 };
  const tools = [1, 2].map(() =>
    post(test, token, {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "wait_for_email", arguments: call },
    }, { path: "/v1/mcp?toolset=full" })
  );
  await test.waiting(4);
  const streams = [
    await test.request("/v1/api/events", { token }),
    await test.request("/v1/api/events", { token }),
  ];
  const ends = streams.map((stream) => stream.text());
  await test.request(`/api/apps/${grantId}`, { method: "DELETE", token: owner.accessToken });
  for (const each of await Promise.all(waits)) assert.equal(each.status, 401);
  for (const { response } of await Promise.all(tools)) {
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /error="invalid_token"$/);
  }
  await Promise.all(ends);
});

// SPEC: oauth.makes
Deno.test("the webhooks that a grant made end with it, and those of a session stay", async () => {
  const clock = new FakeClock(), target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { access_token, grantId } = await connect(test, owner);
  const hook = (token: string, name: string) =>
    data(test.request("/v1/api/webhooks", {
      token,
      json: { url: `https://${name}.example/in`, events: ["email.received"] },
    }));
  const ofGrant = await hook(access_token, "grant"), ofKey = await hook(owner.key, "key");
  const isActive = async (id: string) =>
    (await data(test.request(`/v1/api/webhooks/${id}`, { token: owner.key }))).active;
  await deliver(test, box.email_address, message());
  await test.settle();
  assert.equal(target.posts.length, 2);
  await test.request(`/api/apps/${grantId}`, { method: "DELETE", token: owner.accessToken });
  assert.equal(await isActive(ofGrant.webhook_id), false);
  await deliver(test, box.email_address, message({ Subject: "Second" }));
  await test.settle();
  assert.deepEqual(target.posts.slice(2).map(({ url }) => url), ["https://key.example/in"]);
  assert.equal(await isActive(ofGrant.webhook_id), false);
  assert.ok(await isActive(ofKey.webhook_id));
  const jobs = await Array.fromAsync(test.kv.list({ prefix: ["jobs_due"] }));
  assert.deepEqual(jobs.map(({ value }) => value), []);
});

// SPEC: oauth.makes
Deno.test("a webhook of a grant whose refresh token expired gets nothing any more", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { access_token: token } = await connect(test, owner);
  const { webhook_id } = await data(test.request("/v1/api/webhooks", {
    token,
    json: { url: "https://grant.example/in", events: ["email.received"] },
  }));
  const isActive = async () =>
    (await data(test.request(`/v1/api/webhooks/${webhook_id}`, { token: owner.key }))).active;
  await test.advance(90 * 86_400_000 - 1);
  assert.ok(await isActive());
  await test.advance(1);
  assert.equal(await isActive(), false);
});

// SPEC: oauth.audit
Deno.test("the audit names the grant of a call, and is filtered by it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { access_token: token, grantId } = await connect(test, owner);
  assert.equal((await test.request("/v1/api/emails", { token })).status, 200);
  await data(test.request("/v1/api/webhooks", {
    token,
    json: { url: "https://grant.example/in", events: ["email.received"] },
  }));
  await test.request("/v1/api/emails", { token: owner.key });
  await test.advance(2_000);
  const rows = async (query: string) =>
    await data(test.request(`/v1/api/audit?${query}`, { token: owner.accessToken }));
  const own = await rows(`grant_id=${grantId}`);
  assert.deepEqual(
    own.map(({ action, actor }: { action: string; actor: object }) => [action, actor]),
    [["create_webhook", { grant_id: grantId }], ["list_emails", { grant_id: grantId }]],
  );
  assert.deepEqual(await rows("grant_id=grant_other"), []);
  assert.deepEqual(await rows(`key_id=${grantId}`), []);
  const allowed = await rows("action=allow_app");
  assert.equal(allowed.length, 1);
  assert.ok(allowed[0].actor.session);
});

Deno.test("entries of the audit of the three kinds of actors are read as they were written", () => {
  const rest = {
    ...{ auditId: "a", at: 1, surface: "mcp" as const, action: "x" },
    ...{ mailboxId: null, emailId: null, count: 2 },
  };
  const entries = [{ keyId: "k" }, { grantId: "grant_g" }, { sessionId: "s" }].map((actor) => ({
    ...rest,
    actor,
  }));
  assert.deepEqual(readEntries(writeEntries(entries)), entries);
});

// SPEC: oauth.instances
Deno.test("grants, codes and registrations outlive a restart, and two instances exchange a code once", async () => {
  await using first = await testService({ instances: 1, exclusive: false });
  const owner = await account(first);
  const clientId = await register(first);
  const code = await codeFor(first, owner, clientId);
  await using second = await testService({
    kv: first.kv,
    exclusive: false,
    parts: { clock: first.clock },
  });
  const answers = await Promise.all(
    [first, second, first, second].map((test) => read(exchange(test, clientId, code))),
  );
  const tokens = answers.filter(({ status }) => status === 200);
  assert.equal(tokens.length, 1);
  // The other uses ended the grant, whichever instance saw them.
  assert.deepEqual(await appsOf(second, owner), []);
  const again = await read(
    exchange(second, clientId, await codeFor(first, owner, clientId)),
  );
  assert.equal(again.status, 200);
  const pairs = await Promise.all(
    [first, second, first].map((test) => read(refresh(test, again.body.refresh_token))),
  );
  for (const { status, body } of pairs) {
    assert.equal(status, 200);
    const token = body.access_token;
    assert.equal((await second.request("/v1/api/emails", { token })).status, 200);
    assert.equal((await read(refresh(second, body.refresh_token))).status, 200);
  }
});
