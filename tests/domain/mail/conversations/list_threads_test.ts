import assert from "node:assert/strict";
import { People } from "../../../../domain/mail/conversations/people.ts";
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

async function pageOf(test: TestService, owner: TestAccount, query = "") {
  const answer = await test.request(`/api/threads${query}`, { token: owner.accessToken });
  const body = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(body));
  return body;
}

// SPEC: dashboard.threads
Deno.test("conversations are listed once, by their newest message, with people, count and whose turn it is", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const post = async (fields: Record<string, string>) => {
    await test.advance(1_000);
    const { email_id } = await deliver(test, box.email_address, message(fields));
    await test.settle();
    return email_id;
  };
  const first = await post({ Subject: "Engine", "Message-ID": "<a@example.net>" });
  await post({ Subject: "Other", From: "Bob <bob@example.org>", "Message-ID": "<o@example.org>" });
  const last = await post({
    Subject: "Re: Engine",
    From: "Eve <eve@example.net>",
    Cc: "ada@example.net",
    "In-Reply-To": "<a@example.net>",
  });
  const { thread_id } = await data(test.request(`/v1/api/emails/${first}`, { token: owner.key }));
  const before = await pageOf(test, owner);
  assert.deepEqual(before.meta, { limit: 20, has_more: false, next_cursor: null });
  assert.deepEqual(before.data.map((each: { subject: string }) => each.subject), [
    "Re: Engine",
    "Other",
  ]);
  assert.deepEqual(before.data[0], {
    thread_id,
    subject: "Re: Engine",
    participants: [
      { address: "eve@example.net", name: "Eve" },
      { address: "agent@agents.test", name: "" },
      { address: "ada@example.net", name: "Ada" },
    ],
    email_count: 2,
    last_email_id: last,
    last_email: "2026-11-20T10:00:03.000Z",
    last_direction: "inbound",
    snippet: "Hello.",
    is_read: false,
    labels: [],
    waiting_for: "us",
    draft_ids: [],
  });
  await test.advance(1_000);
  const sent = await test.request(`/v1/api/emails/${first}/reply`, {
    token: owner.key,
    json: { body_text: "Thank you." },
  });
  assert.equal(sent.status, 201);
  const [answered] = (await pageOf(test, owner)).data;
  assert.deepEqual(
    [answered.thread_id, answered.email_count, answered.last_direction, answered.waiting_for],
    [thread_id, 3, "outbound", "them"],
  );
});

// SPEC: dashboard.threads
Deno.test("pages have each conversation once, even if there are long ones between them", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 24; n++) {
    await test.advance(1_000);
    const thread = n % 7;
    await deliver(
      test,
      box.email_address,
      message({
        Subject: `Re: Subject ${thread}`,
        "Message-ID": `<m${n}@example.net>`,
        References: `<root${thread}@example.net>`,
      }),
    );
  }
  await test.settle();
  const whole = (await pageOf(test, owner)).data;
  assert.equal(whole.length, 7);
  assert.equal(
    whole.reduce((sum: number, { email_count }: { email_count: number }) => sum + email_count, 0),
    24,
  );
  for (const limit of [1, 2, 3]) {
    const found = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { data, meta } = await pageOf(
        test,
        owner,
        `?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`,
      );
      assert.ok(data.length <= limit && data.length > 0);
      found.push(...data);
      cursor = meta.next_cursor;
    }
    assert.deepEqual(found, whole);
  }
});

Deno.test("conversations of one mailbox, of another account's and of a deleted one", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const one = await mailbox(test, owner), other = await mailbox(test, owner);
  await deliver(test, one.email_address, message({ Subject: "One" }));
  await deliver(test, other.email_address, message({ Subject: "Other", From: "bob@example.org" }));
  await test.settle();
  const subjects = async (query = "") =>
    (await pageOf(test, owner, query)).data.map((each: { subject: string }) => each.subject);
  assert.deepEqual(await subjects(`?mailbox_id=${one.mailbox_id}`), ["One"]);
  assert.deepEqual((await subjects()).sort(), ["One", "Other"]);
  assert.deepEqual((await pageOf(test, stranger)).data, []);
  const foreign = `/api/threads?mailbox_id=${one.mailbox_id}`;
  assert.equal((await test.request(foreign, { token: stranger.accessToken })).status, 404);
  for (const query of ["?limit=0", "?cursor=nonsense", "?mailbox=x"]) {
    const answer = await test.request(`/api/threads${query}`, { token: owner.accessToken });
    assert.equal(answer.status, 400, query);
  }
  await test.request(`/v1/api/mailboxes/${one.mailbox_id}`, {
    method: "DELETE",
    token: owner.key,
    json: { confirm_email_address: one.email_address },
  });
  assert.deepEqual(await subjects(), ["Other"]);
});

Deno.test("the people of a conversation are without own addresses: with a tag, and those that were renamed or deleted", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, other, gone] = await Promise.all(
    ["first-box", "other-box", "gone-box"].map((name) => mailbox(test, owner, name)),
  );
  await deliver(
    test,
    box.email_address,
    message({
      To: "First-Box+orders@agents.test, other-box@agents.test",
      Cc: "gone-box@agents.test, Eve <eve@example.net>",
    }),
  );
  const changed = [
    test.request(`/api/mailboxes/${other.mailbox_id}`, {
      method: "PATCH",
      token: owner.accessToken,
      json: { local_part: "renamed-box", domain: "agents.test" },
    }),
    test.request(`/v1/api/mailboxes/${gone.mailbox_id}`, {
      method: "DELETE",
      token: owner.key,
      json: { confirm_email_address: gone.email_address },
    }),
  ];
  for (const { status } of await Promise.all(changed)) assert.equal(status, 200);
  const [{ participants }] = (await pageOf(test, owner)).data;
  assert.deepEqual(participants, [
    { address: "ada@example.net", name: "Ada" },
    { address: "eve@example.net", name: "Eve" },
  ]);
});

Deno.test("a long conversation with many recipients is read in parts, and its latest people are those of its newest messages", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const others = Array.from({ length: 150 }, (_, n) => `p${n}@example.org`).join(", ");
  const root = { "Message-ID": "<root@example.net>", Subject: "Plan" };
  await deliver(test, box.email_address, message({ ...root, From: "early@example.net" }));
  for (let n = 1; n < 300; n++) {
    const reply = { Subject: "Re: Plan", "In-Reply-To": "<root@example.net>" };
    const from = `From ${n} <w${n}@example.net>`;
    await deliver(test, box.email_address, message({ ...reply, From: from, To: others }));
  }
  await test.settle();
  const { database } = test.service;
  const getMany = database.getMany.bind(database);
  let most = 0;
  database.getMany = (rows) => {
    most = Math.max(most, rows.length);
    return getMany(rows);
  };
  const { data: [only], meta } = await pageOf(test, owner);
  assert.ok(most <= 250, `${most} rows at once`);
  assert.equal(meta.has_more, false);
  assert.ok(only.email_count >= 299);
  assert.equal(only.participants.length, 50);
  assert.deepEqual(only.participants.slice(0, 2), [
    { address: "w299@example.net", name: "From 299" },
    { address: "p0@example.org", name: "" },
  ]);
});

Deno.test("of the recipients of a conversation 2,000 are looked at, and 100 people are kept", () => {
  const people = new People();
  const to = Array.from({ length: 400 }, (_, n) => ({ address: `p${n}@example.org`, name: "" }));
  const from = { address: "a@example.net", name: "" };
  for (let n = 0; n < 1_000; n++) people.add({ from, to, cc: [] });
  assert.equal(people.looked, 2_000);
  assert.equal(people.found.length, 100);
});
