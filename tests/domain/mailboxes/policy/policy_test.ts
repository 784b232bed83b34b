import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import { account, mailbox, testService } from "../../../service.ts";
import { failure, familiesOf } from "../families.ts";

const unset = {
  approval: "never",
  allow_recipients: [],
  block_recipients: [],
  allow_senders: [],
  block_senders: [],
  retention_days: null,
};

// SPEC: policies.get, policies.put
Deno.test("a policy has its defaults; PUT changes what it names, null and [] set a field back", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const path = `/mailboxes/${box.mailbox_id}/policy`;
  const [key, , , session] = familiesOf(test, owner);
  const put = async (body: unknown) => {
    const answer = await session.call("PUT", path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const shown = await key.call("GET", path);
    assert.deepEqual(shown, answer);
    return (answer.body as { data: unknown }).data;
  };
  assert.deepEqual(await key.call("GET", path), {
    status: 200,
    body: { success: true, data: unset },
  });
  const given = {
    approval: "new_recipients",
    allow_recipients: ["@Example.NET", "Ann@example.org", "ann@example.org"],
    retention_days: 30,
  };
  const first = {
    ...unset,
    ...given,
    allow_recipients: ["@example.net", "ann@example.org"],
  };
  assert.deepEqual(await put(given), first);
  const lists = {
    block_recipients: ["x@y.net"],
    allow_senders: ["@a.net"],
    block_senders: ["@b.net"],
  };
  assert.deepEqual(await put(lists), { ...first, ...lists });
  assert.deepEqual(await put({}), { ...first, ...lists });
  assert.deepEqual(
    await put({
      approval: null,
      allow_recipients: null,
      block_recipients: [],
      retention_days: null,
    }),
    { ...unset, ...lists, block_recipients: [] },
  );
  assert.deepEqual(await put({ allow_senders: [], block_senders: null }), unset);
  assert.equal((await test.kv.get(keys.policy(owner.userId, box.mailbox_id))).value, null);
});

// SPEC: policies.put
Deno.test("a policy that is not valid changes nothing, and the field is named", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const path = `/mailboxes/${box.mailbox_id}/policy`;
  const token = familiesOf(test, owner)[1];
  const long = Array.from({ length: 1_000 }, (_, n) => `${"ä".repeat(40)}${n}@example.net`);
  const wrong: [string, unknown][] = [
    ["approval", "sometimes"],
    ["allow_recipients.1", ["ann@example.net", "nobody"]],
    ["allow_recipients", "ann@example.net"],
    ["allow_recipients", long],
    ["block_senders", Array.from({ length: 1_001 }, (_, n) => `a${n}@b.net`)],
    ["retention_days", 0],
    ["retention_days", 3_651],
    ["retention_days", []],
    ["aproval", "always"],
  ];
  for (const [field, value] of wrong) {
    const body = { retention_days: 7, [field.split(".")[0]]: value };
    const refused = failure(await token.call("PUT", path, body));
    assert.deepEqual([refused.status, refused.code], [400, "VALIDATION_ERROR"], field);
    assert.deepEqual(Object.keys(refused.details as object), [field]);
  }
  const shown = await token.call("GET", path);
  assert.deepEqual(shown.body, { success: true, data: unset });
  // The largest that fits is written.
  const most = long.slice(0, 440);
  assert.equal((await token.call("PUT", path, { allow_recipients: most })).status, 200);
});

// SPEC: policies.scope
Deno.test("a policy is changed by a session or a key with policy:write, for a mailbox that it sees", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  const path = (id: string) => `/v1/api/mailboxes/${id}/policy`;
  const put = (token: string, id = box.mailbox_id) =>
    test.request(path(id), { method: "PUT", token, json: { approval: "always" } });
  const refused = await put(owner.key);
  assert.equal(refused.status, 403);
  assert.deepEqual((await refused.json()).error.details, { required_scope: "policy:write" });
  const made = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "x", scopes: ["policy:write"], mailboxIds: [box.mailbox_id] },
  });
  const limited = (await made.json()).data.apiKey;
  assert.equal((await put(limited)).status, 200);
  assert.equal((await put(limited, second.mailbox_id)).status, 404);
  assert.equal((await test.request(path(box.mailbox_id), { token: limited })).status, 403);
  for (const token of [other.accessToken, other.key]) {
    assert.equal((await test.request(path(box.mailbox_id), { token })).status, 404);
  }
  assert.equal((await put(other.accessToken)).status, 404);
  assert.equal((await put(owner.accessToken, "nonsense")).status, 404);
});

Deno.test("the policy of a deleted mailbox is removed", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const path = `/v1/api/mailboxes/${box.mailbox_id}`;
  const json = { approval: "always" };
  await test.request(`${path}/policy`, { method: "PUT", token: owner.accessToken, json });
  await test.request(path, {
    method: "DELETE",
    token: owner.key,
    json: { confirm_email_address: box.email_address },
  });
  assert.equal((await test.request(`${path}/policy`, { token: owner.key })).status, 404);
  await test.settle();
  assert.equal((await test.kv.get(keys.policy(owner.userId, box.mailbox_id))).value, null);
});
