import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../../service.ts";

/** One service for all: each test has its own mailbox and message ids. */
async function it(run: (conversation: Conversation) => Promise<void>): Promise<void> {
  const test = shared ??= await testService();
  const owner = ownerOfAll ??= await account(test);
  const box = await mailbox(test, owner);
  serial++;
  await run({
    test,
    owner,
    box,
    id: (name) => `<${name}.${serial}@example.net>`,
    async take(fields, to = box.email_address) {
      const taken = await deliver(test, to, message({ To: to, ...fields }, `${Math.random()}\n`));
      assert.equal(taken.disposition, "accepted");
      return taken.email_id;
    },
    async threadOf(emailId, token = owner.key) {
      return (await data(test.request(`/v1/api/emails/${emailId}`, { token }))).thread_id;
    },
    async thread(threadId) {
      const answer = await test.request(`/v1/api/threads/${threadId}`, { token: owner.key });
      if (answer.status === 404) return null;
      const { thread } = await data(answer);
      return thread.map((each: { email_id: string }) => each.email_id);
    },
  });
}
interface Conversation {
  test: TestService;
  owner: TestAccount;
  box: { mailbox_id: string; email_address: string };
  id(name: string): string;
  take(fields: Record<string, string>, to?: string): Promise<string>;
  threadOf(emailId: string, token?: string): Promise<string>;
  thread(threadId: string): Promise<string[] | null>;
}
let shared: TestService | undefined;
let ownerOfAll: TestAccount | undefined;
let serial = 0;

const date = (minute: number) => new Date(Date.UTC(2026, 10, 19, 8, minute)).toUTCString();
// All tests share the service: the last one ends it.
const options = { sanitizeOps: false, sanitizeResources: false };
function test(name: string, run: (conversation: Conversation) => Promise<void>): void {
  Deno.test(name, options, () => it(run));
}

// SPEC: threads.join
test("a reply joins its parent by References and by In-Reply-To alone", async (c) => {
  const parent = await c.take({ "Message-ID": c.id("p"), Date: date(0) });
  const one = await c.take({ References: c.id("p"), "Message-ID": c.id("a"), Date: date(1) });
  const two = await c.take({ "In-Reply-To": c.id("p"), "Message-ID": c.id("b"), Date: date(2) });
  assert.deepEqual(await c.thread(await c.threadOf(parent)), [parent, one, two]);
});

// SPEC: threads.join
test("children that come before their parent end in one thread with it", async (c) => {
  const grandchild = await c.take({
    References: `${c.id("p")} ${c.id("a")}`,
    "Message-ID": c.id("b"),
    Date: date(2),
  });
  const child = await c.take({ References: c.id("p"), "Message-ID": c.id("a"), Date: date(1) });
  const parent = await c.take({ "Message-ID": c.id("p"), Date: date(0) });
  const threadId = await c.threadOf(grandchild);
  assert.deepEqual(await c.thread(threadId), [parent, child, grandchild]);
  assert.equal(await c.threadOf(parent), threadId);
});

// SPEC: threads.merge
test("a message that names two threads merges them: the older id stays, the other still works", async (c) => {
  const first = await c.take({ "Message-ID": c.id("1"), Date: date(0) });
  const second = await c.take({ "Message-ID": c.id("2"), Date: date(1) });
  const [older, other] = [await c.threadOf(first), await c.threadOf(second)];
  assert.notEqual(older, other);
  const both = await c.take({ References: `${c.id("2")} ${c.id("1")}`, Date: date(2) });
  // At once, before the job has moved a message, and after it.
  assert.deepEqual(await c.thread(older), [first, second, both]);
  assert.deepEqual(await c.thread(other), [first, second, both]);
  await c.test.settle();
  assert.deepEqual(await c.thread(other), [first, second, both]);
  for (const each of [first, second, both]) assert.equal(await c.threadOf(each), older);
  const listed = await c.test.request(`/v1/api/emails?thread_id=${other}`, { token: c.owner.key });
  const ids = (await listed.json()).data.map((each: { email_id: string }) => each.email_id);
  assert.deepEqual(ids, [both, second, first]);
});

test("merged threads that are merged again are one, under the oldest id", async (c) => {
  const ids = [];
  for (const n of [0, 1, 2, 3]) {
    ids.push(await c.take({ "Message-ID": c.id(`${n}`), Date: date(n) }));
  }
  const oldest = await c.threadOf(ids[0]);
  const youngest = await c.threadOf(ids[3]);
  ids.push(await c.take({ References: `${c.id("2")} ${c.id("3")}`, Date: date(4) }));
  ids.push(await c.take({ References: `${c.id("0")} ${c.id("1")}`, Date: date(5) }));
  ids.push(await c.take({ References: `${c.id("1")} ${c.id("3")}`, Date: date(6) }));
  assert.deepEqual(await c.thread(youngest), ids);
  await c.test.settle();
  assert.deepEqual(await c.thread(youngest), ids);
  assert.deepEqual(await c.thread(oldest), ids);
});

test("a hundred references are one thread with each of them", async (c) => {
  const references = Array.from({ length: 100 }, (_, n) => c.id(`r${n}`));
  const one = await c.take({ References: references.join(" "), Date: date(0) });
  const early = await c.take({ "Message-ID": c.id("r1"), Date: date(1) });
  const late = await c.take({ "In-Reply-To": c.id("r98"), Date: date(2) });
  assert.deepEqual(await c.thread(await c.threadOf(one)), [one, early, late]);
});

// SPEC: threads.order
test("a thread is shown by date, ties by arrival", async (c) => {
  const later = await c.take({ "Message-ID": c.id("p"), Date: date(9) });
  const tied = await c.take({ References: c.id("p"), Date: date(9) });
  const earlier = await c.take({ References: c.id("p"), Date: date(1) });
  const ancient = await c.take({ References: c.id("p"), Date: "Thu, 1 Jan 1960 00:00:00 +0000" });
  assert.deepEqual(await c.thread(await c.threadOf(later)), [ancient, earlier, later, tied]);
});

// SPEC: threads.accounts
test("nothing joins across accounts, whatever the headers claim", async (c) => {
  const mine = await c.take({ "Message-ID": c.id("p"), Subject: "Re: shared subject" });
  const stranger = await account(c.test);
  const box = await mailbox(c.test, stranger);
  const fields = { References: c.id("p"), "In-Reply-To": c.id("p"), Subject: "Re: shared subject" };
  const theirs = await c.take(fields, box.email_address);
  const foreign = await c.threadOf(theirs, stranger.key);
  assert.notEqual(foreign, await c.threadOf(mine));
  assert.deepEqual(await c.thread(await c.threadOf(mine)), [mine]);
  assert.equal(await c.thread(foreign), null);
});

const bob = { From: "Bob <bob@example.com>" };

// SPEC: threads.subject
test("without headers a reply prefix, the subject and a participant join within 30 days", async (c) => {
  const parent = await c.take({ ...bob, Subject: "Lunch  on Friday" });
  const reply = await c.take({ ...bob, Subject: "RE: Re[2]: lunch on friday" });
  const german = await c.take({ ...bob, Subject: "AW: Lunch on Friday" });
  const italian = await c.take({ ...bob, Subject: "R: Lunch on Friday" });
  const marked = await c.take({ ...bob, Subject: "[EXTERNAL] RE: Lunch on Friday" });
  const all = [parent, reply, german, italian, marked];
  assert.deepEqual(await c.thread(await c.threadOf(parent)), all);
});

const apart: [string, Record<string, string>][] = [
  ["without a reply prefix", { ...bob, Subject: "Plans" }],
  ["from somebody else", { From: "eve@example.com", Subject: "Re: Plans" }],
  ["from somebody else who writes about the language", {
    From: "eve@example.com",
    Subject: "R: Plans",
  }],
  ["with the mark of a gateway alone", { ...bob, Subject: "[EXTERNAL] Plans" }],
  ["under another subject", { ...bob, Subject: "Re: Other plans" }],
  ["forwarded", { ...bob, Subject: "Fwd: Plans" }],
  ["with a reference to something unknown", {
    ...bob,
    Subject: "Re: Plans",
    References: "<unknown@example.net>",
  }],
];
for (const [what, fields] of apart) {
  test(`the same subject ${what} is another thread`, async (c) => {
    const parent = await c.take({ ...bob, Subject: "Plans" });
    const other = await c.take(fields);
    assert.notEqual(await c.threadOf(other), await c.threadOf(parent));
  });
}

// SPEC: threads.subject
test("the mailbox itself is no common participant, and an empty subject joins nothing", async (c) => {
  const parent = await c.take({ ...bob, Subject: "Plans" });
  const other = await c.take({ From: "eve@example.com", Subject: "Re: Plans" });
  assert.notEqual(await c.threadOf(other), await c.threadOf(parent));
  const empty = await c.take({ ...bob, Subject: "Re: " });
  const empty2 = await c.take({ ...bob, Subject: "Re: Re:" });
  assert.notEqual(await c.threadOf(empty), await c.threadOf(empty2));
});

test("the same subject in another mailbox of the account is another thread", async (c) => {
  const parent = await c.take({ ...bob, Subject: "Plans" });
  const second = await mailbox(c.test, c.owner);
  const other = await c.take({ ...bob, Subject: "Re: Plans" }, second.email_address);
  assert.notEqual(await c.threadOf(other), await c.threadOf(parent));
});

test("a message that names a hundred conversations is taken, and makes them one", async (c) => {
  const names = Array.from({ length: 100 }, (_, n) => c.id(`part${n}`));
  const ids: string[] = [];
  for (const name of names) ids.push(await c.take({ "Message-ID": name, Date: date(0) }));
  ids.push(await c.take({ References: names.join("\r\n "), Date: date(1) }));
  await c.test.settle();
  const threadId = await c.threadOf(ids[0]);
  assert.equal(await c.threadOf(ids[99]), threadId);
  assert.deepEqual(await c.thread(threadId), ids);
});

// SPEC: threads.pages
test("a thread answers in pages, oldest first, none twice", async (c) => {
  const ids = [];
  for (let n = 0; n < 7; n++) {
    ids.push(await c.take({ References: c.id("p"), Date: date(n % 3) }));
  }
  const threadId = await c.threadOf(ids[0]);
  const whole = await c.thread(threadId);
  const paged: string[] = [];
  let cursor = "";
  do {
    const path = `/v1/api/threads/${threadId}?limit=3${cursor && `&cursor=${cursor}`}`;
    const page = await data(c.test.request(path, { token: c.owner.key }));
    paged.push(...page.thread.map((each: { email_id: string }) => each.email_id));
    assert.equal(page.has_more, page.next_cursor !== null);
    cursor = page.next_cursor ?? "";
  } while (cursor);
  assert.deepEqual(paged, whole);
});

test("of many conversations with one subject and many people, the newest ten are joined, and their row stays small", async (c) => {
  const people = (n: number) =>
    Array.from({ length: 100 }, (_, i) => `guest${i}@club${n}.example`).join(", ");
  const parents: string[] = [];
  for (let n = 0; n < 12; n++) {
    const fields = { From: `host@club${n}.example`, Cc: people(n), Subject: "Party" };
    parents.push(await c.take(fields));
  }
  const { service: { database }, kv } = c.test;
  await database.settled();
  const sizes: number[] = [];
  for await (
    const { key, value } of kv.list({
      prefix: keys.threadsOfSubjects(c.owner.userId, c.box.mailbox_id),
    })
  ) {
    sizes.push(JSON.stringify([key, value]).length);
  }
  assert.ok(sizes.length === 1 && sizes[0] < 8_000, `${sizes}`);
  const reply = (n: number) => c.take({ From: `host@club${n}.example`, Subject: "Re: Party" });
  assert.equal(await c.threadOf(await reply(2)), await c.threadOf(parents[2]));
  assert.notEqual(await c.threadOf(await reply(1)), await c.threadOf(parents[1]));
});

// This test advances the clock that all share: it is the last one.
// SPEC: threads.subject
test("after 30 days the same subject is another thread", async (c) => {
  const parent = await c.take({ ...bob, Subject: "Plans" });
  await c.test.advance(29 * 86_400_000);
  const within = await c.take({ ...bob, Subject: "Re: Plans" });
  assert.equal(await c.threadOf(within), await c.threadOf(parent));
  await c.test.advance(31 * 86_400_000);
  const after = await c.take({ ...bob, Subject: "Re: Plans" });
  assert.notEqual(await c.threadOf(after), await c.threadOf(parent));
  await c.test[Symbol.asyncDispose]();
});
