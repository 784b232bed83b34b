import assert from "node:assert/strict";
import { importByToken, importMail } from "../../../imports.ts";
import {
  account,
  data,
  deliver,
  inboundToken,
  mailbox,
  message,
  type TestOptions,
  testService,
} from "../../../service.ts";

async function setup(options: TestOptions = {}) {
  const test = await testService(options);
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const get = (path: string) => data(test.request(path, { token: owner.key }));
  const usage = async () =>
    await (await test.request("/api/billing/usage", { token: owner.accessToken })).json();
  return { test, owner, box, get, usage };
}

// SPEC: import.counts
Deno.test("an import counts as storage until it is deleted, and not as mail of the month", async () => {
  const w = await setup({ plans: { free: { emailsPerMonth: 1, storageBytes: 2_000 } } });
  await using test = w.test;
  const storage = async () => (await test.kv.get<number>(["storage", w.owner.userId])).value ?? 0;
  await deliver(test, w.box.email_address, message({ Subject: "the only one" }));
  assert.equal(
    (await deliver(test, w.box.email_address, message({ Subject: "over" }))).code,
    "OVER_QUOTA",
  );
  const before = await storage();
  const raw = message({ Subject: "old" }, "x".repeat(500));
  const { status, email_id } = await importMail(test, w.owner.key, w.box, raw);
  assert.deepEqual([status, await storage()], [200, before + raw.length]);
  const full = await importMail(test, w.owner.key, w.box, message({}, "y".repeat(1_500)));
  assert.deepEqual([full.status, full.code], [422, "OVER_QUOTA"]);
  assert.equal(await storage(), before + raw.length);
  await data(test.request(`/v1/api/emails/${email_id}`, { method: "DELETE", token: w.owner.key }));
  await test.settle();
  assert.equal(await storage(), before);
});

// SPEC: import.counts
Deno.test("the ledger names imports by their source, a hundred of a mailbox a day one by one and the rest in one row", async () => {
  const w = await setup();
  await using test = w.test;
  for (let n = 0; n < 103; n++) {
    await importMail(test, w.owner.key, w.box, message({ Subject: `${n}` }));
  }
  const raw = message({ Subject: "0" });
  assert.equal((await importByToken(test, w.box.email_address, raw)).disposition, "duplicate");
  // What arrives has its own rows.
  await deliver(test, w.box.email_address, message({ Subject: "live" }));
  const rows = [];
  for (let cursor = "", more = true; more;) {
    const answer = await test.request(`/v1/api/arrivals?limit=100${cursor}`, {
      token: w.owner.key,
    });
    const { data, meta } = await answer.json();
    rows.push(...data);
    more = meta.has_more;
    cursor = `&cursor=${meta.next_cursor}`;
  }
  const counts = Map.groupBy(
    rows,
    ({ source, disposition, count }) => `${source} ${disposition} ${count}`,
  );
  assert.deepEqual(
    Object.fromEntries([...counts].map(([kind, of]) => [kind, of.length]).sort()),
    {
      "import accepted 1": 100,
      "import accepted 3": 1,
      "import duplicate 1": 1,
      "raw accepted 1": 1,
    },
  );
  await test.settle();
  const activity = await data(test.request(
    "/api/activity?from=2026-11-20&to=2026-11-20&step=day",
    { headers: { cookie: w.owner.cookie } },
  ));
  const [{ received, sent, imported }] = activity.activity ?? activity;
  assert.deepEqual({ received, sent, imported }, { received: 1, sent: 0, imported: 103 });
});

// SPEC: import.direction
Deno.test("mail that the mailbox itself wrote is outbound and read, in any letter case and with a tag; the source's mark decides first", async () => {
  const w = await setup();
  await using test = w.test;
  const own = w.box.email_address;
  const tagged = own.replace("@", "+shop@").toUpperCase();
  const cases: [string, Record<string, string>, string][] = [
    [own, {}, "outbound"],
    [tagged, {}, "outbound"],
    ["ada@example.net", {}, "inbound"],
    ["ada@example.net", { direction: "outbound" }, "outbound"],
    [own, { direction: "inbound" }, "inbound"],
  ];
  for (const [n, [From, state, expected]] of cases.entries()) {
    const raw = message({ From, To: "x@y.example", Subject: `${n}` });
    const { email_id } = await importMail(test, w.owner.key, w.box, raw, state);
    await test.settle();
    const email = await w.get(`/v1/api/emails/${email_id}`);
    const isSent = expected === "outbound";
    assert.deepEqual([email.direction, email.is_read], [expected, isSent], `${n}`);
    assert.deepEqual([email.auth_verdict, email.delivery], [isSent ? null : "none", undefined]);
    assert.deepEqual(email.labels, ["imported"]);
    await data(
      test.request(`/v1/api/emails/${email_id}`, { method: "DELETE", token: w.owner.key }),
    );
  }
});

// SPEC: import.duplicates
Deno.test("the same bytes are one email, whether they arrive or are imported first, and a duplicate changes nothing of it", async () => {
  const w = await setup();
  await using test = w.test;
  const all = async () => await w.get("/v1/api/emails?limit=100");
  const live = message({ Subject: "live first" }), old = message({ Subject: "import first" });
  const first = await deliver(test, w.box.email_address, live);
  await test.settle();
  const before = await all();
  const state = {
    "received-at": "2015-01-01T00:00:00Z",
    labels: "a",
    read: "1",
    direction: "outbound",
  };
  for (
    const result of [
      await importMail(test, w.owner.key, w.box, live, state),
      await importByToken(test, w.box.email_address, live, state),
    ]
  ) {
    assert.deepEqual([result.status, result.disposition], [200, "duplicate"]);
    assert.equal(result.email_id, first.email_id);
  }
  await test.settle();
  assert.deepEqual(await all(), before);
  const imported = await importMail(test, w.owner.key, w.box, old, { read: "1" });
  await test.settle();
  const both = await all();
  const again = await deliver(test, w.box.email_address, old);
  assert.deepEqual([again.disposition, again.email_id], ["duplicate", imported.email_id]);
  await test.settle();
  assert.deepEqual(await all(), both);
});

// SPEC: import.durable
Deno.test("an import that was acknowledged is whole in one commit: bytes, state, place, ledger and change", async () => {
  const w = await setup({ instances: 1 });
  await using test = w.test;
  await test.dispatcher.stop();
  const raw = message({ Subject: "old" });
  const state = { "received-at": "2015-01-01T00:00:00Z", labels: "a", read: "1" };
  const { email_id } = await importMail(test, w.owner.key, w.box, raw, state);
  const stamps = new Map<string, Set<string>>();
  for await (const { key, versionstamp } of test.kv.list({ prefix: [] })) {
    const table = String(key[0]);
    stamps.set(table, (stamps.get(table) ?? new Set()).add(versionstamp));
  }
  const [stamp] = stamps.get("emails")!;
  for (
    const table of [
      ...["email_details", "emails_by_mailbox", "emails_by_thread", "emails_imported"],
      ...["emails_by_delivery", "emails_processing", "blob_chunks", "arrivals", "storage"],
    ]
  ) assert.deepEqual([...stamps.get(table) ?? []], [stamp], table);
  assert.ok(stamps.get("journal")!.has(stamp));
  assert.ok(stamps.get("audit")!.has(stamp));
  assert.ok(stamps.get("jobs_due")!.has(stamp));
  const download = await test.request(`/v1/api/emails/${email_id}/raw`, { token: w.owner.key });
  assert.equal(await download.text(), raw);
});

Deno.test("one import by token can go to several mailboxes, each with its place and state", async () => {
  const w = await setup();
  await using test = w.test;
  const other = await mailbox(test, w.owner);
  const answer = await test.request("/inbound/raw", {
    method: "POST",
    token: inboundToken,
    headers: {
      "content-type": "message/rfc822",
      "x-envelope-to": `${w.box.email_address}, ${other.email_address}, nobody@agents.test`,
      "x-import": "true",
      "x-import-labels": "both",
    },
    body: message({ From: other.email_address }),
  });
  const { results } = await data(answer);
  assert.deepEqual(
    results.map(({ disposition }: { disposition: string }) => disposition),
    ["accepted", "accepted", "rejected"],
  );
  const emails = await w.get("/v1/api/emails");
  assert.deepEqual(
    emails.map((
      { direction, labels }: { direction: string; labels: string[] },
    ) => [direction, labels])
      .sort(),
    [["inbound", ["both", "imported"]], ["outbound", ["both", "imported"]]],
  );
});
