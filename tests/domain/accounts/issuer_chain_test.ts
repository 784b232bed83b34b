import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import { personOf } from "../../../domain/accounts/member.ts";
import { beginSession } from "../../../domain/accounts/sessions.ts";
import { joinChains } from "../../../domain/accounts/issuer_chain.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";

const url = "https://hook.example.com/in";
const events = ["email.received"];
const day = 86_400_000;

/** A service whose webhook target records its requests, and calls that several tests make. */
async function world(options: { instances?: number } = {}) {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const test: TestService = await testService({
    ...options,
    parts: { clock, webhookTarget: target },
  });
  const owner = await account(test);
  return {
    test,
    target,
    owner,
    key: async (token: string, input: object = {}): Promise<{ keyId: string; apiKey: string }> =>
      await data(test.request("/v1/api/keys", { token, json: { name: "agent", ...input } })),
    webhook: async (token: string, fields: object = {}): Promise<string> =>
      (await data(test.request("/v1/api/webhooks", { token, json: { url, events, ...fields } })))
        .webhook_id,
    patch: (webhookId: string, token: string, json: object) =>
      data(test.request(`/v1/api/webhooks/${webhookId}`, { method: "PATCH", token, json })),
    async revoke(keyId: string, token = owner.accessToken) {
      const answer = await test.request(`/v1/api/keys/${keyId}`, { method: "DELETE", token });
      const status = answer.status;
      await answer.body?.cancel();
      // Another instance may accept a revoked key for a second.
      clock.advance(1_001);
      return status;
    },
    works: async (token: string): Promise<boolean> =>
      (await test.request("/v1/api/keys", { token })).status === 200,
    isActive: async (webhookId: string): Promise<boolean> =>
      (await data(
        test.request(`/v1/api/webhooks/${webhookId}`, { token: owner.key }),
      )).active,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("revoking a key ends every key that it made, and theirs, at once", async () => {
  await using it = await world({ instances: 1 });
  const root = await it.key(it.owner.accessToken);
  const line = [root];
  for (let n = 0; n < 120; n++) line.push(await it.key(line[n].apiKey));
  const beside = [];
  for (let n = 0; n < 120; n++) beside.push(await it.key(root.apiKey));
  const ofSession = await it.key(it.owner.accessToken);
  for (const each of [...line, ...beside]) assert.ok(await it.works(each.apiKey));
  const path = `/v1/api/keys/${root.keyId}`;
  await data(it.test.request(path, { method: "DELETE", token: it.owner.accessToken }));
  for (const each of [...line, ...beside]) assert.equal(await it.works(each.apiKey), false);
  assert.ok(await it.works(ofSession.apiKey));
  const listed = await data(it.test.request("/v1/api/keys", { token: it.owner.accessToken }));
  assert.deepEqual(listed.length, 2);
  await it.test.settle();
  const rows = await Array.fromAsync(it.test.kv.list({ prefix: ["api_keys", it.owner.userId] }));
  assert.equal(rows.length, 2);
  assert.ok(await it.works(ofSession.apiKey));
});

Deno.test("keys made by a revoked key are refused even if the process died before the cleanup", async () => {
  await using it = await world({ instances: 1 });
  const root = await it.key(it.owner.accessToken);
  const child = await it.key(root.apiKey);
  const webhook = await it.webhook(child.apiKey);
  // Only the commit of the revocation: no job runs after it.
  await it.test.dispatcher.stop();
  await it.revoke(root.keyId);
  assert.equal(await it.works(child.apiKey), false);
  assert.equal(await it.isActive(webhook), false);
  const again = await it.revoke(child.keyId);
  assert.equal(again, 404);
});

Deno.test("when a key expires, what it made ends at the same moment", async () => {
  await using it = await world();
  const lent = await it.key(it.owner.accessToken, { expirationDays: 1 });
  const child = await it.key(lent.apiKey, { expirationDays: 300 });
  const grandchild = await it.key(child.apiKey);
  const webhooks = [await it.webhook(lent.apiKey), await it.webhook(grandchild.apiKey)];
  const kept = await it.webhook(it.owner.accessToken);
  await it.test.advance(day - 1);
  assert.ok(await it.works(grandchild.apiKey));
  for (const each of webhooks) assert.ok(await it.isActive(each));
  await it.test.advance(1);
  assert.equal(await it.works(grandchild.apiKey), false);
  for (const each of webhooks) assert.equal(await it.isActive(each), false);
  assert.ok(await it.isActive(kept));
});

Deno.test("webhooks of a revoked key stay with their log, inactive, and receive nothing more", async () => {
  await using it = await world();
  const box = await mailbox(it.test, it.owner);
  const root = await it.key(it.owner.accessToken);
  const child = await it.key(root.apiKey);
  const ended = [await it.webhook(root.apiKey), await it.webhook(child.apiKey)];
  const kept = await it.webhook(it.owner.accessToken);
  await deliver(it.test, box.email_address, message({}, "one\n"));
  await it.test.settle();
  assert.equal(it.target.posts.length, 3);
  await it.revoke(root.keyId);
  await it.test.settle();
  await deliver(it.test, box.email_address, message({}, "two\n"));
  await it.test.settle();
  assert.equal(it.target.posts.length, 4);
  const token = it.owner.accessToken;
  const listed = await data(it.test.request("/v1/api/webhooks", { token }));
  assert.deepEqual(
    listed.map((each: { webhook_id: string; active: boolean }) => [each.webhook_id, each.active]),
    [[ended[0], false], [ended[1], false], [kept, true]],
  );
  for (const each of ended) {
    const log = await it.test.request(`/v1/api/webhooks/${each}/deliveries`, { token });
    assert.equal((await log.json()).data.length, 1);
  }
  const path = `/v1/api/webhooks/${ended[0]}`;
  // The owner may activate it again, and is then its maker.
  const json = { active: true };
  const back = await data(it.test.request(path, { method: "PATCH", token, json }));
  assert.equal(back.active, true);
  await deliver(it.test, box.email_address, message({}, "three\n"));
  await it.test.settle();
  assert.equal(it.target.posts.length, 6);
});

Deno.test("pending deliveries and replays end when the key that made the webhook is revoked", async () => {
  await using it = await world();
  const box = await mailbox(it.test, it.owner);
  const root = await it.key(it.owner.accessToken);
  const webhook = await it.webhook(root.apiKey);
  it.target.reply = () => 500;
  await deliver(it.test, box.email_address, message());
  await it.test.settle();
  const token = it.owner.accessToken;
  await data(it.test.request(`/v1/api/webhooks/${webhook}/test`, { method: "POST", token }));
  await it.test.settle();
  const before = it.target.posts.length;
  await it.revoke(root.keyId);
  await it.test.advance(10_000);
  assert.equal(it.target.posts.length, before);
  const log = await it.test.request(`/v1/api/webhooks/${webhook}/deliveries`, { token });
  const statuses = (await log.json()).data.map((each: { status: string }) => each.status);
  assert.deepEqual(statuses, ["failed", "failed"]);
});

Deno.test("a webhook of a key also ends with a key that changed it", async () => {
  await using it = await world();
  const root = await it.key(it.owner.accessToken);
  const webhook = await it.webhook(root.apiKey);
  const key = await it.key(it.owner.accessToken);
  await it.patch(webhook, key.apiKey, { events: ["email.received", "email.sent"] });
  await it.patch(webhook, it.owner.accessToken, {});
  assert.ok(await it.isActive(webhook));
  await it.revoke(key.keyId);
  await it.test.settle();
  assert.equal(await it.isActive(webhook), false);
});

Deno.test("a session's webhook ends with the key that was the last to set its URL or secret, at once", async () => {
  for (const change of [{ url: "https://thief.example.com/" }, { secret: "known-to-a-thief" }]) {
    await using it = await world();
    const box = await mailbox(it.test, it.owner);
    const root = await it.key(it.owner.accessToken);
    const limited = await it.key(root.apiKey, {
      scopes: ["webhooks:write", "emails:read"],
      mailboxIds: [box.mailbox_id],
      expirationDays: 1,
    });
    const narrow = { mailbox_ids: [box.mailbox_id] };
    const [changed, touched, takenBack] = [
      await it.webhook(it.owner.accessToken, narrow),
      await it.webhook(it.owner.accessToken, narrow),
      await it.webhook(it.owner.accessToken, narrow),
    ];
    await it.patch(changed, limited.apiKey, change);
    await it.patch(changed, it.owner.accessToken, { retry: "extended" });
    await it.patch(touched, limited.apiKey, { events: ["email.received", "email.sent"] });
    await it.patch(takenBack, limited.apiKey, change);
    const own = "url" in change ? { url } : { secret: "known-to-the-owner" };
    await it.patch(takenBack, it.owner.accessToken, own);
    await deliver(it.test, box.email_address, message({}, "one\n"));
    await it.test.settle();
    assert.equal(it.target.posts.length, 3);
    // Only the commit of the revocation, of the key that made the key.
    await it.test.dispatcher.stop();
    await it.revoke(root.keyId);
    assert.deepEqual(
      await Promise.all([changed, touched, takenBack].map(it.isActive)),
      [false, true, true],
    );
  }
});

Deno.test("a session's webhook whose URL a revoked or expired key set gets nothing more, until a session makes it active again", async () => {
  for (const end of ["revoked", "expired"]) {
    await using it = await world();
    const box = await mailbox(it.test, it.owner);
    const key = await it.key(it.owner.accessToken, { expirationDays: 1 });
    const webhook = await it.webhook(it.owner.accessToken);
    it.target.reply = () => 500;
    await deliver(it.test, box.email_address, message({}, "one\n"));
    await it.patch(webhook, key.apiKey, { url: "https://thief.example.com/" });
    if (end === "revoked") await it.revoke(key.keyId);
    else await it.test.advance(day);
    await it.test.settle();
    it.target.reply = () => 200;
    const before = it.target.posts.length;
    await deliver(it.test, box.email_address, message({}, "two\n"));
    await it.test.advance(10_000);
    assert.equal(it.target.posts.length, before);
    assert.equal(await it.isActive(webhook), false);
    const log = await it.test.request(`/v1/api/webhooks/${webhook}/deliveries`, {
      token: it.owner.key,
    });
    for (const { status } of (await log.json()).data) assert.notEqual(status, "pending");
    const { accessToken } = await beginSession(it.test.service, personOf(it.owner));
    await it.patch(webhook, accessToken, { url });
    assert.equal(await it.isActive(webhook), false);
    await it.patch(webhook, accessToken, { active: true });
    await deliver(it.test, box.email_address, message({}, "three\n"));
    await it.test.settle();
    assert.deepEqual(it.target.posts.slice(before).map((each) => each.url), [url]);
  }
});

Deno.test("a limited key revokes only keys that it or they made", async () => {
  await using it = await world();
  const box = await mailbox(it.test, it.owner);
  for (const limit of [{ scopes: ["keys:write"] }, { mailboxIds: [box.mailbox_id] }]) {
    const limited = await it.key(it.owner.accessToken, limit);
    const child = await it.key(limited.apiKey);
    const grandchild = await it.key(child.apiKey);
    const stranger = await it.key(it.owner.accessToken);
    for (const each of [stranger, limited, { keyId: it.owner.keyId }]) {
      assert.equal(await it.revoke(each.keyId, limited.apiKey), 403);
    }
    assert.equal(await it.revoke(limited.keyId, child.apiKey), 403);
    assert.equal(await it.revoke(grandchild.keyId, limited.apiKey), 200);
    assert.equal(await it.revoke(child.keyId, limited.apiKey), 200);
    assert.ok(await it.works(stranger.apiKey));
  }
  // An unlimited key revokes any.
  const other = await it.key(it.owner.accessToken);
  assert.equal(await it.revoke(other.keyId, it.owner.key), 200);
});

Deno.test("to make or change a webhook for email events a key needs emails:read", async () => {
  await using it = await world();
  const blind = await it.key(it.owner.accessToken, { scopes: ["webhooks:write"] });
  const reader = await it.key(it.owner.accessToken, { scopes: ["webhooks:write", "emails:read"] });
  const call = async (method: string, path: string, token: string, json: object) => {
    const answer = await it.test.request(`/v1/api/webhooks${path}`, { method, token, json });
    return { status: answer.status, body: await answer.json() };
  };
  const names = ["email.received", "email.processed", "email.sent", "email.failed"];
  for (const name of names) {
    const refused = await call("POST", "", blind.apiKey, {
      url,
      events: ["api_key.created", name],
    });
    assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.details], [
      403,
      "FORBIDDEN",
      { required_scope: "emails:read" },
    ]);
  }
  const made = await call("POST", "", blind.apiKey, { url, events: ["api_key.created"] });
  assert.equal(made.status, 201);
  const own = `/${made.body.data.webhook_id}`;
  assert.equal((await call("PATCH", own, blind.apiKey, { url, active: true })).status, 200);
  assert.equal((await call("PATCH", own, blind.apiKey, { events })).status, 403);
  const others = `/${await it.webhook(reader.apiKey)}`;
  const box = await mailbox(it.test, it.owner);
  const changes = [
    ...[{ url }, { events }, { secret: "not-to-be-known" }, { active: false }],
    ...[{ mailbox_ids: [box.mailbox_id] }, { mailbox_ids: null }],
  ];
  for (const json of changes) {
    assert.equal((await call("PATCH", others, blind.apiKey, json)).status, 403);
    assert.equal((await call("PATCH", others, reader.apiKey, json)).status, 200);
  }
});

Deno.test("a key made while its maker is being revoked does not work", async () => {
  await using it = await world();
  const root = await it.key(it.owner.accessToken);
  const making = Array.from(
    { length: 30 },
    () =>
      it.test.request("/v1/api/keys", { token: root.apiKey, json: { name: "late" } })
        .then((answer) => answer.json()),
  );
  await it.revoke(root.keyId);
  for (const { data: made } of await Promise.all(making)) {
    if (made) assert.equal(await it.works(made.apiKey), false);
  }
  await it.test.settle();
  const rows = await Array.fromAsync(it.test.kv.list({ prefix: ["api_keys", it.owner.userId] }));
  assert.equal(rows.length, 1);
});

Deno.test("a key of the 257th generation is refused", () => {
  const line = Array.from({ length: 256 }, (_, n) => `k${n}`);
  assert.deepEqual(joinChains(line, ["k0"]), line);
  assert.throws(() => joinChains(line, ["k256"]), { code: "FORBIDDEN" });
});
