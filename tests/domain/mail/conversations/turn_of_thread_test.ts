import assert from "node:assert/strict";
import { post } from "../../../routes/mcp/post.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

async function world() {
  const test = await testService();
  const owner = await account(test);
  const boxes = [];
  for (const name of ["box-one", "box-two", "box-three"]) {
    boxes.push(await mailbox(test, owner, name));
  }
  const [one, two, three] = boxes;
  const call = (path: string, json?: unknown, method?: string) =>
    data(test.request(`/v1/api${path}`, { token: owner.key, json, method }));
  const later = async <T>(work: Promise<T>) => {
    const done = await work;
    await test.settle();
    await test.advance(1_000);
    return done;
  };
  let n = 0;
  const comes = (fields: Record<string, string> = {}, box = one) =>
    later(deliver(
      test,
      box.email_address,
      message({ "Message-ID": `<m${++n}@example.net>`, ...fields }),
    ));
  const send = (json: object) =>
    later(call("/emails/send", { mailbox_id: one.mailbox_id, body_text: "t", ...json }));
  const reply = (id: string, json: object = {}) =>
    later(call(`/emails/${id}/reply`, { body_text: "Yes.", ...json }));
  /** Whose turn the conversation says, on every surface and page, and in the list. */
  const turn = async (threadId: string, token = owner.key) => {
    const get = (query = "") =>
      data(test.request(`/v1/api/threads/${threadId}${query}`, { token }));
    const { waiting_for, thread } = await get();
    const list = await data(test.request("/v1/api/threads?limit=100", { token }));
    const listed = list.find((each: { thread_id: string }) => each.thread_id === threadId);
    assert.equal(listed.waiting_for, waiting_for, "the list says the same");
    assert.equal(listed.email_count, thread.length);
    const first = await get("?limit=1&include_body=false");
    assert.equal(first.waiting_for, waiting_for, "of the conversation, not of the page");
    if (first.next_cursor) {
      const next = await get(`?limit=1&cursor=${first.next_cursor}`);
      assert.equal(next.waiting_for, waiting_for);
    }
    const params = { name: "get_email_thread", arguments: { thread_id: threadId } };
    const { body } = await post(test, token, {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    assert.equal(body.result.structuredContent.waiting_for, waiting_for);
    return waiting_for;
  };
  const keyFor = async (...boxes: { mailbox_id: string }[]) => {
    const mailboxIds = boxes.map(({ mailbox_id }) => mailbox_id);
    return (await call("/keys", { name: "k", mailboxIds })).apiKey as string;
  };
  const copyIn = async (box: { mailbox_id: string }) =>
    (await call(`/emails?mailbox_id=${box.mailbox_id}&direction=inbound`))[0];
  return {
    ...{ test, owner, one, two, three, call, comes, send, reply, turn, keyFor, copyIn },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("GET /v1/api/threads/{id} says whose turn it is, as the list does: mail from outside, answers, programs", async () => {
  await using w = await world();
  const { comes, call, reply, turn } = w;
  const { email_id } = await comes({ Subject: "Engine" });
  const { thread_id } = await call(`/emails/${email_id}`);
  assert.equal(await turn(thread_id), "us");
  await call("/drafts", { reply_to_email_id: email_id, body_text: "A draft." });
  assert.equal(await turn(thread_id), "us", "a draft changes nothing");
  await reply(email_id);
  assert.equal(await turn(thread_id), "them");
  const about = { Subject: "Re: Engine", "In-Reply-To": "<m1@example.net>" };
  for (let n = 0; n < 60; n++) await comes({ ...about, "Auto-Submitted": "auto-replied" });
  assert.equal(await turn(thread_id), "them");
  await comes({ ...about, Date: "Mon, 01 Jan 2024 10:00:00 +0000" });
  assert.equal(await turn(thread_id), "us", "the newest by received_at, whatever its Date says");
  const program = await comes({ Subject: "Report", From: "p@example.org", Precedence: "bulk" });
  assert.equal(await turn((await call(`/emails/${program.email_id}`)).thread_id), null);
});

Deno.test("whose turn it is between three own mailboxes with a person outside, for who sees all, the receiver or the sender", async () => {
  await using w = await world();
  const { one, two, three, send, reply, turn, keyFor, copyIn, call } = w;
  const { thread_id } = await send({
    ...{ to: [two.email_address, "ann@one.example"], cc: three.email_address, subject: "Plan" },
  });
  assert.equal(await turn(thread_id), "them");
  const { thread: [only] } = await call(`/threads/${thread_id}`);
  assert.deepEqual(
    only.delivered_to.map((each: { mailbox_id: string }) => each.mailbox_id).sort(),
    [two.mailbox_id, three.mailbox_id].sort(),
  );
  assert.equal(await turn(thread_id, await keyFor(one)), "them");
  assert.equal(await turn(thread_id, await keyFor(two)), null, "an own mailbox wrote it");
  const copy = await copyIn(two);
  await reply(copy.email_id);
  assert.equal(await turn(thread_id), null, "two answered one");
  await reply(copy.email_id, { reply_all: true });
  assert.equal(await turn(thread_id), "them", "with the person outside");
  assert.equal(await turn(thread_id, await keyFor(three)), null);
});

Deno.test("the copy of a sent message that comes late does not hide the answer from outside before it", async () => {
  await using w = await world();
  const { test, owner, two, comes, send, turn, call } = w;
  const { email_id, thread_id, message_id } = await send({
    to: "ann@one.example",
    subject: "Plan",
  });
  assert.equal(await turn(thread_id), "them");
  const answers = { From: "ann@one.example", Subject: "Re: Plan", "In-Reply-To": message_id };
  await comes(answers);
  assert.equal(await turn(thread_id), "us");
  // More than are read at a time.
  for (let n = 0; n < 30; n++) await comes({ ...answers, "Auto-Submitted": "auto-replied" });
  const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
  const imported = await test.request(`/v1/api/mailboxes/${two.mailbox_id}/import`, {
    ...{ method: "POST", token: owner.key, body: await raw.arrayBuffer() },
    headers: { "content-type": "message/rfc822", "x-import-direction": "inbound" },
  });
  assert.ok(imported.ok, await imported.text());
  await test.settle();
  const { thread } = await call(`/threads/${thread_id}`);
  assert.equal(thread[0].delivered_to.length, 1);
  assert.equal(await turn(thread_id), "us");
});

Deno.test("mail that forges an own address waits for us", async () => {
  await using w = await world();
  const { one, comes, turn, call } = w;
  const { email_id } = await comes({ Subject: "Engine" });
  const { thread_id } = await call(`/emails/${email_id}`);
  await comes({
    ...{ From: one.email_address, Subject: "Re: Engine", "In-Reply-To": "<m1@example.net>" },
    Cc: "ada@example.net",
  });
  assert.equal(await turn(thread_id), "us");
});
