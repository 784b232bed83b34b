import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import {
  account,
  deliver,
  FakeClock,
  mailbox,
  message,
  operatorToken,
  testService,
} from "../../../service.ts";
import { ScriptedTarget } from "../../webhooks/scripted_target.ts";

type Damage = (key: Deno.KvKey, value: unknown) => Promise<void>;

/** A service of which `damage` has written a row of the second of three emails. */
async function world(damage: (write: Damage, userId: string, emailId: string) => Promise<void>) {
  const clock = new FakeClock();
  const test = await testService({
    instances: 1,
    parts: { clock, webhookTarget: new ScriptedTarget(clock) },
  });
  const owner = await account(test);
  const { key: token } = owner;
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await test.request(`/v1/api${path}`, { method, token, json });
    return { status: answer.status, body: await answer.json() };
  };
  await call("POST", "/webhooks", { url: "https://hook.example/", events: ["email.received"] });
  const box = await mailbox(test, owner);
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) {
    const mail = message(
      { "Message-ID": `<${name}@x.example>`, Subject: "Figs", References: "<one@x.example>" },
      `Marmalade ${name}.\n`,
    );
    ids.push((await deliver(test, box.email_address, mail)).email_id);
  }
  await test.settle();
  // Through the service, so that it is not hidden by what the process has in memory.
  const write: Damage = async (key, value) => {
    await test.service.database.transact((tx) =>
      value === null ? tx.delete(key) : tx.set(key, value)
    );
    test.service.parsedBodies.clear();
  };
  await damage(write, owner.userId, ids[1]);
  return {
    test,
    owner,
    write,
    box,
    ids,
    call,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

type Row = { email_id: string };
const idsOf = (rows: Row[]) => rows.map(({ email_id }) => email_id);

const damagedRows: [string, unknown][] = [
  ["no JSON", "garbage"],
  ["another value", { some: "thing" }],
  ["of an unknown version", "[9]"],
  ["cut", '[3,"<a@b.example>"]'],
  ["with a wrong time", '[3,"a","b","c",0,["a@b.example",""],[],[],"s",1e300,1e300,1,null]'],
];

for (const [how, value] of damagedRows) {
  Deno.test(`an email whose row is damaged (${how}) is left out; lists, threads, search, waits, claims and batches have the others`, async () => {
    await using it = await world((write, userId, id) => write(keys.email(userId, id), value));
    const [one, two, three] = it.ids;
    const { mailbox_id } = it.box;
    const whole = await it.call("GET", `/emails/${one}`);
    const thread = whole.body.data.thread_id;
    for (
      const path of ["/emails", `/emails?mailbox_id=${mailbox_id}`, `/emails?thread_id=${thread}`]
    ) {
      const { status, body } = await it.call("GET", path);
      assert.deepEqual([path, status, idsOf(body.data)], [path, 200, [three, one]]);
    }
    const conversation = await it.call("GET", `/threads/${thread}`);
    assert.deepEqual(idsOf(conversation.body.data.thread), [one, three]);
    const threads = await it.test.request("/api/threads", { token: it.owner.accessToken });
    assert.equal((await threads.json()).data.length, 1);
    const found = await it.call("POST", "/search", { query: "marmalade" });
    assert.deepEqual([found.status, idsOf(found.body.results).sort()], [200, [one, three]]);
    const waited = await it.call(
      "GET",
      `/emails/wait?mailbox_id=${mailbox_id}&after=${one}&timeout_seconds=0`,
    );
    assert.equal(waited.body.data.email.email_id, three);
    const single = await it.call("GET", `/emails/${two}`);
    assert.deepEqual([single.status, single.body.error.code], [404, "NOT_FOUND"]);
    const marked = await it.call("POST", "/emails/batch", { email_ids: it.ids, is_read: true });
    assert.deepEqual(marked.body.data, [
      { email_id: one, ok: true },
      { email_id: two, ok: false, code: "NOT_FOUND" },
      { email_id: three, ok: true },
    ]);
    const claims = await it.call("POST", `/mailboxes/${mailbox_id}/claims`, { limit: 50 });
    const claimed = claims.body.data.map(({ email }: { email: Row }) => email.email_id);
    assert.deepEqual([claims.status, claimed], [200, [one, three]]);
    const lines = it.test.log.filter(({ event }) => event === "store.row_damaged");
    assert.deepEqual(lines.map(({ id }) => id), [two], "one line, however often it is read");
    // The mailbox can still be deleted.
    await it.call("DELETE", `/mailboxes/${mailbox_id}`, {
      confirm_email_address: it.box.email_address,
    });
    await it.test.settle();
    for (const table of ["emails", "email_details", "blob_chunks", "emails_by_mailbox"]) {
      assert.deepEqual(await Array.fromAsync(it.test.kv.list({ prefix: [table] })), [], table);
    }
  });
}

const lostBytes: [string, (write: Damage, emailId: string) => Promise<void>][] = [
  ["gone", (write, id) => write(keys.blobChunk(id, 0), null)],
  ["no deflate", (write, id) => write(keys.blobChunk(id, 0), new Uint8Array([1, 9, 9, 9]))],
];

for (const [how, damage] of lostBytes) {
  Deno.test(`an email whose bytes are damaged (${how}) is claimed and read with a problem; the others of the batch are whole`, async () => {
    await using it = await world((write, _userId, id) => damage(write, id));
    const [, two, three] = it.ids;
    const { mailbox_id } = it.box;
    const claims = await it.call("POST", `/mailboxes/${mailbox_id}/claims`, { limit: 50 });
    assert.equal(claims.status, 200);
    type Shown = { email: Row & { problem: string | null; body_text: string; subject: string } };
    assert.deepEqual(
      claims.body.data.map(({ email }: Shown) => [email.email_id, email.subject, email.problem]),
      it.ids.map((
        id,
      ) => [id, "Figs", id === two ? "The stored bytes of the message are damaged." : null]),
    );
    assert.deepEqual(
      claims.body.data.map(({ email }: Shown) => email.body_text.trim()),
      ["Marmalade one.", "", "Marmalade three."],
    );
    const { status, body } = await it.call("GET", `/emails/${two}`);
    assert.deepEqual([status, body.data.body_text], [200, ""]);
    for (const path of ["/emails", "/emails?has_attachments=false"]) {
      assert.deepEqual(idsOf((await it.call("GET", path)).body.data), it.ids.toReversed());
    }
    const wanted = `/emails/wait?mailbox_id=${mailbox_id}&after=${it.ids[0]}&timeout_seconds=0`;
    assert.equal((await it.call("GET", `${wanted}&subject=Figs`)).status, 200);
    const code = await it.call("GET", `${wanted}&require=code`);
    assert.deepEqual([code.status, code.body.data.timed_out], [200, true]);
    assert.equal((await it.call("GET", `/emails/${three}`)).body.data.problem, null);
  });
}

Deno.test("a lost mail does not fail the expectations of its mailbox", async () => {
  await using it = await world(() => Promise.resolve());
  const { mailbox_id, email_address } = it.box;
  const expected = await it.call("POST", "/expectations", { mailbox_id, from_domain: "x.example" });
  const { expectation_id } = expected.body.data;
  const from = { From: "a@x.example", Subject: "Your code" };
  const lost = await deliver(it.test, email_address, message(from, "Your code is 111222.\n"));
  await it.test.settle();
  await it.write(keys.blobChunk(lost.email_id, 0), null);
  await deliver(it.test, email_address, message(from, "Your code is 482913.\n"));
  await it.test.advance(10_000);
  const read = await it.call("GET", `/expectations/${expectation_id}`);
  assert.deepEqual([read.status, read.body.data.code], [200, "482913"]);
});

Deno.test("damaged rows of drafts, deliveries, changes, arrivals and the audit are left out of their lists", async () => {
  await using it = await world(() => Promise.resolve());
  const { test, owner } = it;
  const { userId } = owner;
  const draft = async (body_text: string) =>
    (await it.call("POST", "/drafts", {
      mailbox_id: it.box.mailbox_id,
      to: "a@b.example",
      body_text,
    })).body.data.draft_id;
  const drafts = [await draft("one"), await draft("x".repeat(100_000)), await draft("three")];
  const { value } = await test.kv.get<{ content: { blob: { blobId: string } } }>(
    keys.draft(userId, drafts[1]),
  );
  await it.write(keys.blobChunk(value!.content.blob.blobId, 0), null);
  const webhooks = (await it.call("GET", "/webhooks")).body.data;
  const { webhook_id } = webhooks[0];
  const deliveries = (await it.call("GET", `/webhooks/${webhook_id}/deliveries`)).body.data;
  const { delivery_id } = deliveries[1];
  await it.write(keys.delivery(webhook_id, delivery_id), {
    deliveryId: delivery_id,
    expiresAt: test.clock.now() + 1_000_000,
    mailboxId: null,
  });
  const rows = await Array.fromAsync(
    test.kv.list<{ at: number }>({ prefix: keys.journalRows(userId) }),
  );
  await it.write(rows[1].key, { ...rows[1].value, entries: ["garbage", "[1,2,3]"] });
  const arrivals = await Array.fromAsync(test.kv.list({ prefix: keys.arrivals(userId) }));
  await it.write(arrivals[1].key, { expiresAt: test.clock.now() + 1_000_000 });
  await test.advance(3_000);
  const audit = await Array.fromAsync(test.kv.list({ prefix: keys.auditRows(userId) }));
  await it.write(audit[0].key, "garbage");
  const changesBefore = rows.length;

  const list = async (path: string) => {
    const { status, body } = await it.call("GET", path);
    assert.equal(status, 200, path);
    return body.data;
  };
  const listed = await list("/drafts");
  assert.deepEqual(listed.map((each: { draft_id: string }) => each.draft_id), [
    drafts[2],
    drafts[0],
  ]);
  const page = await it.call("GET", "/drafts?limit=1");
  const rest = await it.call("GET", `/drafts?limit=2&cursor=${page.body.meta.next_cursor}`);
  assert.deepEqual([rest.status, rest.body.data.length], [200, 1]);
  const log = await list(`/webhooks/${webhook_id}/deliveries`);
  assert.equal(log.length, deliveries.length - 1);
  const changes = await list("/changes?limit=500");
  assert.ok(changes.length >= changesBefore - 1);
  assert.equal((await list("/arrivals")).length, arrivals.length - 1);
  await list("/audit");
  assert.equal(test.log.filter(({ event }) => event === "store.row_damaged").length, 5);
});

for (const value of [null, "garbage", {}, 7]) {
  Deno.test(`a row of ${JSON.stringify(value)} is left out of every list that has it; the other rows are answered`, async () => {
    await using it = await world(() => Promise.resolve());
    const { test, owner, box } = it;
    const { userId, accessToken } = owner;
    const { mailbox_id } = box;
    const rule = { method: "PUT", token: accessToken, json: { approval: "always" } };
    await test.request(`/v1/api/mailboxes/${mailbox_id}/policy`, rule);
    const mail = { mailbox_id, to: "ada@example.net", subject: "x", body_text: "x" };
    const held = (await it.call("POST", "/emails/send", mail)).body.data;
    await test.request(`/v1/api/drafts/${held.draft_id}/approve`, {
      token: accessToken,
      json: { content_hash: held.content_hash },
    });
    await deliver(test, "nobody@agents.test", message());
    await test.advance(3_000);
    const firstOf = async (prefix: Deno.KvKey) =>
      (await Array.fromAsync(test.kv.list({ prefix }, { limit: 1 })))[0].key;
    const dead = await test.service.database.transact((tx) => {
      const job = test.service.jobs.add(tx, "purge_webhook", { webhookId: "none" });
      test.service.jobs.deadLetter(tx, job, "the test says so");
      return job;
    });
    await test.settle();
    const lists: [path: string, token: string, damaged: Deno.KvKey][] = [
      ["/v1/api/drafts", owner.key, keys.draft(userId, "1")],
      ["/v1/api/drafts", owner.key, keys.draft(userId, held.draft_id)],
      ["/v1/api/arrivals", owner.key, await firstOf(keys.arrivals(userId))],
      ["/v1/api/known-recipients", owner.key, await firstOf(keys.knownRecipients(userId))],
      ["/v1/api/suppressions", owner.key, keys.suppression(userId, "a@b.example")],
      ["/v1/api/keys", accessToken, keys.apiKey(userId, "1")],
      ["/api/domains", accessToken, keys.customDomain(userId, "1")],
      ["/v1/api/mailboxes", owner.key, keys.mailbox(userId, "1")],
      ["/v1/api/emails", owner.key, keys.mailbox(userId, "1")],
      ["/v1/api/webhooks", owner.key, keys.webhook(userId, "1")],
      ["/operator/jobs", operatorToken, keys.jobDead(dead.jobId)],
      ["/operator/jobs", operatorToken, keys.jobDue(test.clock.now() + 1e9, "1")],
      ["/api/attention", accessToken, await firstOf(["deliveries"])],
      ["/api/attention", accessToken, keys.arrival(userId, "z")],
      ["/api/attention", accessToken, keys.webhook(userId, "1")],
      [
        "/api/activity?from=2026-11-20&to=2026-11-20&step=hour",
        accessToken,
        await firstOf(keys.activities(userId, "hour")),
      ],
    ];
    for (const [path, token, key] of lists) {
      const before = (await test.kv.get(key)).value;
      // `write` of null deletes.
      await test.service.database.transact((tx) => tx.set(key, value));
      const answer = await test.request(path, { token });
      assert.equal(answer.status, 200, `${path} ${JSON.stringify(key)} ${await answer.text()}`);
      await it.write(key, before);
    }
  });
}

Deno.test("a damaged webhook keeps no event from the others", async () => {
  await using it = await world(() => Promise.resolve());
  const { test, owner } = it;
  await test.service.database.transact((tx) => tx.set(keys.webhook(owner.userId, "1"), null));
  const { webhook_id } = (await it.call("GET", "/webhooks")).body.data[0];
  const count = async () =>
    (await it.call("GET", `/webhooks/${webhook_id}/deliveries`)).body.data.length;
  const before = await count();
  await deliver(test, it.box.email_address, message());
  await test.settle();
  assert.equal(await count(), before + 1);
});
