import assert from "node:assert/strict";
import type { SearchIndex } from "../../domain/ports/search_index.ts";
import type { SenderChecks } from "../../domain/ports/sender_checks.ts";
import { authWithoutCheck } from "../../domain/mail/record/stored_auth.ts";
import { openEmbeddedIndex } from "../../adapters/search_index/embedded.ts";
import { Dispatcher } from "../../workers/dispatch.ts";
import { Jobs } from "../../domain/store/jobs.ts";
import type { Job } from "../../domain/store/jobs.ts";
import type { Service } from "../../domain/core/service.ts";
import { largeMessageBytes } from "../../mime/body/parse_question.ts";
import { sweepRegularly } from "../../workers/sweep.ts";
import { eventually } from "../eventually.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../service.ts";

const dayMs = 86_400_000;

/** A disk that can be full: then each commit fails as Deno KV's own do. */
function diskOf({ kv }: TestService): { isFull: boolean } {
  const disk = { isFull: false };
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const each = atomic();
    const commit = each.commit.bind(each);
    each.commit = () =>
      disk.isFull ? Promise.reject(new TypeError("database or disk is full")) : commit();
    return each;
  };
  return disk;
}

const dueJobs = async (test: TestService) =>
  (await Array.fromAsync(test.kv.list<Job>({ prefix: ["jobs_due"] }))).map(({ value }) => value);

/** How many emails with the word of the tests a search finds. */
async function found(test: TestService, token: string): Promise<number> {
  const answer = await test.request("/v1/api/search", { token, json: { query: "quixotry" } });
  return (await answer.json()).results.length;
}

const unrecorded = (test: TestService, kind: string) =>
  test.log.filter((line) => line.event === "job.not_put_off" && line.kind === kind);

Deno.test("jobs that meet a full disk run once, are remembered, and end as soon as there is room", async () => {
  const inner = openEmbeddedIndex({ path: null });
  let runs = 0, fill = () => {};
  const searchIndex = {
    ...inner,
    add(...given: Parameters<typeof inner.add>) {
      runs++;
      fill();
      return inner.add(...given);
    },
  };
  // One process: on a shared store another one takes what this one cannot record.
  await using test = await testService({ instances: 1, parts: { searchIndex } });
  const disk = diskOf(test);
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  fill = () => disk.isFull = true;
  const text = "0123456789 quixotry\r\n".repeat(largeMessageBytes / 16);
  await deliver(test, email_address, message({ Subject: "Large" }, text));
  await eventually(
    "the end of the run cannot be recorded",
    () => unrecorded(test, "process_large_email").length > 0,
    test.log,
  );
  const before = runs;
  for (let minutes = 0; minutes < 5; minutes++) test.clock.advance(60_000);
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(runs, before, "nothing runs again whose end could not be recorded");
  assert.equal(unrecorded(test, "process_large_email").length, 1);
  fill = () => {};
  disk.isFull = false;
  await eventually(
    "the run is recorded",
    async () => (await dueJobs(test)).some(({ lastError }) => /disk is full/.test(lastError ?? "")),
    test.log,
  );
  // Within a second after that it runs again, however long the disk was full.
  await test.advance(1_000);
  assert.deepEqual(await dueJobs(test), []);
  assert.equal(await found(test, owner.key), 1);
});

Deno.test("while the index alone is full, mail is tried again each second and keeps its text", async () => {
  const inner = openEmbeddedIndex({ path: null });
  let isFull = true, tries = 0;
  const searchIndex: SearchIndex = {
    ...inner,
    add: (emails) => {
      tries++;
      // There is still room for an email without its text.
      const isLarge = emails.some(({ text }) => text !== "");
      if (isFull && isLarge) return Promise.reject(new Error("database or disk is full"));
      return inner.add(emails);
    },
  };
  await using test = await testService({ parts: { searchIndex } });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  await deliver(test, email_address, message({}, "quixotry"));
  await test.settle();
  for (let seconds = 0; seconds < 12; seconds++) await test.advance(1_000);
  assert.ok(tries >= 12, `${tries} tries in 12 seconds`);
  isFull = false;
  await test.advance(1_000);
  assert.deepEqual(await dueJobs(test), []);
  assert.equal(await found(test, owner.key), 1);
});

Deno.test("a full disk is no reason to give up the check of a sender", async () => {
  let isFull = true;
  const senderChecks: SenderChecks = {
    prepare: () => Promise.resolve(),
    check: () =>
      isFull
        ? Promise.reject(new TypeError("database or disk is full"))
        : Promise.resolve(authWithoutCheck("none")),
  };
  await using test = await testService({ parts: { senderChecks } });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const { email_id } = await deliver(test, email_address, message({}, "quixotry"));
  for (let seconds = 0; seconds < 12; seconds++) await test.advance(1_000);
  isFull = false;
  await test.advance(1_000);
  const { auth } = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
  assert.equal(auth.verdict, "none");
});

Deno.test("jobs that found no room in memory are found again although a sweep could not read the database", async () => {
  await using test = await testService({ instances: 1 });
  test.service.jobs.listen(null);
  const service: Service = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  const ran: string[] = [];
  let hasRoom = false;
  const waiting: Job<"purge_webhook">[] = [];
  const dispatcher = new Dispatcher(service, {
    purge_webhook: {
      concurrency: 1,
      queue: () => ({
        size: 0,
        push: (job) => hasRoom && waiting.push(job) > 0,
        take: () => waiting.shift() ?? null,
        done() {},
      }),
      run: async ({ database, jobs }, [job]) => {
        ran.push(job.payload.webhookId);
        await database.transact((tx) => jobs.complete(tx, job));
      },
    },
  });
  await service.database.transact((tx) => {
    service.jobs.add(tx, "purge_webhook", { webhookId: "left" });
  });
  hasRoom = true;
  const { database } = service;
  const fault = () => Promise.reject(new TypeError("disk I/O error"));
  service.database = Object.create(database, {
    list: { value: () => ({ [Symbol.asyncIterator]: () => ({ next: fault }) }) },
  });
  await assert.rejects(dispatcher.sweep(), /disk I\/O error/);
  service.database = database;
  test.clock.advance(2_000);
  await dispatcher.sweep();
  await dispatcher.settled();
  assert.deepEqual(ran, ["left"]);
  await dispatcher.stop();
});

Deno.test("what is done once a day is tried again within a minute if the disk was full", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await test.request("/v1/api/emails", { token: owner.key });
  await test.advance(5_000);
  await test.service.audit.flush();
  const audited = async () => (await Array.fromAsync(test.kv.list({ prefix: ["audit"] }))).length;
  assert.ok(await audited() > 0);
  test.clock.advance(100 * dayMs);
  const disk = diskOf(test);
  disk.isFull = true;
  const end = sweepRegularly(test.service);
  const failed = () => test.log.filter(({ event }) => event === "store.sweep_failed").length;
  test.clock.advance(30_000);
  await eventually("the sweeps fail", () => failed() > 0, test.log);
  // That of the audit is one of several: all have met the full disk by now.
  await new Promise((done) => setTimeout(done, 1_500));
  disk.isFull = false;
  test.clock.advance(60_000);
  await eventually("old audit rows are gone", async () => await audited() === 0, test.log);
  await end();
});

Deno.test("the last use of a key is written when there is room again", async () => {
  await using test = await testService({ instances: 1 });
  const { key, keyId, userId } = await account(test);
  const disk = diskOf(test);
  const written = async () =>
    (await test.kv.get<{ lastUsedAt: number }>(["api_keys", userId, keyId])).value?.lastUsedAt;
  await test.request("/v1/api/mailboxes", { token: key });
  const usedAt = test.clock.now();
  disk.isFull = true;
  test.clock.advance(5_000);
  await eventually(
    "it cannot be written",
    () => test.log.some(({ event }) => event === "keys.last_used_late"),
    test.log,
  );
  disk.isFull = false;
  test.clock.advance(5_000);
  await eventually("it is written", async () => await written() === usedAt, test.log);
});

Deno.test("a job that three processes died of is set aside when there is room, and never runs", async () => {
  await using test = await testService({ instances: 1 });
  test.service.jobs.listen(null);
  const service: Service = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  const ran: string[] = [];
  let isFull = true;
  const dispatcher = new Dispatcher(service, {
    purge_webhook: {
      concurrency: 1,
      run: () => Promise.resolve(void ran.push("run")),
      setAside: async ({ database, jobs }, job) => {
        ran.push("set aside");
        if (isFull) throw new TypeError("database or disk is full");
        await database.transact((tx) => jobs.complete(tx, job));
      },
    },
  });
  const job = await service.database.transact((tx) =>
    service.jobs.add(tx, "purge_webhook", { webhookId: "w" }, test.clock.now() + 1_000)
  );
  dispatcher.accept({ ...job, deaths: 3 });
  const step = async () => {
    test.clock.advance(1_000);
    await new Promise((done) => setTimeout(done, 0));
    await dispatcher.settled();
  };
  await step();
  await step();
  isFull = false;
  await step();
  assert.deepEqual(ran, ["set aside", "set aside", "set aside"]);
  assert.deepEqual(await dueJobs(test), []);
  await dispatcher.stop();
});
