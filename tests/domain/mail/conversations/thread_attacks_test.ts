import assert from "node:assert/strict";
import { post } from "../../../routes/mcp/post.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

// deno-lint-ignore no-explicit-any -- tests look at whatever came back
type Row = any;

async function world() {
  const test = await testService();
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner, "box-one"), await mailbox(test, owner, "box-two")];
  const call = (path: string, json?: unknown, method?: string, token = owner.key) =>
    data(test.request(`/v1/api${path}`, { token, json, method }));
  const pageOf = async (query: string, { path = "/v1/api/threads", token = owner.key } = {}) => {
    const answer = await test.request(`${path}?${query}`, { token });
    const body = await answer.json();
    assert.equal(answer.status, 200, JSON.stringify(body));
    return body;
  };
  let n = 0;
  const comes = async (fields: Record<string, string> = {}, box = one) => {
    await test.advance(1_000);
    const id = { "Message-ID": `<m${++n}@example.net>` };
    const { email_id } = await deliver(test, box.email_address, message({ ...id, ...fields }));
    await test.settle();
    return String(email_id);
  };
  const tool = async (name: string, args: object) => {
    const message = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    };
    const { body } = await post(test, owner.key, message, { path: "/v1/mcp?toolset=full" });
    assert.ok(body.result?.structuredContent, JSON.stringify(body));
    return body.result.structuredContent;
  };
  return {
    ...{ test, owner, one, two, call, pageOf, comes, tool },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("GET /v1/api/threads, GET /api/threads and list_threads say the same, page by page and filter by filter", async () => {
  await using w = await world();
  const { test, owner, two, call, pageOf, comes, tool } = w;
  for (let n = 0; n < 5; n++) {
    const id = await comes({ Subject: `Outside ${n}`, From: `p${n}@example.org` });
    if (n % 2) await call(`/emails/${id}`, { is_read: true, add_labels: ["odd"] }, "PATCH");
    if (n === 3) await call(`/emails/${id}/reply`, { body_text: "Yes." });
    if (n === 4) await call("/drafts", { reply_to_email_id: id, body_text: "A draft." });
  }
  await comes({ Subject: "Elsewhere", From: "q@example.org" }, two);
  await test.settle();
  const filters: Record<string, string>[] = [
    ...[{}, { label: "odd" }, { label: "ODD" }, { is_read: "true" }, { is_read: "false" }],
    ...[{ waiting_for: "us" }, { waiting_for: "them" }, { mailbox_id: two.mailbox_id }],
    ...[{ mailbox_id: two.email_address }, { label: "odd", waiting_for: "us", is_read: "true" }],
    { label: "none" },
  ];
  for (const filter of filters) {
    for (const limit of [2, 100]) {
      let cursor: string | null = null;
      do {
        const query: string = `${new URLSearchParams({
          ...filter,
          limit: String(limit),
          ...cursor && { cursor },
        })}`;
        const [v1, own] = [
          await pageOf(query),
          await pageOf(query, { path: "/api/threads", token: owner.accessToken }),
        ];
        assert.deepEqual(v1, own);
        const { is_read, ...others } = filter;
        const asked = { ...others, ...is_read && { is_read: is_read === "true" }, limit };
        const found = await tool("list_threads", { ...asked, ...cursor && { cursor } });
        const { has_more, next_cursor } = v1.meta;
        assert.deepEqual(found, { threads: v1.data, has_more, next_cursor });
        cursor = next_cursor;
      } while (cursor);
    }
  }
});

Deno.test("conversations that merge are one item with both counts, labels and drafts, under either id", async () => {
  await using w = await world();
  const { test, call, pageOf, comes } = w;
  const first = await comes({ Subject: "Engine" });
  const second = await comes({ Subject: "Wheels" });
  const threadOf = async (id: string) => (await call(`/emails/${id}`)).thread_id;
  const [a, b] = [await threadOf(first), await threadOf(second)];
  assert.notEqual(a, b);
  await call(`/emails/${first}`, { add_labels: ["engine"], is_read: true }, "PATCH");
  await call(`/emails/${second}`, { add_labels: ["wheels"] }, "PATCH");
  const drafts = [];
  for (const id of [first, second]) {
    drafts.push((await call("/drafts", { reply_to_email_id: id, body_text: "t" })).draft_id);
  }
  const third = await comes({
    Subject: "Re: Engine and wheels",
    References: "<m1@example.net> <m2@example.net>",
    "In-Reply-To": "<m2@example.net>",
  });
  await test.settle();
  const { data: [listed, ...others] } = await pageOf("");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [listed.email_count, listed.labels, listed.is_read, listed.draft_ids, listed.last_email_id],
    [3, ["engine", "wheels"], false, drafts, third],
  );
  for (const id of [a, b]) {
    const thread = await call(`/threads/${id}`);
    assert.equal(thread.thread_id, listed.thread_id);
    assert.deepEqual(thread.thread.map((each: Row) => each.email_id), [first, second, third]);
    assert.deepEqual(thread.drafts.map((each: Row) => each.draft_id), drafts);
    assert.equal(thread.waiting_for, "us");
  }
  assert.deepEqual((await pageOf("label=engine")).data, (await pageOf("label=wheels")).data);
});

Deno.test("pages go on while mail arrives: nothing is listed twice, and what did not change is listed", async () => {
  await using w = await world();
  const { pageOf, comes } = w;
  for (let n = 0; n < 9; n++) await comes({ Subject: `S${n}`, From: `p${n}@example.org` });
  const seen: string[] = [];
  let cursor: string | null = null, came = 0;
  do {
    const { data, meta }: Row = await pageOf(`limit=2${cursor ? `&cursor=${cursor}` : ""}`);
    seen.push(...data.map((each: Row) => each.subject));
    cursor = meta.next_cursor;
    // A new conversation, an answer in one that was listed, and one in a conversation that was not.
    await comes({ Subject: `New ${came}`, From: `n${came}@example.org` });
    if (came === 0) {
      await comes({ Subject: "Re: S8", From: "p8@example.org", "In-Reply-To": "<m9@example.net>" });
      await comes({ Subject: "Re: S2", From: "p2@example.org", "In-Reply-To": "<m3@example.net>" });
    }
    came++;
  } while (cursor);
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen, ["S8", "S7", "S6", "S5", "S4", "S3", "S1", "S0"]);
  const [first] = (await pageOf("limit=100")).data.map((each: Row) => each.subject);
  assert.match(first, /^New/);
});

Deno.test("a sent message that is marked unread does not make its conversation unread", async () => {
  await using w = await world();
  const { call, pageOf, comes } = w;
  const id = await comes({ Subject: "Engine" });
  await call(`/emails/${id}`, { is_read: true }, "PATCH");
  const sent = await call(`/emails/${id}/reply`, { body_text: "Yes." });
  await call(`/emails/${sent.email_id}`, { is_read: false }, "PATCH");
  assert.equal((await pageOf("")).data[0].is_read, true);
});

Deno.test("the conversation of a deleted mailbox is gone, and of a shared one its other half stands", async () => {
  await using w = await world();
  const { test, owner, one, two, call, pageOf, comes } = w;
  await comes({ Subject: "Engine" });
  const mail = { mailbox_id: one.mailbox_id, to: two.email_address, body_text: "t", subject: "In" };
  const sent = await call("/emails/send", mail);
  await test.settle();
  const gone = await test.request(`/v1/api/mailboxes/${one.mailbox_id}`, {
    ...{ method: "DELETE", token: owner.key },
    json: { confirm_email_address: one.email_address },
  });
  assert.equal(gone.status, 200);
  for (let run = 0; run < 2; run++) {
    const { data: listed } = await pageOf("");
    assert.deepEqual(
      listed.map((each: Row) => [each.subject, each.last_direction, each.waiting_for]),
      [["In", "inbound", null]],
    );
    const { thread, waiting_for } = await call(`/threads/${sent.thread_id}`);
    assert.equal(thread.length, 1);
    assert.ok(!("delivered_to" in thread[0]));
    assert.equal(waiting_for, null);
    await test.settle();
  }
});

Deno.test("a key for the sender's mailbox sees the sent message without copies, one for the receiver's the copy; neither sees drafts of the other", async () => {
  await using w = await world();
  const { test, one, two, call, pageOf } = w;
  const mail = { mailbox_id: one.mailbox_id, to: two.email_address, body_text: "t", subject: "In" };
  const sent = await call("/emails/send", mail);
  await test.settle();
  const [copy] = await call(`/emails?mailbox_id=${two.mailbox_id}`);
  const draft = await call("/drafts", { reply_to_email_id: copy.email_id, body_text: "A draft." });
  const keyFor = async (mailbox_id: string) =>
    (await call("/keys", { name: "k", mailboxIds: [mailbox_id] })).apiKey as string;
  for (
    const [box, emailId, drafts] of [
      [one, sent.email_id, []],
      [two, copy.email_id, [draft.draft_id]],
    ] as const
  ) {
    const token = await keyFor(box.mailbox_id);
    const { data: [listed, ...others] } = await pageOf("", { token });
    assert.deepEqual(others, []);
    assert.deepEqual([listed.last_email_id, listed.draft_ids], [emailId, drafts]);
    const { thread, ...rest } = await call(
      `/threads/${sent.thread_id}`,
      ...[undefined, "GET", token],
    );
    assert.deepEqual(thread.map((each: Row) => each.email_id), [emailId]);
    assert.ok(!("delivered_to" in thread[0]));
    assert.deepEqual(rest.drafts.map((each: Row) => each.draft_id), drafts);
  }
  const { thread } = await call(`/threads/${sent.thread_id}`);
  assert.deepEqual(thread[0].delivered_to, [
    { mailbox_id: two.mailbox_id, email_id: copy.email_id },
  ]);
});

Deno.test("one message to tags and the plain address of another own mailbox is one copy", async () => {
  await using w = await world();
  const { test, one, two, call } = w;
  const to = [two.email_address, "box-two+a@agents.test", "Box-Two+B@agents.test"];
  const mail = { mailbox_id: one.mailbox_id, to, body_text: "t", subject: "In" };
  const sent = await call("/emails/send", mail);
  await test.settle();
  const shown = await call(`/emails/${sent.email_id}`);
  assert.equal(shown.status, "sent");
  const copies = await call(`/emails?mailbox_id=${two.mailbox_id}`);
  assert.equal(copies.length, 1);
  assert.deepEqual(
    copies[0].envelope_to.map((each: string) => each.toLowerCase()).sort(),
    to.map((each) => each.toLowerCase()).sort(),
  );
  const { thread } = await call(`/threads/${sent.thread_id}`);
  assert.deepEqual(thread[0].delivered_to, [
    { mailbox_id: two.mailbox_id, email_id: copies[0].email_id },
  ]);
});
