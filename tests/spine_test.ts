import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "./service.ts";

// SPEC: emails.list, emails.record, emails.raw, emails.raw_headers, general.timestamps
Deno.test("a received mail is listed, read, found and downloaded byte for byte", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message({
    Subject: "Quarterly figures",
    "Message-ID": "<q1@example.net>",
    Date: "Fri, 20 Nov 2026 09:00:00 +0000",
  }, "The order number is ZX-48213.\n");
  const taken = await deliver(test, box.email_address, raw);
  assert.deepEqual(taken, {
    recipient: box.email_address,
    disposition: "accepted",
    email_id: taken.email_id,
  });
  await test.settle();
  const listed = await (await test.request("/v1/api/emails", { token: owner.key })).json();
  assert.deepEqual(listed, {
    success: true,
    data: [{
      email_id: taken.email_id,
      message_id: "<q1@example.net>",
      thread_id: listed.data[0].thread_id,
      mailbox_id: box.mailbox_id,
      direction: "inbound",
      from: "ada@example.net",
      from_name: "Ada",
      to: ["agent@agents.test"],
      cc: [],
      envelope_to: [box.email_address],
      subject: "Quarterly figures",
      date: "2026-11-20T09:00:00.000Z",
      received_at: "2026-11-20T10:00:00.000Z",
      snippet: "The order number is ZX-48213.",
      has_attachments: false,
      attachment_ids: [],
      attachments: [],
      ...{ is_read: false, labels: [], automated: false },
      size: raw.length,
      auth_verdict: "none",
      processed: true,
    }],
    meta: { limit: 20, has_more: false, next_cursor: null },
  });
  const email = await data(test.request(`/v1/api/emails/${taken.email_id}`, { token: owner.key }));
  assert.equal(email.body_text.trim(), "The order number is ZX-48213.");
  const download = await test.request(`/v1/api/emails/${taken.email_id}/raw`, { token: owner.key });
  assert.equal(await download.text(), raw);
  assert.equal(download.headers.get("content-type"), "message/rfc822");
  assert.equal(
    download.headers.get("content-disposition"),
    `attachment; filename="${taken.email_id}.eml"`,
  );
  assert.ok(download.headers.get("x-service-storage-key"));
  const found = await (await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "order ZX-48213" },
  })).json();
  assert.equal(found.results[0].email_id, taken.email_id);
  assert.equal(found.total, 1);
  assert.equal(found.pending, 0);
});

// SPEC: inbound.duplicates
Deno.test("twenty identical posts at once give one email and nineteen duplicates", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => deliver(test, box.email_address, message())),
  );
  assert.equal(results.filter((each) => each.disposition === "accepted").length, 1);
  assert.equal(results.filter((each) => each.disposition === "duplicate").length, 19);
  assert.equal(new Set(results.map((each) => each.email_id)).size, 1);
  const listed = await (await test.request("/v1/api/emails", { token: owner.key })).json();
  assert.equal(listed.data.length, 1);
});

// SPEC: threads.join, threads.order
Deno.test("a reply joins the thread of its parent, even if it arrives first", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<r1@x.net>", "In-Reply-To": "<p@x.net>", References: "<p@x.net>" }),
  );
  await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<p@x.net>", Date: "Fri, 20 Nov 2026 08:00:00 +0000" }),
  );
  await test.settle();
  const listed = await (await test.request("/v1/api/emails", { token: owner.key })).json();
  assert.equal(new Set(listed.data.map((each: { thread_id: string }) => each.thread_id)).size, 1);
  const thread = await data(
    test.request(`/v1/api/threads/${listed.data[0].thread_id}`, { token: owner.key }),
  );
  assert.equal(thread.thread.length, 2);
  assert.deepEqual(thread.thread.map((each: { date: string }) => each.date), [
    "2026-11-20T08:00:00.000Z",
    "2026-11-20T10:00:00.000Z",
  ]);
});

// SPEC: threads.merge
Deno.test("a message that names two threads makes them one under the older id", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ "Message-ID": "<a@x.net>" }));
  await deliver(test, box.email_address, message({ "Message-ID": "<b@x.net>" }));
  const before =
    (await (await test.request("/v1/api/emails?order=asc", { token: owner.key })).json()).data;
  await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<c@x.net>", References: "<a@x.net> <b@x.net>" }),
  );
  await test.settle();
  const after =
    (await (await test.request("/v1/api/emails?order=asc", { token: owner.key })).json()).data;
  assert.deepEqual(
    after.map((each: { thread_id: string }) => each.thread_id),
    Array(3).fill(before[0].thread_id),
  );
  const byAlias = await data(
    test.request(`/v1/api/threads/${before[1].thread_id}`, { token: owner.key }),
  );
  assert.equal(byAlias.thread_id, before[0].thread_id);
  assert.equal(byAlias.thread.length, 3);
});

// SPEC: access.foreign_404, emails.raw_404, search.foreign_mailbox, error.not_found
Deno.test("another account's ids answer 404 on every route and tool", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  const { thread_id } = await data(
    test.request(`/v1/api/emails/${email_id}`, { token: owner.key }),
  );
  const notFound = { success: false, error: { code: "NOT_FOUND" } };
  const routes: [string, unknown?][] = [
    [`/v1/api/emails/${email_id}`],
    [`/v1/api/threads/${thread_id}`],
    [`/v1/api/emails?mailbox_id=${box.mailbox_id}`],
    ["/v1/api/search", { query: "hello", mailbox_id: box.mailbox_id }],
    [`/v1/api/emails/${email_id}/reply`, { body_text: "x" }],
    ["/v1/api/emails/send", {
      mailbox_id: box.mailbox_id,
      to: "a@example.net",
      subject: "x",
      body_text: "x",
    }],
  ];
  for (const [path, json] of routes) {
    const answer = await test.request(path, { token: other.key, json });
    const body = await answer.json();
    assert.equal(answer.status, 404, path);
    assert.deepEqual({ success: body.success, error: { code: body.error.code } }, notFound, path);
  }
  const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: other.key });
  assert.equal(raw.status, 404);
  assert.deepEqual(await raw.json(), {
    error: { code: "NOT_FOUND", message: "There is no such email." },
  });
});

// SPEC: emails.send, emails.reply, send.local
Deno.test("a reply to our own mailbox is delivered, threaded on both sides and marked sent", async () => {
  await using test = await testService();
  const alice = await account(test), bob = await account(test);
  const from = await mailbox(test, alice), to = await mailbox(test, bob);
  const sent = await test.request("/v1/api/emails/send", {
    token: alice.key,
    json: {
      mailbox_id: from.mailbox_id,
      to: to.email_address,
      subject: "Lunch",
      body_text: "At noon?",
    },
  });
  assert.equal(sent.status, 201);
  const first = await data(sent);
  await test.settle();
  const [arrived] = (await (await test.request("/v1/api/emails", { token: bob.key })).json()).data;
  assert.equal(arrived.subject, "Lunch");
  assert.equal(arrived.message_id, first.message_id);
  const reply = await data(
    test.request(`/v1/api/emails/${arrived.email_id}/reply`, {
      token: bob.key,
      json: { body_text: "Yes." },
    }),
  );
  assert.equal(reply.thread_id, arrived.thread_id);
  assert.equal(reply.subject, "Re: Lunch");
  await test.settle();
  const thread = await data(
    test.request(`/v1/api/threads/${first.thread_id}`, { token: alice.key }),
  );
  assert.deepEqual(thread.thread.map((each: { subject: string }) => each.subject), [
    "Lunch",
    "Re: Lunch",
  ]);
  const own = await data(test.request(`/v1/api/emails/${first.email_id}`, { token: alice.key }));
  assert.equal(own.status, "sent");
});
