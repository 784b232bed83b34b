import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import { indexOfTest } from "../../../idle_index.ts";
import { perform } from "../../../../domain/core/operation.ts";
import { listMailboxes } from "../../../../domain/mailboxes/list_mailboxes.ts";
import type { SearchIndex } from "../../../../domain/ports/search_index.ts";
import { rowsThatMention } from "../../mailboxes/store_scan.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";

async function remove(test: TestService, owner: TestAccount, id: string): Promise<void> {
  const init = { method: "DELETE", token: owner.key };
  assert.deepEqual(await data(test.request(`/v1/api/emails/${id}`, init)), { deleted: true });
}

/** The ids of an answer's list, or its status if it is refused. */
async function ids(test: TestService, owner: TestAccount, path: string, json?: object) {
  const answer = await test.request(path, { token: owner.key, ...(json ? { json } : {}) });
  const body = await answer.json();
  if (!answer.ok) return answer.status;
  const list = body.results ?? body.data.thread ?? body.data;
  return list.map(({ email_id }: { email_id: string }) => email_id);
}

async function storage(test: TestService, { accessToken }: TestAccount): Promise<number> {
  return (await data(test.request("/api/billing/usage", { token: accessToken }))).storageUsed;
}

async function emailCount(test: TestService, { userId }: TestAccount): Promise<number> {
  const caller = { userId, plan: "enterprise" } as const;
  const { mailboxes } = await perform(listMailboxes, test.service, caller, {});
  return mailboxes[0].email_count;
}

Deno.test("a deleted email is hidden everywhere at once; then its bytes, index entries and storage go", async () => {
  const inner = await indexOfTest();
  await using test = await testService({ parts: { searchIndex: inner } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const first = await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<one@example.net>" }, "quixotry, kept\n"),
  );
  await test.settle();
  const before = await storage(test, owner);
  const raw = message(
    { References: "<one@example.net>", "Message-ID": "<two@example.net>" },
    "quixotry ".repeat(60_000),
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const { thread_id } = await data(test.request(path, { token: owner.key }));
  assert.equal((await ids(test, owner, `/v1/api/threads/${thread_id}`)).length, 2);
  assert.equal(await storage(test, owner), before + raw.length);
  await test.dispatcher.stop();
  await remove(test, owner, email_id);
  for (
    const [at, json] of [
      ["/v1/api/emails"],
      [`/v1/api/emails?mailbox_id=${box.mailbox_id}`],
      [`/v1/api/emails?thread_id=${thread_id}`],
      [`/v1/api/threads/${thread_id}`],
      ["/v1/api/search", { query: "quixotry" }],
    ] as [string, object?][]
  ) assert.deepEqual(await ids(test, owner, at, json), [first.email_id], at);
  for (const at of [path, `${path}/raw`, `${path}/attachments/att_1`]) {
    assert.equal((await test.request(at, { token: owner.key })).status, 404, at);
  }
  assert.equal(await emailCount(test, owner), 1);
  const { data: [change] } = await (await test.request("/v1/api/changes?limit=500", {
    token: owner.key,
  })).json().then(({ data }) => ({ data: data.toReversed() }));
  assert.deepEqual([change.event, change.email_id, change.thread_id], [
    "email.deleted",
    email_id,
    thread_id,
  ]);
});

Deno.test("jobs remove what a deletion hid; the same delivery is a duplicate, and a reply still joins the thread", async () => {
  const inner = await indexOfTest();
  await using test = await testService({ parts: { searchIndex: inner } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const mails = ["one", "two"].map((name) =>
    message({ "Message-ID": `<${name}@example.net>` }, `${"quixotry ".repeat(60_000)}${name}`)
  );
  // One after the other: the stats keep the id of the newest, also once it is deleted.
  const one = await deliver(test, box.email_address, mails[0]);
  const two = await deliver(test, box.email_address, mails[1]);
  await test.settle();
  const { thread_id } = await data(
    test.request(`/v1/api/emails/${one.email_id}`, { token: owner.key }),
  );
  // As if a model of this process had not read it yet.
  const row = keys.emailProcessing(owner.userId, one.email_id);
  await test.service.database.transact((tx) => tx.set(row, 1));
  await remove(test, owner, one.email_id);
  await test.settle();
  const query = { userId: owner.userId, text: "quixotry", filters: {}, window: 100 };
  const { hits } = await inner.search(query);
  assert.deepEqual(hits.map(({ emailId }) => emailId), [two.email_id]);
  assert.equal(await storage(test, owner), mails[1].length);
  const tables = (await rowsThatMention(test.kv, new Set([one.email_id])))
    .map((key) => key.split(" ")[0]);
  // The count of a second instance names the newest email that it stored.
  const named = new Set(tables.filter((table) => table !== "mailbox_stats_lanes"));
  assert.deepEqual([...named].sort(), ["arrivals", "emails_by_delivery"]);

  const again = await deliver(test, box.email_address, mails[0]);
  assert.deepEqual([again.disposition, again.email_id], ["duplicate", one.email_id]);
  const [arrival] = await data(test.request("/v1/api/arrivals", { token: owner.key }));
  assert.deepEqual([arrival.disposition, arrival.email_id], ["duplicate", one.email_id]);
  assert.deepEqual(await ids(test, owner, "/v1/api/emails"), [two.email_id]);
  assert.deepEqual(await ids(test, owner, `/v1/api/threads/${thread_id}`), 404);

  const reply = await deliver(
    test,
    box.email_address,
    message({ "In-Reply-To": "<one@example.net>", Subject: "Re: Hello" }),
  );
  assert.deepEqual(await ids(test, owner, `/v1/api/threads/${thread_id}`), [reply.email_id]);
  assert.equal(await emailCount(test, owner), 2);
});

Deno.test("an email that is deleted while it is indexed does not stay in the index", async () => {
  const inner = await indexOfTest();
  const added = Promise.withResolvers<void>(), deleted = Promise.withResolvers<void>();
  const searchIndex: SearchIndex = {
    ...inner,
    async add(emails) {
      added.resolve();
      await deleted.promise;
      await inner.add(emails);
    },
  };
  await using test = await testService({ parts: { searchIndex } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message({}, "quixotry"));
  await added.promise;
  await remove(test, owner, email_id);
  deleted.resolve();
  await test.settle();
  const query = { userId: owner.userId, text: "quixotry", filters: {}, window: 100 };
  assert.deepEqual((await inner.search(query)).hits, []);
});

Deno.test("a job whose email is deleted removes what its earlier run has indexed", async () => {
  const inner = await indexOfTest();
  await using test = await testService({ parts: { searchIndex: inner } });
  const { jobs, database } = test.service;
  const gone = { userId: "u1", emailId: "gone" };
  await inner.add([{
    ...{ ...gone, mailboxId: "m1", direction: "inbound", from: "", to: [], subject: "quixotry" },
    ...{ dateMs: 1, arrivedMs: 1, text: "", attachmentNames: [] },
  }]);
  const query = { userId: "u1", text: "quixotry", filters: {}, window: 100 };
  assert.equal((await inner.search(query)).hits.length, 1);
  await database.transact((tx) => void jobs.add(tx, "process_email", gone));
  await test.settle();
  assert.deepEqual((await inner.search(query)).hits, []);
});

Deno.test("sent mail that is deleted while it is queued still reaches its recipients; then nothing of it is left", async () => {
  const kv = await Deno.openKv(":memory:");
  let owner: TestAccount, sent: string, to: { mailbox_id: string };
  {
    await using test = await testService({ kv });
    owner = await account(test);
    const from = await mailbox(test, owner);
    const box = to = await mailbox(test, owner);
    await test.dispatcher.stop();
    const answer = await data(test.request("/v1/api/emails/send", {
      token: owner.key,
      json: {
        mailbox_id: from.mailbox_id,
        to: box.email_address,
        subject: "On its way",
        body_text: "x",
      },
    }));
    assert.equal(answer.status, "queued");
    sent = answer.email_id;
    await remove(test, owner, sent);
    assert.deepEqual(await ids(test, owner, "/v1/api/emails"), []);
    assert.equal((await test.request(`/v1/api/emails/${sent}`, { token: owner.key })).status, 404);
  }
  {
    await using test = await testService({ kv });
    await test.advance(60_000);
    const list = await data(test.request("/v1/api/emails", { token: owner.key }));
    assert.deepEqual(
      list.map((each: { subject: string; mailbox_id: string }) => [each.subject, each.mailbox_id]),
      [["On its way", to.mailbox_id]],
    );
    const left = await rowsThatMention(kv, new Set([sent]));
    assert.deepEqual(left.filter((key) => /^(emails|email_|blob|outgoing|jobs)/.test(key)), []);
    assert.equal(await storage(test, owner), list[0].size);
  }
  kv.close();
});
