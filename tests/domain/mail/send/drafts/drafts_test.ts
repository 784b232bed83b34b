import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, deliver, mailbox, message, testService } from "../../../../service.ts";
import { storedMail } from "../sending.ts";
import { callsOf, given } from "./approvals.ts";

const attachments = [{ filename: "a.txt", content_type: "text/plain", content: "aGk=" }];

// SPEC: drafts.create, drafts.send, drafts.once
Deno.test("a draft is kept with its text, changed, listed, and sent once with its content", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, sentMails, changes } = callsOf(test, owner);
  const made = await agent("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: ["Ann <Ann@One.example>", "bo@two.example"],
    bcc: "cy@three.example",
    subject: "Figures",
    body_text: "Here.",
    attachments,
  });
  assert.equal(made.status, 201);
  const draft = made.body.data;
  assert.deepEqual(draft, {
    draft_id: draft.draft_id,
    mailbox_id: box.mailbox_id,
    status: "draft",
    from: box.email_address,
    to: ["Ann <Ann@one.example>", "bo@two.example"],
    cc: [],
    bcc: ["cy@three.example"],
    reply_to: [],
    subject: "Figures",
    body_text: "Here.",
    body_html: null,
    attachments: [{
      filename: "a.txt",
      content_type: "text/plain",
      size: 2,
      sha256: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
    }],
    headers: null,
    metadata: null,
    automatic: false,
    reply_to_email_id: null,
    send_at: null,
    content_hash: draft.content_hash,
    reasons: [],
    reject_reason: null,
    decided_by: null,
    email_id: null,
    created_at: "2026-11-20T10:00:00.000Z",
    updated_at: "2026-11-20T10:00:00.000Z",
  });
  assert.match(draft.content_hash, /^[0-9a-f]{64}$/);
  const path = `/drafts/${draft.draft_id}`;
  assert.deepEqual((await agent("GET", path)).body.data, draft);
  assert.equal(await sentMails(), 0);

  test.clock.advance(1_000);
  const changed = await given(agent("PATCH", path, { subject: "All figures", bcc: null }));
  assert.notEqual(changed.content_hash, draft.content_hash);
  const same = {
    ...draft,
    ...{ subject: "All figures", bcc: [], content_hash: changed.content_hash },
    updated_at: "2026-11-20T10:00:01.000Z",
  };
  assert.deepEqual(changed, same);
  assert.deepEqual((await agent("GET", "/drafts?status=draft")).body, {
    success: true,
    data: [same],
    meta: { limit: 20, has_more: false, next_cursor: null },
  });

  const old = await agent("POST", `${path}/send`, { content_hash: draft.content_hash });
  assert.deepEqual([old.status, old.body.error.code], [409, "CONFLICT"]);
  const sends = await Promise.all(
    Array.from(
      { length: 8 },
      () => agent("POST", `${path}/send`, { content_hash: changed.content_hash }),
    ),
  );
  const [first] = sends;
  assert.equal(first.status, 201);
  assert.equal(first.body.data.draft_id, draft.draft_id);
  for (const each of sends) assert.deepEqual(each, first);
  await test.settle();
  assert.deepEqual(await agent("POST", `${path}/send`, {}), first);
  assert.equal(await sentMails(), 1);
  const { mail } = await storedMail(test, owner, first.body.data.email_id);
  assert.equal(mail.subject, "All figures");
  assert.equal(mail.attachments[0].filename, "a.txt");
  assert.deepEqual((await agent("GET", path)).body.data, {
    ...same,
    status: "sent",
    email_id: first.body.data.email_id,
  });
  for (const [method, json] of [["PATCH", { subject: "x" }], ["DELETE", undefined]] as const) {
    assert.equal((await agent(method, path, json)).status, 409);
  }
  const events = (await changes()).filter((event) => event.startsWith("draft."));
  assert.deepEqual(events, ["draft.created", "draft.updated", "draft.sent"]);
  const totals = (await test.kv.get(keys.draftTotals(owner.userId))).value as object;
  assert.deepEqual({ ...totals, endedBytes: 0 }, { open: 0, bytes: 0, ended: 1, endedBytes: 0 });
});

// SPEC: drafts.reply
Deno.test("a draft of a reply joins the thread of its email", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<q@x.net>" }),
  );
  await test.settle();
  const both = { reply_to_email_id: email_id, to: "a@b.example", body_text: "x" };
  assert.deepEqual((await agent("POST", "/drafts", both)).body.error.details, {
    to: "is set by reply_to_email_id",
  });
  const draft = await given(
    agent("POST", "/drafts", { reply_to_email_id: email_id, body_text: "Yes." }),
  );
  assert.deepEqual([draft.to, draft.subject, draft.reply_to_email_id], [
    ["Ada <ada@example.net>"],
    "Re: Hello",
    email_id,
  ]);
  const sent = await given(agent("POST", `/drafts/${draft.draft_id}/send`, {}));
  const parent = await given(agent("GET", `/emails/${email_id}`));
  assert.equal(sent.thread_id, parent.thread_id);
  const { mail } = await storedMail(test, owner, sent.email_id);
  assert.equal(mail.inReplyTo, "<q@x.net>");
});

// SPEC: drafts.cancel
Deno.test("a canceled draft keeps its content and is never sent; its bytes are removed", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const content = btoa("x".repeat(200_000));
  const draft = await given(agent("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: "a@b.example",
    body_text: "Text",
    attachments: [{ filename: "a.bin", content }],
    idempotency_key: "one",
  }));
  const path = `/drafts/${draft.draft_id}`;
  for (const method of ["GET", "DELETE"]) {
    assert.equal((await callsOf(test, other).agent(method, path)).status, 404);
  }
  assert.equal((await callsOf(test, other).person("POST", `${path}/send`, {})).status, 404);
  const canceled = await given(agent("DELETE", path));
  assert.deepEqual(canceled, { ...draft, status: "canceled" });
  assert.deepEqual(await given(agent("GET", path)), canceled);
  assert.equal((await agent("DELETE", path)).status, 409);
  assert.equal((await agent("POST", `${path}/send`, {})).status, 409);
  // A repeated request makes no second one.
  const again = await given(agent("POST", "/drafts", {
    ...{ mailbox_id: box.mailbox_id, to: "a@b.example", body_text: "Text" },
    ...{ attachments: [{ filename: "a.bin", content }], idempotency_key: "one" },
  }));
  assert.equal(again.draft_id, draft.draft_id);
  await test.settle();
  for (const prefix of [["blob_chunks"], keys.blobsPending()]) {
    assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix }, { batchSize: 10 })), []);
  }
});

// SPEC: drafts.honest
Deno.test("drafts of a deleted mailbox are gone with it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const send_at = "2026-11-20T11:00:00Z";
  const draft = await given(agent("POST", "/drafts", {
    ...{ mailbox_id: box.mailbox_id, to: "a@b.example", body_text: "x", send_at },
  }));
  assert.equal(draft.status, "scheduled");
  await given(agent("DELETE", `/mailboxes/${box.mailbox_id}`, {
    confirm_email_address: box.email_address,
  }));
  assert.equal((await agent("GET", `/drafts/${draft.draft_id}`)).status, 404);
  await test.settle();
  await test.advance(2 * 3_600_000);
  assert.equal((await test.kv.get(keys.draft(owner.userId, draft.draft_id))).value, null);
  assert.deepEqual((await test.kv.get(keys.draftTotals(owner.userId))).value, {
    open: 0,
    bytes: 0,
  });
  assert.deepEqual((await agent("GET", "/emails")).body.data, []);
});

// One instance: the mailbox is deleted while this process lists.
Deno.test("a list leaves out the drafts of a mailbox that is deleted meanwhile", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const kept = await mailbox(test, owner), gone = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  for (const { mailbox_id } of [kept, gone, kept]) {
    await given(agent("POST", "/drafts", { mailbox_id, to: "ann@one.example", body_text: "x" }));
  }
  const { database } = test.service;
  const list = database.list.bind(database);
  database.list = async function* <T>(...question: Parameters<typeof list>) {
    const rows = await Array.fromAsync(list<T>(...question));
    if (rows.some(({ key }) => key[0] === "drafts")) {
      database.list = list;
      const confirm_email_address = gone.email_address;
      await given(agent("DELETE", `/mailboxes/${gone.mailbox_id}`, { confirm_email_address }));
    }
    yield* rows;
  } as typeof list;
  const { status, body } = await agent("GET", "/drafts");
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.data.map(({ mailbox_id }: { mailbox_id: string }) => mailbox_id),
    [kept.mailbox_id, kept.mailbox_id],
  );
});

Deno.test("a draft shows what is not seen in it, over REST and to the person who approves, and is sent as it was written", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const other = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const unseen = [..."pay"].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join(
    "",
  );
  const text = `Hello \u202eolleh${unseen}`;
  const draft = await given(agent("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: [`"Ann \u202egro" <${other.email_address}>`],
    subject: text,
    body_text: text,
    attachments: [{ ...attachments[0], filename: "a\u202egpj.txt" }],
  }));
  const marked = "Hello [U+202E]olleh[hidden text]";
  const shown = (await agent("GET", `/drafts/${draft.draft_id}`)).body.data;
  assert.deepEqual([shown.subject, shown.body_text], [marked, marked]);
  assert.equal(shown.to[0], `"Ann [U+202E]gro" <${other.email_address}>`);
  assert.equal(shown.attachments[0].filename, "a[U+202E]gpj.txt");
  // The content is not changed by it.
  const changed = await given(agent("PATCH", `/drafts/${draft.draft_id}`, { cc: null }));
  assert.equal(changed.content_hash, shown.content_hash);
  const sent = await agent("POST", `/drafts/${draft.draft_id}/send`, {
    content_hash: shown.content_hash,
  });
  assert.equal(sent.status, 201);
  const email = (await agent("GET", `/emails/${sent.body.data.email_id}`)).body.data;
  assert.equal(email.body_html, null);
  const wanted = text.replaceAll(unseen, "");
  assert.equal(email.body_text.trim(), wanted);
});

Deno.test("all texts of a draft have marks for what is not seen; sent back by PATCH, the marks are what is sent", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const draft = await given(agent("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: '"Ann \u202bgro\u202c" <ann@partner.example>',
    subject: "Pay \u2067a\u2069",
    body_html: "<p>\u202eone &#x202E;two&#xE0041; &lt;b></p>",
  }));
  const path = `/drafts/${draft.draft_id}`;
  const shown = await given(agent("GET", path));
  assert.deepEqual([shown.to, shown.subject, shown.body_html], [
    ['"Ann [U+202B]gro[U+202C]" <ann@partner.example>'],
    "Pay [U+2067]a[U+2069]",
    "<p>[U+202E]one &#x202E;two&#xE0041; &lt;b></p>",
  ]);
  const html = await test.request(
    `/api${path}/html?content_hash=${shown.content_hash}`,
    { token: owner.accessToken },
  );
  assert.match(await html.text(), /<p>\[U\+202E\]one \[U\+202E\]two\[hidden text\] &lt;b&gt;<\/p>/);
  const back = await given(agent("PATCH", path, { subject: shown.subject }));
  assert.equal(back.subject, shown.subject);
  assert.notEqual(back.content_hash, shown.content_hash);
  const plain = await given(agent("PATCH", path, { subject: "Pay [U+2067]a[U+2069]" }));
  assert.equal(plain.content_hash, back.content_hash);
});
