import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, mailbox, testService } from "../../../../service.ts";
import { sha256Of } from "../../../../../domain/mail/record/content_hash.ts";
import { call, callsOf, given } from "../../send/drafts/approvals.ts";

async function guarded(options: Parameters<typeof testService>[0] = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const calls = callsOf(test, owner);
  const { mailbox_id } = box;
  await calls.policy(mailbox_id, { approval: "new_recipients" });
  const send = async (to: string | string[]) =>
    await given(calls.agent("POST", "/emails/send", { mailbox_id, to, body_text: "x" }));
  return {
    ...{ test, owner, box, send, ...calls },
    approve: async (to: string | string[]) => {
      const { draft_id, content_hash } = await send(to);
      await given(calls.person("POST", `/drafts/${draft_id}/approve`, { content_hash }));
    },
    withdraw: (address: string) =>
      calls.person("DELETE", `/known-recipients/${encodeURIComponent(address)}`),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

interface Known {
  address: string;
  known_since: string;
}

// SPEC: approval.withdrawn
Deno.test("known recipients are listed, and one that is withdrawn is new again, also for mail that is scheduled", async () => {
  // Two, of which each has the row in its memory.
  await using it = await guarded({ instances: 2 });
  const known_since = new Date(it.test.clock.now()).toISOString();
  await it.approve(["Ann@One.example", "bo@two.example"]);
  const ann = { address: "Ann@one.example", known_since };
  const list = async (query = "") => await it.agent("GET", `/known-recipients${query}`);
  const all = await list();
  assert.deepEqual(all.body.meta, { limit: 20, has_more: false, next_cursor: null });
  const byAddress = (a: Known, b: Known) => a.address < b.address ? -1 : 1;
  const bo = { address: "bo@two.example", known_since };
  assert.deepEqual(all.body.data.toSorted(byAddress), [ann, bo]);
  const first = (await list("?limit=1")).body;
  const rest = (await list(`?limit=1&cursor=${first.meta.next_cursor}`)).body;
  assert.deepEqual([...first.data, ...rest.data], all.body.data);
  assert.deepEqual([first.meta.has_more, rest.meta.has_more], [true, false]);
  assert.equal((await list("?cursor=x")).status, 400);

  await it.test.advance(60_000);
  for (let n = 0; n < 2; n++) assert.equal((await it.send("ann@one.example")).status, "stored");
  assert.deepEqual((await list()).body.data, all.body.data, "known since the first mail");
  const send_at = new Date(it.test.clock.now() + 1_800_000).toISOString();
  const later = await given(it.agent("POST", "/emails/send", {
    ...{ mailbox_id: it.box.mailbox_id, to: "ann@one.example", body_text: "x", send_at },
  }));
  assert.equal(later.status, "scheduled");
  const byKey = await it.agent("DELETE", "/known-recipients/ann@one.example");
  assert.deepEqual(byKey.body.error.details, { required_scope: "policy:write" });
  assert.deepEqual((await it.withdraw("ANN@one.example")).body.data, { deleted: true });
  for (let n = 0; n < 2; n++) {
    assert.equal((await it.send("ann@one.example")).status, "pending_approval");
  }
  assert.equal((await it.withdraw("ann@one.example")).status, 404);
  assert.deepEqual((await list()).body.data, [bo]);
  await it.test.advance(1_800_000);
  const waiting = await given(it.agent("GET", `/drafts/${later.draft_id}`));
  assert.equal(waiting.status, "pending_approval");
  const audited = await given(it.person("GET", "/audit?limit=100"));
  const row = audited.find(({ action }: { action: string }) => action === "delete_known_recipient");
  assert.equal(row?.mailbox_id, it.box.mailbox_id, JSON.stringify(audited.slice(0, 2)));
});

Deno.test("of a row of an earlier version, which is a hash alone, the address can be withdrawn, and is listed once it is known again", async () => {
  await using it = await guarded({ instances: 1 });
  const row = keys.knownRecipient(it.owner.userId, sha256Of("ann@one.example"));
  const remember = () => it.test.service.database.transact((tx) => tx.set(row, 0));
  await remember();
  assert.equal((await it.send("Ann@one.example")).status, "stored");
  const list = async () => await given(it.agent("GET", "/known-recipients"));
  assert.deepEqual(await list(), []);
  assert.equal((await it.withdraw("ann@one.example")).status, 200);
  assert.equal((await it.send("ann@one.example")).status, "pending_approval");
  await remember();
  await it.approve(["ann@one.example", "new@one.example"]);
  const addresses = (await list()).map(({ address }: Known) => address);
  assert.deepEqual(addresses.toSorted(), ["ann@one.example", "new@one.example"]);
});

Deno.test("a key that is limited to other mailboxes neither sees nor withdraws a known recipient; another account has its own", async () => {
  await using it = await guarded();
  await it.approve("ann@one.example");
  const second = await mailbox(it.test, it.owner);
  const keyFor = async (mailboxId: string) => {
    const json = {
      ...{ name: "limited", mailboxIds: [mailboxId], scopes: ["emails:read", "policy:write"] },
    };
    return (await given(it.person("POST", "/keys", json))).apiKey as string;
  };
  const path = "/v1/api/known-recipients";
  const other = await account(it.test);
  for (const token of [await keyFor(second.mailbox_id), other.accessToken]) {
    assert.deepEqual(await given(call(it.test, token, "GET", path)), []);
    assert.equal((await call(it.test, token, "DELETE", `${path}/ann@one.example`)).status, 404);
  }
  const own = await keyFor(it.box.mailbox_id);
  assert.equal((await given(call(it.test, own, "GET", path))).length, 1);
  assert.equal((await call(it.test, own, "DELETE", `${path}/ann@one.example`)).status, 200);
});
