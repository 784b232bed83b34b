import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, mailbox, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

Deno.test("a draft as large as the rules allow can be sent, canceled and read afterwards", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  // Names and texts that take the most bytes as UTF-8 and as JSON.
  const domain = `${Array.from({ length: 3 }, () => "x".repeat(59)).join(".")}.example`;
  const people = (letter: string) =>
    Array.from({ length: 50 }, (_, n) => `"${"\u8a9e".repeat(199)}" <${letter}${n}@${domain}>`);
  const file = {
    filename: "\ud800".repeat(255),
    content_type: `text/plain; name=${"a".repeat(200)}`,
    content: "",
  };
  const mail = {
    mailbox_id: box.mailbox_id,
    to: people("t"),
    reply_to: people("r"),
    subject: "\ud800".repeat(1_000),
    body_text: "\u0001".repeat(100_000),
    body_html: "\u0001".repeat(100_000),
    attachments: Array.from({ length: 100 }, () => file),
  };
  const make = async () => (await given(agent("POST", "/drafts", mail))).draft_id;
  const [sent, canceled] = [await make(), await make()];
  assert.equal((await given(agent("POST", `/drafts/${sent}/send`, {}))).status, "stored");
  assert.equal((await given(agent("DELETE", `/drafts/${canceled}`))).status, "canceled");
  for (const [draftId, status] of [[sent, "sent"], [canceled, "canceled"]]) {
    const draft = await given(agent("GET", `/drafts/${draftId}`));
    assert.deepEqual([draft.status, draft.truncated], [status, true]);
    assert.deepEqual([draft.to.length, draft.reply_to.length, draft.subject.length], [
      50,
      50,
      1_000,
    ]);
  }
});

Deno.test("the text of an ended draft is not cut inside a character", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const body_text = `x${"\u{1f600}".repeat(30_000)}`;
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", body_text };
  const { draft_id } = await given(agent("POST", "/drafts", mail));
  await given(agent("DELETE", `/drafts/${draft_id}`));
  const draft = await given(agent("GET", `/drafts/${draft_id}`));
  assert.equal(draft.truncated, true);
  assert.ok(draft.body_text === body_text.slice(0, 4_999));
});

Deno.test("the bytes of a draft that is changed, canceled or sent are gone after its jobs; no sweep is needed", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const chunks = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] }, { batchSize: 10 }))).length;
  const bodyOf = (letter: string) => ({ body_text: `${letter}${"x".repeat(300_000)}` });
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", ...bodyOf("a") };
  const [changed, canceled, sent] = await Promise.all(
    [1, 2, 3].map(async () => (await given(agent("POST", "/drafts", mail))).draft_id),
  );
  const before = await chunks();
  await given(agent("PATCH", `/drafts/${changed}`, bodyOf("b")));
  await test.settle();
  assert.equal(await chunks(), before);
  await given(agent("DELETE", `/drafts/${canceled}`));
  const { email_id } = await given(agent("POST", `/drafts/${sent}/send`, {}));
  await test.settle();
  await given(agent("DELETE", `/emails/${email_id}`));
  await test.settle();
  assert.equal(await chunks(), before / 3);
  assert.equal((await given(agent("GET", `/drafts/${changed}`))).body_text[0], "b");
});

Deno.test("ended drafts are kept up to 100 MB of an account: then the oldest go, soon after", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", body_text: "x" };
  const end = async () => {
    const { draft_id } = await given(agent("POST", "/drafts", mail));
    await given(agent("DELETE", `/drafts/${draft_id}`));
    return draft_id as string;
  };
  const oldest = await end();
  const newest = await end();
  // As if 55 kB were kept of each of 2,000 drafts, that the next one is the last of.
  const { database, ids, clock } = test.service;
  const { userId } = owner;
  const row = (await test.kv.get(keys.draft(userId, newest))).value as object;
  const made: string[] = [];
  for (let n = 0; n < 2_000; n += 10) {
    await database.transact((tx) => {
      for (let i = 0; i < 10; i++) {
        const draftId = ids.timed(clock.now() + n + i + 1);
        made.push(draftId);
        tx.set(keys.draft(userId, draftId), { ...row, draftId });
        tx.set(keys.endedDraft(userId, draftId), new Uint8Array(55_000));
      }
    });
  }
  const totals = keys.draftTotals(userId);
  await database.transact((tx) =>
    tx.set(totals, { open: 0, bytes: 0, ended: 5, endedBytes: 49_999_990 })
  );
  await end();
  await test.settle();
  const left = await Array.fromAsync(test.kv.list({ prefix: ["drafts", userId] }));
  const said = await Array.fromAsync(test.kv.list({ prefix: ["drafts_said", userId] }));
  assert.deepEqual([left.length, said.length], [1_819, 1_819]);
  const answer = await agent("GET", `/drafts/${oldest}`);
  assert.equal(answer.status, 404);
  assert.deepEqual((await test.kv.get(totals)).value, {
    open: 0,
    bytes: 0,
    ended: 0,
    endedBytes: 0,
  });
});

Deno.test("a draft's texts have at most a million characters each; longer mail that waits is shown cut, and sent whole", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example" };
  const long = "x".repeat(1_000_001);
  for (const field of ["body_text", "body_html"]) {
    const refused = await agent("POST", "/drafts", { ...mail, [field]: long });
    assert.equal(refused.status, 400);
    const { error } = refused.body;
    assert.equal(error.code, "VALIDATION_ERROR");
    assert.ok(error.details[field]);
  }
  assert.equal((await agent("POST", "/emails/send", { ...mail, body_text: long })).status, 201);
  const send_at = new Date(test.clock.now() + 60_000).toISOString();
  const { draft_id } = await given(
    agent("POST", "/emails/send", { ...mail, body_text: long, send_at }),
  );
  const draft = await given(agent("GET", `/drafts/${draft_id}`));
  assert.deepEqual([draft.body_text.length, draft.truncated], [1_000_000, true]);
  // Another field can be changed.
  const changed = await agent("PATCH", `/drafts/${draft_id}`, { subject: "Later" });
  assert.equal(changed.status, 200);
  await test.advance(61_000);
  const { email_id } = await given(agent("GET", `/drafts/${draft_id}`));
  const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
  assert.ok((await raw.text()).length > long.length);
});

Deno.test("a list of drafts reads no more of them than its answer has, and the next page goes on", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", body_text: "x".repeat(900_000) };
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.unshift((await given(agent("POST", "/drafts", mail))).draft_id);
  const { database } = test.service;
  const list = database.list.bind(database);
  let blobsRead = 0;
  database.list = (selector, options) => {
    if (JSON.stringify(selector).includes("blob")) blobsRead++;
    return list(selector, options);
  };
  const page = async (query: string) => (await agent("GET", `/drafts?${query}`)).body;
  const short = await page("max_chars=2000");
  assert.equal(short.data.length, 1);
  assert.equal(short.meta.has_more, true);
  assert.ok(blobsRead <= 1, `${blobsRead} contents are read`);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { data, meta } = await page(`limit=100${cursor && `&cursor=${cursor}`}`);
    assert.ok(data.length >= 1 && data.length <= 5, `${data.length} on a page`);
    seen.push(...data.map(({ draft_id }: { draft_id: string }) => draft_id));
    cursor = meta.next_cursor;
  }
  assert.deepEqual(seen, ids);
});

Deno.test("long drafts that many requests ask for are decoded one in a turn of the event loop", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", body_text: "x".repeat(200_000) };
  await given(agent("POST", "/drafts", mail));
  await given(agent("POST", "/drafts", mail));
  const { parse } = JSON;
  let inTurn = 0, most = 0, isOver = false;
  const turns = (async () => {
    for (; !isOver; await setImmediate()) inTurn = 0;
  })();
  JSON.parse = (text, ...more) => {
    // An answer has two of them.
    if (text.length > 200_000 && text.length < 300_000) most = Math.max(most, ++inTurn);
    return parse(text, ...more);
  };
  try {
    const lists = Array.from({ length: 20 }, () => given(agent("GET", "/drafts")));
    for (const drafts of await Promise.all(lists)) assert.equal(drafts.length, 2);
  } finally {
    JSON.parse = parse;
    isOver = true;
    await turns;
  }
  assert(most > 0 && most <= 2, `${most} in one turn`);
});
