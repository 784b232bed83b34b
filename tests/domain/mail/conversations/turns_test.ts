import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

async function world() {
  const test = await testService();
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner, "box-one"), await mailbox(test, owner, "box-two")];
  const request = (path: string, init: object = {}) =>
    test.request(`/v1/api${path}`, { token: owner.key, ...init });
  const call = (path: string, json?: unknown, method?: string) =>
    data(request(path, { json, method }));
  let n = 0;
  /** Mail from outside; the id of its email. */
  const comes = async (fields: Record<string, string> = {}) => {
    await test.advance(1_000);
    const id = { "Message-ID": `<m${++n}@example.net>` };
    const { email_id } = await deliver(test, one.email_address, message({ ...id, ...fields }));
    await test.settle();
    return String(email_id);
  };
  const send = async (json: object) => {
    await test.advance(1_000);
    const sent = await call("/emails/send", {
      mailbox_id: one.mailbox_id,
      body_text: "t",
      ...json,
    });
    await test.settle();
    return sent;
  };
  const reply = async (id: string, json: object = {}) => {
    await test.advance(1_000);
    const sent = await call(`/emails/${id}/reply`, { body_text: "Yes.", ...json });
    await test.settle();
    return sent;
  };
  const turnOf = async (thread_id: string, query = "") =>
    (await call(`/threads?limit=100${query}`))
      .find((each: { thread_id: string }) => each.thread_id === thread_id)?.waiting_for;
  return {
    ...{ test, owner, one, two, call, request, comes, send, reply, turnOf },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const ids = (rows: { email_id: string }[]) => rows.map(({ email_id }) => email_id);

Deno.test("waiting_for goes by the newest message that is not automated", async () => {
  await using w = await world();
  const { call, comes, reply, turnOf } = w;
  const first = await comes({ Subject: "Engine" });
  const { thread_id } = await call(`/emails/${first}`);
  assert.equal(await turnOf(thread_id), "us");
  await reply(first);
  assert.equal(await turnOf(thread_id), "them");
  const about = { Subject: "Re: Engine", "In-Reply-To": "<m1@example.net>" };
  await comes({ ...about, "Auto-Submitted": "auto-replied" });
  assert.equal(await turnOf(thread_id), "them", "automatic mail does not count");
  await comes(about);
  assert.equal(await turnOf(thread_id), "us");
  const program = await comes({ Subject: "Report", From: "p@example.org", Precedence: "bulk" });
  assert.equal(await turnOf((await call(`/emails/${program}`)).thread_id), null);
  for (const [asked, found] of [["us", 1], ["them", 0]] as const) {
    assert.equal((await call(`/threads?waiting_for=${asked}`)).length, found);
  }
});

Deno.test("mail between own mailboxes waits for nobody; a blind copy that goes outside waits for them", async () => {
  await using w = await world();
  const { two, call, send, turnOf } = w;
  const within = await send({ to: two.email_address, subject: "Within" });
  assert.equal(await turnOf(within.thread_id), null);
  assert.equal(await turnOf(within.thread_id, `&mailbox_id=${two.mailbox_id}`), null);
  const blind = await send({ to: two.email_address, bcc: "ann@one.example", subject: "Blind" });
  assert.equal(await turnOf(blind.thread_id), "them");
  assert.deepEqual(await call("/threads?waiting_for=us"), []);
});

Deno.test("a message between two mailboxes is one item, the sent one; the receiver's own list has the received copy", async () => {
  await using w = await world();
  const { test, owner, one, two, call, send, reply } = w;
  const sent = await send({ to: two.email_address, subject: "Within" });
  const [copy] = await call(`/emails?mailbox_id=${two.mailbox_id}`);
  assert.equal(copy.thread_id, sent.thread_id);
  const delivered_to = [{ mailbox_id: two.mailbox_id, email_id: copy.email_id }];
  const thread = await call(`/threads/${sent.thread_id}`);
  assert.deepEqual(ids(thread.thread), [sent.email_id]);
  assert.deepEqual(thread.thread[0].delivered_to, delivered_to);
  const [listed, ...others] = await call("/threads");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [listed.email_count, listed.last_direction, listed.last_email_id, listed.is_read],
    [1, "outbound", sent.email_id, false],
    "the read state is that of the received copy",
  );
  await call(`/emails/${copy.email_id}`, { is_read: true, add_labels: ["done"] }, "PATCH");
  const [after] = await call("/threads?label=done&is_read=true");
  assert.deepEqual([after.is_read, after.labels], [true, ["done"]]);
  const [own] = await call(`/threads?mailbox_id=${two.mailbox_id}`);
  assert.deepEqual([own.last_email_id, own.last_direction], [copy.email_id, "inbound"]);
  const [senders] = await call(`/threads?mailbox_id=${one.mailbox_id}`);
  assert.equal(senders.last_email_id, sent.email_id);
  // Who does not see the sender's mailbox.
  const { apiKey } = await data(test.request("/v1/api/keys", {
    token: owner.key,
    json: { name: "two", mailboxIds: [two.mailbox_id] },
  }));
  const seen = await data(test.request(`/v1/api/threads/${sent.thread_id}`, { token: apiKey }));
  assert.deepEqual(ids(seen.thread), [copy.email_id]);
  assert.ok(!("delivered_to" in seen.thread[0]));
  await reply(copy.email_id);
  assert.equal((await call(`/threads/${sent.thread_id}`)).thread.length, 2);
});

Deno.test("pages of a conversation have each message between own mailboxes once", async () => {
  await using w = await world();
  const { two, call, request, send, reply } = w;
  const sent = await send({ to: two.email_address, subject: "Within" });
  let [{ email_id: last }] = await call(`/emails?mailbox_id=${two.mailbox_id}`);
  for (let n = 0; n < 4; n++) {
    const answer = await reply(last);
    const rows = await call(`/threads/${sent.thread_id}?limit=1000`);
    const item = rows.thread.at(-1);
    assert.equal(item.email_id, answer.email_id);
    last = item.delivered_to[0].email_id;
  }
  const whole = (await call(`/threads/${sent.thread_id}`)).thread;
  assert.equal(whole.length, 5);
  for (const limit of [1, 2, 3]) {
    const found: object[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const answer: Response = await request(`/threads/${sent.thread_id}?${query}`);
      const { data } = await answer.json();
      assert.ok(data.thread.length <= limit);
      found.push(...data.thread);
      cursor = data.next_cursor;
    }
    assert.deepEqual(found, whole);
  }
});

Deno.test("mail from outside with the Message-ID of a sent one is an item of its own", async () => {
  await using w = await world();
  const { one, call, comes, send } = w;
  const sent = await send({ to: "ada@example.net", subject: "Plan" });
  const forged = await comes({
    ...{ From: one.email_address, Subject: "Plan", "Message-ID": sent.message_id },
    Cc: "ada@example.net",
  });
  const { thread_id } = await call(`/emails/${forged}`);
  for (const id of [thread_id, sent.thread_id]) {
    const { thread } = await call(`/threads/${id}`);
    assert.ok(thread.every((each: object) => !("delivered_to" in each)));
    assert.ok(id !== thread_id || ids(thread).includes(forged));
  }
});

Deno.test("a reply that waits, is scheduled or open stands in its conversation until it is sent or canceled, and changes no turn", async () => {
  await using w = await world();
  const { test, owner, one, two, call, comes, turnOf } = w;
  const first = await comes({ Subject: "Engine" });
  const { thread_id } = await call(`/emails/${first}`);
  const draft = (json: object = {}) =>
    call("/drafts", { reply_to_email_id: first, body_text: "A", ...json });
  const open = await draft();
  const scheduled = await draft({ send_at: new Date(test.clock.now() + 3_600_000).toISOString() });
  await data(test.request(`/v1/api/mailboxes/${one.mailbox_id}/policy`, {
    ...{ method: "PUT", token: owner.accessToken, json: { approval: "always" } },
  }));
  const held = await call(`/emails/${first}/reply`, { body_text: "Held." });
  await call("/drafts", { mailbox_id: two.mailbox_id, to: "ann@one.example", body_text: "new" });
  const expected = [open.draft_id, scheduled.draft_id, held.draft_id];
  const shown = async () => {
    const { drafts } = await call(`/threads/${thread_id}`);
    const [listed] = await call("/threads");
    const shown = drafts.map(({ draft_id }: { draft_id: string }) => draft_id);
    assert.deepEqual(listed.draft_ids, shown);
    return drafts;
  };
  const drafts = await shown();
  assert.deepEqual(
    drafts.map(({ draft_id, status }: Record<string, string>) => [draft_id, status]),
    [
      ...[[expected[0], "draft"], [expected[1], "scheduled"], [expected[2], "pending_approval"]],
    ],
  );
  assert.deepEqual(
    drafts[2],
    await call(`/drafts/${held.draft_id}`),
    "it is the record of a draft",
  );
  assert.equal(await turnOf(thread_id), "us");
  assert.deepEqual(await call(`/threads?mailbox_id=${two.mailbox_id}`), []);
  await call(`/drafts/${open.draft_id}`, undefined, "DELETE");
  await data(test.request(`/v1/api/drafts/${held.draft_id}/approve`, {
    token: owner.accessToken,
    json: { content_hash: drafts[2].content_hash },
  }));
  assert.deepEqual((await shown()).map((each: { draft_id: string }) => each.draft_id), [
    scheduled.draft_id,
  ]);
  await test.advance(3_600_000);
  const left = (await shown()).map(({ status }: { status: string }) => status);
  assert.ok(left.length <= 1);
});

Deno.test("with max_chars the newest drafts that fit are there, and more_drafts says that others are not", async () => {
  await using w = await world();
  const { call, comes } = w;
  const first = await comes({ Subject: "Engine" });
  const { thread_id } = await call(`/emails/${first}`);
  const text = "long ".repeat(200);
  for (let n = 0; n < 8; n++) await call("/drafts", { reply_to_email_id: first, body_text: text });
  const all = await call(`/threads/${thread_id}`);
  assert.equal(all.drafts.length, 8);
  assert.ok(!("more_drafts" in all));
  for (const max_chars of [2_000, 10_000]) {
    const some = await call(`/threads/${thread_id}?max_chars=${max_chars}`);
    assert.ok(JSON.stringify(some).length <= max_chars);
    assert.equal(some.more_drafts, true);
    assert.deepEqual(some.drafts, all.drafts.slice(8 - some.drafts.length));
  }
});

Deno.test("pages of the list have each conversation once, also with mail between own mailboxes, filters and max_chars", async () => {
  await using w = await world();
  const { two, request, call, comes, send } = w;
  for (let n = 0; n < 6; n++) {
    await comes({ Subject: `Outside ${n}`, From: `p${n}@example.org` });
    await send({ to: two.email_address, subject: `Within ${n}` });
  }
  const whole = await call("/threads?limit=100");
  assert.equal(whole.length, 12);
  const paged = async (query: string) => {
    const found: object[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const answer: Response = await request(`/threads?${query}${cursor && `&cursor=${cursor}`}`);
      const { data, meta } = await answer.json();
      found.push(...data);
      cursor = meta.next_cursor;
    }
    return found;
  };
  for (const query of ["limit=1", "limit=5", "limit=100&max_chars=2000"]) {
    assert.deepEqual(await paged(query), whole, query);
  }
  const ours = whole.filter(({ waiting_for }: { waiting_for: string }) => waiting_for === "us");
  assert.equal(ours.length, 6);
  assert.deepEqual(await paged("limit=2&waiting_for=us"), ours);
});
