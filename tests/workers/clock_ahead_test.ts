import assert from "node:assert/strict";
import type { Mailer } from "../../domain/ports/mailer.ts";
import { type Job, Jobs, leaseMs } from "../../domain/store/jobs.ts";
import { Dispatcher } from "../../workers/dispatch.ts";
import { workers } from "../../workers/workers.ts";
import { eventually } from "../eventually.ts";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../service.ts";
import { SetClock } from "../set_clock.ts";

const dayMs = 86_400_000;
const aheadMs = 31 * dayMs;
const begunAt = Date.parse("2026-11-20T10:00:00.000Z");

const dueJobs = async (kv: Deno.Kv) =>
  (await Array.fromAsync(kv.list<Job>({ prefix: ["jobs_due"] }))).map(({ value }) => value);

Deno.test("mail that came while the clock was a month ahead is processed when a process starts with the right clock", async () => {
  const kv = await Deno.openKv(":memory:");
  let email_id = "", key = "";
  {
    const clock = new FakeClock(begunAt + aheadMs);
    await using ahead = await testService({ kv, exclusive: true, parts: { clock } });
    const owner = await account(ahead);
    key = owner.key;
    const { email_address } = await mailbox(ahead, owner);
    // It is killed before the job runs.
    ahead.service.jobs.listen(null);
    ({ email_id } = await deliver(ahead, email_address, message({}, "quixotry")));
  }
  assert.equal((await dueJobs(kv)).length, 1);
  await using test = await testService({ kv, exclusive: true });
  await test.settle();
  assert.deepEqual(await dueJobs(kv), []);
  const { results } = await (await test.request("/v1/api/search", {
    token: key,
    json: { query: "quixotry" },
  })).json();
  assert.deepEqual(results.map((each: { email_id: string }) => each.email_id), [email_id]);
  kv.close();
});

Deno.test("a retry that was put off while the clock was ahead runs soon after the clock is set back", async () => {
  const clock = new SetClock(begunAt);
  let answers = false, taken = 0;
  const mailer: Mailer = {
    isOutbox: false,
    send({ envelopes }) {
      if (answers) taken++;
      const outcome = answers ? "sent" as const : "temporary" as const;
      return Promise.resolve({
        recipients: envelopes.map(({ to }) => ({ recipient: to, outcome, response: "450 later" })),
      });
    },
    check: () => Promise.resolve(true),
    close() {},
  };
  await using test = await testService({ instances: 1, parts: { clock, mailer } });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ada@example.net", subject: "Later", body_text: "Text" };
  test.service.jobs.listen(null);
  await data(test.request("/v1/api/emails/send", { token: owner.key, json: mail }));
  test.service.jobs.listen(test.dispatcher);
  // The job is of the time before; it fails while the clock is ahead.
  // By less than a day, after which a send is given up.
  clock.aheadMs = dayMs / 2;
  await test.dispatcher.sweep();
  await test.settle();
  const [off] = (await dueJobs(test.kv)).filter(({ kind }) => kind === "send_email");
  assert.ok(off.runAt > begunAt + dayMs / 2);
  clock.aheadMs = 0;
  answers = true;
  for (let seconds = 0; seconds < 15; seconds++) await test.advance(1_000);
  await eventually("it is sent", () => taken === 1, test.log);
  assert.deepEqual(await dueJobs(test.kv), []);
});

Deno.test("a scheduled send keeps its date when the clock is set back: it goes out once, at its time", async () => {
  const clock = new SetClock(begunAt);
  clock.aheadMs = aheadMs;
  await using test = await testService({ instances: 1, parts: { clock } });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const send_at = new Date(begunAt + aheadMs + 2 * dayMs).toISOString();
  const mail = { mailbox_id, to: email_address, subject: "Later", body_text: "Text", send_at };
  await data(test.request("/v1/api/emails/send", { token: owner.key, json: mail }));
  clock.aheadMs = 0;
  const arrived = async () =>
    (await (await test.request("/v1/api/emails?direction=inbound", { token: owner.key })).json())
      .data.length;
  await test.advance(3 * dayMs);
  assert.equal(await arrived(), 0);
  await test.advance(29 * dayMs);
  await test.advance(dayMs);
  await test.settle();
  assert.equal(await arrived(), 1);
});

Deno.test("a lease that a clock ahead has given ends by the present clock, on a shared store too", async () => {
  const kv = await Deno.openKv(":memory:");
  await using test = await testService({ kv, exclusive: false });
  const { service } = test;
  const clock = new FakeClock(begunAt + aheadMs);
  const other = { ...service, clock, jobs: new Jobs(service.ids, clock) };
  service.jobs.listen(null);
  const job = await service.database.transact((tx) =>
    service.jobs.add(tx, "purge_webhook", { webhookId: "leased" })
  );
  // The other instance takes it over, and is killed.
  test.clock.advance(2 * leaseMs);
  await other.jobs.takeOver(service.database, [job]);
  const [leased] = await dueJobs(kv);
  assert.ok(leased.dueAt > begunAt + aheadMs);
  service.jobs.listen(test.dispatcher);
  const dispatcher = new Dispatcher(service, workers);
  await dispatcher.start();
  await eventually("it ran", async () => (await dueJobs(kv)).length === 0, test.log);
  await dispatcher.stop();
  kv.close();
});

Deno.test("a process starts on a full disk although a clock ahead has written a job, and runs it when there is room", async () => {
  const kv = await Deno.openKv(":memory:");
  await using test = await testService({ kv, exclusive: true });
  const { service } = test;
  service.jobs.listen(null);
  const clock = new FakeClock(begunAt + aheadMs);
  const ahead = new Jobs(service.ids, clock);
  await service.database.transact((tx) => ahead.add(tx, "purge_webhook", { webhookId: "w" }));
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const full = atomic();
    full.commit = () => Promise.reject(new TypeError("database or disk is full"));
    return full;
  };
  const dispatcher = new Dispatcher(service, workers);
  await dispatcher.start();
  kv.atomic = atomic;
  await dispatcher.sweep();
  await dispatcher.settled();
  assert.deepEqual(await dueJobs(kv), []);
  await dispatcher.stop();
  kv.close();
});
