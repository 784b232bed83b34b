import assert from "node:assert/strict";
import { createKvIndex } from "../../../../adapters/search_index/kv_postings.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  testService,
} from "../../../service.ts";

const login = { email: "ten@example.org", password: "correct horse battery staple" };

Deno.test("with a database that takes 10 checks in a commit an account can do everything", async () => {
  await using remote = new RemoteKv({ maxChecks: 10 });
  await using test = await testService({
    remote,
    maxChecks: 10,
    instances: 2,
    ownParts: ({ database }) => ({ searchIndex: createKvIndex(database, keys) }),
  });
  const ask = async (path: string, init: Parameters<typeof test.request>[1] = {}) => {
    const answer = await test.request(path, { token: token(), ...init });
    // deno-lint-ignore no-explicit-any -- tests look at whatever came back
    const body: any = await answer.json();
    assert.ok(answer.ok, `${path} ${answer.status} ${JSON.stringify(body.error)}`);
    return body;
  };
  let key: string | undefined;
  const token = () => key;
  await ask("/api/auth/register", { json: { ...login, name: "Ten" } });
  const { accessToken } = (await ask("/api/auth/login", { json: login })).data;
  key = accessToken;
  key = (await ask("/api/keys", { json: { name: "k" } })).data.apiKey;
  const owner = { key } as TestAccount;
  const one = await mailbox(test, owner, "ten-one");
  const two = await mailbox(test, owner, "ten-two");
  const hook = { url: "http://127.0.0.1:9/", events: ["email.received", "email.sent"] };
  await ask("/v1/api/webhooks", { json: hook });
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const fields = { "Message-ID": `<m${n}@x.example>`, Subject: `Invoice ${n}` };
    const { disposition, email_id } = await deliver(test, one.email_address, message(fields));
    assert.equal(disposition, "accepted");
    ids.push(email_id);
  }
  await test.settle();
  // Mails that answer others, and so merge their conversations.
  for (const count of [2, 12]) {
    const References = Array.from({ length: count }, (_, n) => `<m${n}@x.example>`).join(" ");
    const both = [one.email_address, two.email_address];
    const fields = { References, "In-Reply-To": "<m0@x.example>", Subject: "Re: Invoice" };
    const result = await deliver(test, both, message(fields));
    assert.equal(result.disposition, "accepted");
  }
  await test.settle();
  const { data: first } = await ask(`/v1/api/emails/${ids[0]}`);
  const thread = await ask(`/v1/api/threads/${first.thread_id}`);
  assert.equal(thread.data.thread.length, 16);
  const { results } = await ask("/v1/api/search", { json: { query: "invoice" } });
  assert.equal(results.length, 10);
  const mailboxId = one.mailbox_id;
  const to = [two.email_address, "ada@example.net", "bob@example.net"];
  const sent = { mailbox_id: mailboxId, to, subject: "Hello", body_text: "Text" };
  const headers = { "idempotency-key": "once" };
  await ask("/v1/api/emails/send", { json: sent, headers });
  await ask("/v1/api/emails/send", { json: { ...sent, send_at: "2026-11-21T10:00:00Z" } });
  await ask(`/v1/api/emails/${ids[1]}/reply`, { json: { body_text: "Answer" } });
  await ask(`/v1/api/emails/${ids[1]}/forward`, { json: { to: ["cy@example.net"] } });
  const { data: draft } = await ask("/v1/api/drafts", { json: sent });
  await ask(`/v1/api/drafts/${draft?.draft_id}/send`, { method: "POST" });
  const labels = { is_read: true, add_labels: ["seen"] };
  await ask(`/v1/api/emails/${ids[2]}`, { method: "PATCH", json: labels });
  await ask("/v1/api/emails/batch", { json: { email_ids: ids.slice(0, 9), ...labels } });
  await ask(`/v1/api/mailboxes/${mailboxId}/claims`, { json: {} });
  await ask(`/v1/api/mailboxes/${mailboxId}/policy`, {
    token: accessToken,
    method: "PUT",
    json: { block_senders: ["spam@x.example"] },
  });
  await test.settle();
  await test.advance(86_400_000);
  await ask(`/v1/api/emails/${ids[3]}`, { method: "DELETE" });
  await ask("/v1/api/webhooks");
  await test.settle();
  await ask(`/v1/api/mailboxes/${two.mailbox_id}`, {
    method: "DELETE",
    json: { confirm_email_address: two.email_address },
  });
  await test.settle();
  assert.deepEqual(test.log.filter(({ level }) => level === "warn" || level === "error"), []);
  const left = await test.service.database.collect({ prefix: ["emails_by_mailbox"] });
  assert.ok(left.length > 12 && left.every(({ key }) => key[2] === mailboxId));
  assert.equal(remote.costs.maxChecks, 10);
  assert.deepEqual(remote.refusals, []);
});

Deno.test("with a database that takes 10 checks in a commit, many webhooks, keys, claims and conversations are no obstacle", async () => {
  await using remote = new RemoteKv({ maxChecks: 10 });
  await using test = await testService({
    remote,
    maxChecks: 10,
    instances: 2,
    ownParts: ({ database }) => ({ searchIndex: createKvIndex(database, keys) }),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const post = (path: string, json: object, token = owner.key) =>
    data(test.request(path, { token, json }));
  const made: { keyId: string; apiKey: string }[] = [];
  for (let n = 0; n < 12; n++) made.push(await post("/v1/api/keys", { name: `k${n}` }));
  for (let n = 0; n < 12; n++) {
    const hook = { url: `http://127.0.0.1:9/${n}`, events: ["email.received", "email.processed"] };
    await post("/v1/api/webhooks", hook, made[0].apiKey);
  }
  const webhooks = await data(test.request("/v1/api/webhooks", { token: owner.key }));
  // Strangers who name the same messages: one message leads to several conversations.
  const References = ["<a@x.example>", "<b@x.example>", "<c@x.example>"].join(" ");
  for (let n = 0; n < 12; n++) {
    const fields = { From: `p${n}@x${n}.example`, "Message-ID": `<m${n}@x.example>`, References };
    await deliver(test, box.email_address, message({ ...fields, Subject: `About ${n}` }));
  }
  await test.advance(2_000);
  for (const { webhook_id } of webhooks) {
    const path = `/v1/api/webhooks/${webhook_id}/deliveries?limit=100`;
    assert.equal((await data(test.request(path, { token: owner.key }))).length, 24);
  }
  const claims = await post(`/v1/api/mailboxes/${box.mailbox_id}/claims`, { limit: 50 });
  assert.equal(claims.length, 12);
  for (const { apiKey } of made) await data(test.request("/v1/api/keys", { token: apiKey }));
  await test.advance(10_000);
  const used = await data(test.request("/v1/api/keys", { token: owner.key }));
  assert.deepEqual(used.filter(({ lastUsed }: { lastUsed: string }) => !lastUsed), []);
  const remove = (path: string, json?: object) =>
    data(test.request(path, { token: owner.key, method: "DELETE", json }));
  await remove(`/v1/api/keys/${made[0].keyId}`);
  await test.settle();
  const after = await data(test.request("/v1/api/webhooks", { token: owner.key }));
  assert.ok(after.length > 0);
  assert.ok(after.every(({ active }: { active: boolean }) => !active));
  await remove(`/v1/api/mailboxes/${box.mailbox_id}`, { confirm_email_address: box.email_address });
  await test.advance(60_000);
  for (const table of ["threads", "threads_by_reference", "claims", "jobs_due"]) {
    assert.deepEqual(await test.service.database.collect({ prefix: [table] }), [], table);
  }
  const complaints = test.log.filter(({ level, event }) =>
    event !== "webhook.attempted" && (level === "warn" || level === "error")
  );
  assert.deepEqual(complaints, []);
  assert.deepEqual(remote.refusals, []);
});

Deno.test("with 10 checks in a commit a message, large or small, goes to several mailboxes of every plan", async () => {
  for (const size of [10, 100_000]) {
    await using remote = new RemoteKv({ maxChecks: 10 });
    await using test = await testService({ remote, maxChecks: 10, instances: 1 });
    const owners = [await account(test, "free"), await account(test, "pro"), await account(test)];
    const to: string[] = [];
    for (const owner of owners) to.push((await mailbox(test, owner)).email_address);
    for (const n of [1, 2]) {
      const fields = { "Message-ID": `<m${n}@x.example>`, "In-Reply-To": "<m0@x.example>" };
      const raw = message(fields, `${n}${"x".repeat(size)}`);
      for (const expected of ["accepted", "duplicate"]) {
        for (const each of [to, to[1]]) {
          const { disposition } = await deliver(test, each, raw, { "x-ingest-id": `id-${n}` });
          assert.equal(disposition, each === to ? expected : "duplicate");
        }
      }
    }
  }
});
