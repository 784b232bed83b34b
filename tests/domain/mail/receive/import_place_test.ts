import assert from "node:assert/strict";
import { importMail } from "../../../imports.ts";
import { storedOrder } from "../../../../domain/mail/record/stored_order.ts";
import { systemIds } from "../../../../domain/core/ids.ts";
import { sweepRegularly } from "../../../../workers/sweep.ts";
import { eventually } from "../../../eventually.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

const dayMs = 86_400_000;

async function setup(options = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const get = (path: string) => data(test.request(path, { token: owner.key }));
  const subjects = async (query = "") => {
    const emails = await get(`/v1/api/emails?limit=100${query}`);
    return emails.map(({ subject }: { subject: string }) => subject);
  };
  const arrive = async (subject: string) =>
    (await deliver(test, box.email_address, message({ Subject: subject }))).email_id;
  const bring = async (subject: string, fields = {}, state = {}) => {
    const raw = message({ Subject: subject, ...fields }, `About ${subject}.\n`);
    const result = await importMail(test, owner.key, box, raw, state);
    assert.equal(result.disposition, "accepted", JSON.stringify(result));
    return result.email_id;
  };
  return { test, owner, box, get, subjects, arrive, bring };
}

// SPEC: import.place
Deno.test("the time of an import is that of its header, else of the newest Received field, else of Date, else now", async () => {
  const w = await setup();
  await using test = w.test;
  const now = new Date(test.clock.now()).toISOString();
  const received = (date: string) => `from a.example by b.example (x; y) with SMTP; ${date}`;
  const date = { Date: "Tue, 02 Jan 2018 03:04:05 +0000" };
  const hops = {
    ...date,
    Received: [
      received("Wed, 03 Jan 2018 10:00:02 +0100"),
      `Received: ${received("Wed, 03 Jan 2018 10:00:00 +0100 (CET)")}`,
    ].join("\r\n"),
  };
  const cases: [string, object, object, string][] = [
    [
      "header",
      hops,
      { "received-at": "2017-05-06T07:08:09.250-02:00" },
      "2017-05-06T09:08:09.250Z",
    ],
    ["hops", hops, {}, "2018-01-03T09:00:02.000Z"],
    ["date", date, {}, "2018-01-02T03:04:05.000Z"],
    ["no date in Received", { ...date, Received: "by b.example" }, {}, "2018-01-02T03:04:05.000Z"],
    ["nothing", {}, {}, now],
    ["future header", date, { "received-at": "2100-01-01T00:00:00Z" }, now],
    ["future Date", { Date: "Fri, 01 Jan 2100 00:00:00 +0000" }, {}, now],
    ["before 1970", {}, { "received-at": "1969-07-20T20:17:40Z" }, "1970-01-01T00:00:00.000Z"],
  ];
  for (const [subject, fields, state, expected] of cases) {
    const { received_at } = await w.get(`/v1/api/emails/${await w.bring(subject, fields, state)}`);
    assert.equal(received_at, expected, subject);
  }
});

// SPEC: import.place
Deno.test("imports stand at their time in lists, pages, offsets, threads, conversations and searches, in whatever order they come", async () => {
  const w = await setup();
  await using test = w.test;
  await w.arrive("live 1");
  await test.advance(60_000);
  await w.arrive("live 2");
  const years = [2014, 2019, 2012, 2023, 2016, 2021, 2013, 2018, 2020, 2015, 2022, 2017];
  const root = "<root@example.net>";
  for (const year of years) {
    const Date = `Mon, 05 May ${year} 10:00:00 +0000`;
    await w.bring(`old ${year}`, { Date, "Message-ID": `<${year}@example.net>`, References: root });
  }
  await w.bring("between", {}, { "received-at": "2026-11-20T10:00:30Z" });
  await test.settle();
  const expected = [
    ...["live 2", "between", "live 1"],
    ...years.toSorted().reverse().map((year) => `old ${year}`),
  ];
  for (const all of ["", `&mailbox_id=${w.box.mailbox_id}`]) {
    assert.deepEqual(await w.subjects(all), expected);
    assert.deepEqual(await w.subjects(`${all}&order=asc`), expected.toReversed());
    for (let offset = 0; offset < expected.length; offset++) {
      assert.deepEqual(await w.subjects(`${all}&offset=${offset}`), expected.slice(offset));
    }
  }
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer: Response = await test.request(
      `/v1/api/emails?limit=4${cursor && `&cursor=${cursor}`}`,
      { token: w.owner.key },
    );
    const page = await answer.json();
    paged.push(...page.data.map(({ subject }: { subject: string }) => subject));
    cursor = page.meta.next_cursor;
  }
  assert.deepEqual(paged, expected);
  const [{ thread_id }] = await w.get("/v1/api/emails?subject=old%202012");
  const { thread } = await w.get(`/v1/api/threads/${thread_id}`);
  assert.deepEqual(
    thread.map(({ subject }: { subject: string }) => subject),
    years.toSorted().map((year) => `old ${year}`),
  );
  const conversations = await test.request("/api/threads", { headers: { cookie: w.owner.cookie } });
  const threads = await data(conversations);
  const old = threads.find((each: { thread_id: string }) => each.thread_id === thread_id);
  assert.deepEqual([old.subject, old.email_count], ["old 2023", years.length]);
  assert.equal(old.last_email, "2023-05-05T10:00:00.000Z");
  assert.equal(threads.at(-1).thread_id, thread_id);
  const search = await test.request("/v1/api/search", {
    token: w.owner.key,
    json: { query: "old", date_from: "2015-01-01", date_to: "2016-12-31" },
  });
  const { results } = await search.json();
  assert.deepEqual(
    results.map(({ subject }: { subject: string }) => subject).sort(),
    ["old 2015", "old 2016"],
  );
  const stats = (await (await test.request("/api/mailboxes", {
    headers: { cookie: w.owner.cookie },
  })).json()).mailboxes[0];
  assert.deepEqual(
    [stats.email_count, stats.last_email_date],
    [expected.length, "2026-11-20T10:01:00.000Z"],
  );
});

Deno.test("an imported reply without references joins a thread of 30 days before or after it, and none of years later", async () => {
  const w = await setup();
  await using test = w.test;
  const thread = async (id: string) => (await w.get(`/v1/api/emails/${id}`)).thread_id;
  const live = await thread(await w.arrive("Plans"));
  const at = (date: string) => ({ "received-at": `${date}T00:00:00Z` });
  const old = await thread(await w.bring("Re: Plans", {}, at("2016-02-01")));
  assert.notEqual(old, live);
  assert.equal(
    await thread(await w.bring("Re: Plans", { Cc: "x@a.example" }, at("2016-01-10"))),
    old,
  );
  assert.equal(
    await thread(await w.bring("Re: Plans", { Cc: "y@a.example" }, at("2016-02-20"))),
    old,
  );
  // The live thread is still the one that new mail joins.
  await test.advance(dayMs);
  assert.equal(await thread(await w.arrive("Re: Plans")), live);
});

// SPEC: import.place
Deno.test("mail has an order in which it came into the store, in which no import lands before what is there", async () => {
  const w = await setup({ instances: 1 });
  await using test = w.test;
  const mailboxOf = { userId: w.owner.userId, mailboxId: w.box.mailbox_id };
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    await test.advance(1_000);
    ids.push(
      n % 3 === 0 ? await w.arrive(`${n}`) : await w.bring(`${n}`, {}, {
        "received-at": `20${25 - n}-01-01T00:00:00Z`,
      }),
    );
  }
  const order = async (bounds = {}) =>
    await Array.fromAsync(storedOrder(test.service, mailboxOf, bounds));
  const all = await order();
  assert.deepEqual(all.map(({ emailId }) => emailId), ids);
  for (const [n, { place }] of all.entries()) {
    const rest = await order({ start: `${place}\u0000` });
    assert.deepEqual(rest.map(({ emailId }) => emailId), ids.slice(n + 1));
    assert.equal((await order({ end: place })).length, n);
  }
  await data(test.request(`/v1/api/emails/${ids[4]}`, { method: "DELETE", token: w.owner.key }));
  assert.deepEqual(
    (await order()).map(({ emailId }) => emailId),
    ids.filter((id) => id !== ids[4]),
  );
  const json = { confirm_email_address: w.box.email_address };
  await data(test.request(`/v1/api/mailboxes/${w.box.mailbox_id}`, {
    ...{ method: "DELETE", token: w.owner.key, json },
  }));
  await test.settle();
  const left = await Array.fromAsync(test.kv.list({ prefix: ["emails_imported"] }));
  assert.deepEqual(left, []);
});

// SPEC: import.retention
Deno.test("retention_days of imported mail count from its import", async () => {
  const w = await setup({ instances: 1 });
  await using test = w.test;
  const path = `/v1/api/mailboxes/${w.box.mailbox_id}/policy`;
  const json = { retention_days: 3 };
  await data(test.request(path, { method: "PUT", token: w.owner.accessToken, json }));
  for (let n = 0; n < 25; n++) {
    await w.bring(`first ${n}`, {}, { "received-at": "2015-01-01T00:00:00Z" });
  }
  await w.arrive("live first");
  await test.advance(2 * dayMs);
  await w.bring("second", {}, { "received-at": "2014-01-01T00:00:00Z" });
  await w.arrive("live second");
  const end = sweepRegularly(test.service);
  try {
    await test.advance(dayMs / 2);
    assert.equal((await w.subjects()).length, 28);
    await test.advance(dayMs);
    await eventually(
      "the first import is deleted",
      async () => (await w.subjects()).length === 2,
      test.log,
    );
    assert.deepEqual(await w.subjects(), ["live second", "second"]);
  } finally {
    await end();
  }
});

Deno.test("past() gives ids of a time before now, in the order of the calls, and does not move timed()", () => {
  const ids = systemIds();
  const before = ids.timed(1_790_000_000_000);
  const past = Array.from({ length: 50 }, () => ids.past(1_500_000_000_000));
  const after = ids.timed(1_790_000_000_000);
  assert.ok(before < after);
  assert.match(past[0], /^015d3ef7-9800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(past).size, 50);
  assert.match(ids.past(0), /^00000000-0000-7/);
});
