import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestAccount,
  type TestOptions,
  type TestService,
  testService,
} from "../../../service.ts";
import { bounded } from "../../../eventually.ts";

interface Claim {
  claim_id: string;
  email: { email_id: string; subject: string; labels: string[] };
  lease_until: string;
  attempts: number;
}

async function setup(mails: number, options: TestOptions = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const ids: string[] = [];
  for (let n = 0; n < mails; n++) {
    ids.push((await deliver(test, box.email_address, message({ Subject: `${n}` }))).email_id);
  }
  await test.settle();
  return { test, owner, box, ids };
}

function post(test: TestService, owner: TestAccount, path: string, json: object = {}) {
  return test.request(path, { token: owner.key, json });
}

async function claim(
  { test, owner, box }: Awaited<ReturnType<typeof setup>>,
  json: object = {},
): Promise<Claim[]> {
  return await data(post(test, owner, `/v1/api/mailboxes/${box.mailbox_id}/claims`, json));
}

async function end(
  { test, owner }: Awaited<ReturnType<typeof setup>>,
  how: "ack" | "nack" | "extend",
  { claim_id }: Claim,
  json: object = {},
) {
  const answer = await post(test, owner, `/v1/api/claims/${claim_id}/${how}`, json);
  const body = await answer.json();
  return answer.ok ? body.data : `${answer.status} ${body.error.code}`;
}

const subjects = (claims: Claim[]) => claims.map(({ email }) => email.subject);

Deno.test("mail that was there before is claimed oldest first, and by one holder at a time", async () => {
  const w = await setup(5);
  await using test = w.test;
  const first = await claim(w);
  const whole = await data(test.request(`/v1/api/emails/${w.ids[0]}`, { token: w.owner.key }));
  assert.deepEqual(first, [{
    claim_id: first[0].claim_id,
    email: whole,
    lease_until: "2026-11-20T10:01:00.000Z",
    attempts: 1,
  }]);
  const next = await claim(w, { limit: 3, lease_seconds: 300 });
  assert.deepEqual(subjects(next), ["1", "2", "3"]);
  const acked = await end(w, "ack", first[0]);
  const { claim_id } = first[0];
  assert.deepEqual(acked, { claim_id, email_id: w.ids[0], status: "acked" });
  const nacked = await end(w, "nack", next[1]);
  assert.deepEqual([nacked.status, nacked.email_id], ["released", w.ids[2]]);
  assert.deepEqual(subjects(await claim(w, { limit: 50, lease_seconds: 300 })), ["2", "4"]);
  assert.deepEqual(await claim(w), []);
  // When a lease is over the next worker gets the email; the former holder has lost it.
  await test.advance(300_000);
  const again = await claim(w, { limit: 50 });
  assert.deepEqual(again.map(({ email, attempts }) => [email.subject, attempts]), [
    ["1", 2],
    ["2", 3],
    ["3", 2],
    ["4", 2],
  ]);
  for (const how of ["ack", "nack", "extend"] as const) {
    assert.equal(await end(w, how, next[0]), "409 CLAIM_LOST");
    assert.equal(await end(w, how, first[0]), "409 CLAIM_LOST");
  }
  for (const each of again) assert.equal((await end(w, "ack", each)).status, "acked");
  await test.advance(600_000);
  assert.deepEqual(await claim(w, { limit: 50 }), []);
  // Rows of handled emails are removed; later mail is claimed as before.
  const later = await deliver(test, w.box.email_address, message({ Subject: "later" }));
  assert.deepEqual((await claim(w, { limit: 9 })).map(({ email }) => email.email_id), [
    later.email_id,
  ]);
  const tables = await Array.fromAsync(test.kv.list({ prefix: ["claims"] }));
  // If two instances hand out mail alternately, the row of one more may be left until the next claim.
  assert.ok(tables.length <= test.instances, `${tables.length} rows`);
});

Deno.test("a lease is extended, a release waits for its delay, and an unknown or foreign claim is 404", async () => {
  const w = await setup(1);
  await using test = w.test;
  const [one] = await claim(w, { lease_seconds: 5 });
  const extended = await end(w, "extend", one, { lease_seconds: 100 });
  assert.deepEqual(extended, {
    claim_id: one.claim_id,
    lease_until: "2026-11-20T10:01:40.000Z",
    attempts: 1,
  });
  await test.advance(99_000);
  assert.deepEqual(await claim(w), []);
  assert.equal((await end(w, "nack", one, { delay_seconds: 30 })).status, "released");
  await test.advance(29_000);
  assert.deepEqual(await claim(w), []);
  await test.advance(1_000);
  const [two] = await claim(w);
  assert.equal(two.attempts, 2);
  const stranger = { ...w, owner: await account(test) };
  assert.equal(await end(stranger, "ack", two), "404 NOT_FOUND");
  assert.equal(await end(w, "ack", { ...two, claim_id: "x" }), "404 NOT_FOUND");
  const path = `/v1/api/mailboxes/${w.box.mailbox_id}/claims`;
  assert.equal((await post(test, stranger.owner, path)).status, 404);
  for (
    const json of [
      { limit: 0 },
      { limit: 51 },
      { lease_seconds: 4 },
      { wait_seconds: 61 },
      { lease_second: 9 },
    ]
  ) assert.equal((await post(test, w.owner, path, json)).status, 400);
  for (const scopes of [["emails:write"], ["emails:read"]]) {
    const { apiKey } = await data(post(test, w.owner, "/v1/api/keys", { name: "k", scopes }));
    const answer = await test.request(path, { token: apiKey, json: {} });
    const { error } = await answer.json();
    const missing = scopes[0] === "emails:read" ? "emails:write" : "emails:read";
    assert.deepEqual([answer.status, error.details], [403, { required_scope: missing }]);
  }
});

Deno.test("a claim takes emails that pass its filters; the others stay available, in their order", async () => {
  const w = await setup(6);
  await using test = w.test;
  await data(test.request(`/v1/api/emails/${w.ids[3]}`, {
    ...{ method: "PATCH", token: w.owner.key, json: { add_labels: ["urgent"], is_read: true } },
  }));
  assert.deepEqual(subjects(await claim(w, { label: "Urgent", limit: 5 })), ["3"]);
  assert.deepEqual(subjects(await claim(w, { subject: "5", limit: 5 })), ["5"]);
  assert.deepEqual(await claim(w, { is_read: true, limit: 5 }), []);
  assert.deepEqual(subjects(await claim(w, { limit: 3 })), ["0", "1", "2"]);
  assert.deepEqual(subjects(await claim(w, { is_read: false, limit: 3 })), ["4"]);
});

Deno.test("after 20 claims an email is set aside with a label; without the label it counts again from 0", async () => {
  const w = await setup(2);
  await using test = w.test;
  const path = `/v1/api/emails/${w.ids[0]}`;
  const marks = (json: object) => test.request(path, { method: "PATCH", token: w.owner.key, json });
  const labels = Array.from({ length: 32 }, (_, n) => `l${String(n).padStart(2, "0")}`);
  await data(marks({ add_labels: labels }));
  for (let n = 1; n <= 20; n++) {
    const [poison] = await claim(w, { subject: "0" });
    assert.equal(poison.attempts, n);
    if (n % 2 === 0) await end(w, "nack", poison);
    else await test.advance(60_000);
  }
  assert.deepEqual(subjects(await claim(w, { limit: 5 })), ["1"]);
  // It is the 33rd label: other marks are still possible, one more label is not.
  assert.deepEqual((await data(marks({ is_read: true }))).labels, [...labels, "unclaimable"]);
  assert.equal((await marks({ add_labels: ["more"], is_read: false })).status, 400);
  assert.equal((await data(marks({ remove_labels: ["l00"] }))).labels.length, 32);
  assert.equal((await marks({ add_labels: ["more"] })).status, 400);
  await test.advance(3_600_000);
  assert.deepEqual(await claim(w, { subject: "0" }), []);
  await data(marks({ remove_labels: ["unclaimable"] }));
  assert.deepEqual((await claim(w, { subject: "0" }))[0].attempts, 1);
});

Deno.test("an email whose 20th lease ends without an ack is set aside too", async () => {
  const w = await setup(1);
  await using test = w.test;
  for (let n = 1; n <= 20; n++) {
    assert.equal((await claim(w, {}))[0].attempts, n);
    await test.advance(60_000);
  }
  assert.deepEqual(await claim(w, {}), []);
  const { labels } = await data(test.request(`/v1/api/emails/${w.ids[0]}`, { token: w.owner.key }));
  assert.deepEqual(labels, ["unclaimable"]);
});

Deno.test("a claim that waits is woken by mail, by a release and by the end of a lease", async () => {
  const w = await setup(0);
  await using test = w.test;
  const waits = () => claim(w, { wait_seconds: 30, lease_seconds: 5 });
  let waiting = waits();
  await test.waiting(1);
  await deliver(test, w.box.email_address, message({ Subject: "new" }));
  const [first] = await waiting;
  assert.equal(first.email.subject, "new");
  waiting = waits();
  await test.waiting(1);
  await end(w, "nack", first);
  assert.equal((await waiting)[0].attempts, 2);
  waiting = waits();
  await test.waiting(1);
  // Past the end: if the wait learns of the lease only afterwards, the clock fires what is overdue, not what is due now.
  test.clock.advance(5_001);
  assert.equal((await waiting)[0].attempts, 3);
  waiting = claim(w, { wait_seconds: 2 });
  await test.waiting(1);
  test.clock.advance(2_000);
  assert.deepEqual(await waiting, []);
});

Deno.test("a claim that waits is woken by a lease that ends right after its look", async () => {
  // The look of this process is the one that is held up.
  const w = await setup(1, { instances: 1 });
  await using test = w.test;
  await claim(w, { lease_seconds: 5 });
  const { claimTurns } = test.service;
  const run = claimTurns.run.bind(claimTurns);
  let looks = 0;
  claimTurns.run = async (mailboxId, work) => {
    const found = await run(mailboxId, work);
    // The first look is before the wait.
    if (++looks === 2) test.clock.advance(5_001);
    return found;
  };
  const [again] = await bounded("the claim is answered", claim(w, { wait_seconds: 30 }));
  assert.equal(again.attempts, 2);
});

Deno.test("a claim that waits is woken by the end of a lease that its holder has shortened", async () => {
  const w = await setup(1);
  await using test = w.test;
  const [held] = await claim(w, { lease_seconds: 3_600 });
  const waiting = claim(w, { wait_seconds: 30 });
  await test.waiting(1);
  await end(w, "extend", held, { lease_seconds: 5 });
  test.clock.advance(5_001);
  const [again] = await bounded("the claim is answered", waiting);
  assert.equal(again.attempts, 2);
});

Deno.test("a claim that waits ends in time, though a lease that ended brought it nothing", async () => {
  const w = await setup(1);
  await using test = w.test;
  await claim(w, { lease_seconds: 5 });
  const waiting = claim(w, { wait_seconds: 7, subject: "another" });
  await test.waiting(1);
  // The end of the lease wakes it; then nothing but its own end is due.
  await test.advance(5_000);
  await test.waiting(1);
  test.clock.advance(2_000);
  assert.deepEqual(await waiting, []);
});

Deno.test("a lease that began while the clock was ahead does not last until that date", async () => {
  const clock = new FakeClock();
  const now = clock.now.bind(clock);
  const it = await setup(1, { parts: { clock } });
  await using _ = it.test;
  clock.now = () => now() + 31 * 86_400_000;
  const [first] = await claim(it);
  assert.deepEqual(await claim(it), []);
  clock.now = now;
  const [again] = await claim(it);
  assert.equal(again.email.email_id, first.email.email_id);
  assert.equal(again.attempts, 2);
});

Deno.test("a claimed email can be deleted: its claim can be acked, and it does not come again", async () => {
  const w = await setup(2);
  await using test = w.test;
  const [one, two] = await claim(w, { limit: 2 });
  for (const id of w.ids) {
    await data(test.request(`/v1/api/emails/${id}`, { method: "DELETE", token: w.owner.key }));
  }
  assert.equal((await end(w, "ack", one)).status, "acked");
  await test.advance(60_000);
  assert.equal(await end(w, "ack", two), "409 CLAIM_LOST");
  assert.deepEqual(await claim(w, { limit: 5 }), []);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["claims_due"] })), []);
});

Deno.test("with max_chars no claim is left off: the emails are shortened", async () => {
  const w = await setup(0);
  await using test = w.test;
  for (let n = 0; n < 5; n++) {
    await deliver(test, w.box.email_address, message({ Subject: `${n}` }, "word ".repeat(3_000)));
  }
  const path = `/v1/api/mailboxes/${w.box.mailbox_id}/claims`;
  const answer = await post(test, w.owner, path, { limit: 5, max_chars: 12_000 });
  const text = await answer.text();
  assert.ok(text.length <= 12_000 && text.length > 10_000, `${text.length}`);
  const claims = JSON.parse(text).data;
  assert.deepEqual(subjects(claims), ["0", "1", "2", "3", "4"]);
  assert.ok(claims.every(({ email }: { email: { truncated: boolean } }) => email.truncated));
  const few = await (await post(test, w.owner, path, { limit: 5, max_chars: 2_000 })).json();
  assert.deepEqual(few.data, []);
});

Deno.test("one call claims at most eight mails of 1 MB, and the others stay for the next", async () => {
  const { test, owner, box } = await setup(0);
  await using _ = test;
  for (let n = 0; n < 12; n++) {
    await deliver(test, box.email_address, message({ Subject: `${n}` }, "word ".repeat(200_000)));
  }
  await test.settle();
  const path = `/v1/api/mailboxes/${box.mailbox_id}/claims`;
  const call = async () => await data(await post(test, owner, path, { limit: 50 }));
  const first = subjects(await call());
  assert.deepEqual(first, Array.from({ length: 8 }, (_, n) => `${n}`));
  assert.deepEqual(subjects(await call()), ["8", "9", "10", "11"]);
});
