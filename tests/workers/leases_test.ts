import assert from "node:assert/strict";
import { systemIds } from "../../domain/core/ids.ts";
import type { Service } from "../../domain/core/service.ts";
import { Jobs, leaseMs } from "../../domain/store/jobs.ts";
import { patience } from "../nightly.ts";
import { openDatabase } from "../remote_kv/remote_database.ts";
import { RemoteKv } from "../remote_kv/remote_kv.ts";
import { FakeClock, type TestService, testService } from "../service.ts";
import { Dispatcher, renewAheadMs } from "../../workers/dispatch.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import { eventually } from "../eventually.ts";

/** More by hand: `LEASED_JOBS=5000`. */
const jobCount = Number(Deno.env.get("LEASED_JOBS") ?? 1_000);
/** How many jobs an instance takes at a time, of a kind with one job at work. */
const taken = 64;

/** As the service does it: what a busy database did not take is left to the next sweep. */
async function sweep(dispatcher: Dispatcher): Promise<void> {
  try {
    await dispatcher.sweep();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "SERVICE_UNAVAILABLE") throw error;
  }
}

/** An instance that notes the jobs it gets and those it has done. Its first run waits for `begin`. */
async function instance(test: TestService, remote: RemoteKv) {
  const database = await openDatabase(remote);
  const jobs = new Jobs(test.service.ids, test.clock);
  const service: Service = { ...test.service, database, jobs };
  const held = new Set<string>();
  const done: string[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const dispatcher = new Dispatcher(service, {
    purge_webhook: {
      concurrency: 1,
      batch: 16,
      async run(_service, batch) {
        await begun;
        await database.transact((tx) => {
          for (const job of batch) jobs.complete(tx, job);
        });
        done.push(...batch.map(({ jobId }) => jobId));
      },
    },
  });
  const accept = dispatcher.accept.bind(dispatcher);
  dispatcher.accept = (job) => (held.add(job.jobId), accept(job));
  return { database, service, dispatcher, held, done, begin };
}

async function stopped({ dispatcher, database }: Awaited<ReturnType<typeof instance>>) {
  await dispatcher.stop(0);
  await database[Symbol.asyncDispose]();
}

/** Two instances on one store, of which the first has added `jobs` jobs. */
async function twoInstances(jobs: number) {
  const remote = new RemoteKv();
  const clock = new FakeClock();
  const test = await testService({ remote, instances: 1, parts: { clock } });
  // It would take jobs too.
  await test.dispatcher.stop();
  const [first, second] = [await instance(test, remote), await instance(test, remote)];
  const added: string[] = [];
  for (let n = 0; n < jobs; n++) {
    const job = await first.database.transact((tx) =>
      first.service.jobs.add(tx, "purge_webhook", { webhookId: `${n}` })
    );
    added.push(job.jobId);
  }
  return {
    ...{ clock, first, second, added },
    async [Symbol.asyncDispose]() {
      for (const each of [first, second]) await stopped(each);
      await test[Symbol.asyncDispose]();
      await remote[Symbol.asyncDispose]();
    },
  };
}

Deno.test("leases of a thousand jobs are renewed together; none is taken while their instance lives, and the others share them when it is gone", async () => {
  await using remote = new RemoteKv({ readMs: [5, 15], writeMs: [20, 40] });
  const clock = new FakeClock();
  await using test = await testService({ remote, instances: 1, parts: { clock } });
  // It would take jobs too.
  await test.dispatcher.stop();
  const [first, second, third] = [
    await instance(test, remote),
    await instance(test, remote),
    await instance(test, remote),
  ];
  // In parts: on a busy machine the last of a thousand at once would wait longer than a request may.
  for (let part = 0; part < jobCount; part += 100) {
    await Promise.all(
      Array.from(
        { length: 100 },
        (_, n) =>
          first.database.transact((tx) =>
            void first.service.jobs.add(tx, "purge_webhook", { webhookId: `${part + n}` })
          ),
      ),
    );
  }
  for (let passed = 0; passed < 3 * leaseMs; passed += 5_001) {
    clock.advance(5_001);
    // Before the first renews anything: no lease is over by then.
    await sweep(second.dispatcher);
    assert.equal(second.held.size, 0);
    const from = performance.now();
    await sweep(first.dispatcher);
    const ms = performance.now() - from;
    assert.ok(ms < renewAheadMs * patience, `a sweep took ${ms} ms`);
  }
  assert.equal(first.held.size, jobCount);
  clock.advance(leaseMs + 1);
  // The second is much faster; what it takes is bounded, so the third finds the rest.
  await eventually("the second takes a part", async () => {
    await sweep(second.dispatcher);
    return second.held.size >= taken;
  });
  await sweep(second.dispatcher);
  assert.equal(second.held.size, taken);
  await eventually("the third takes a part", async () => {
    await sweep(third.dispatcher);
    return third.held.size >= taken;
  });
  assert.equal(third.held.size, taken);
  second.begin();
  third.begin();
  await eventually("every job is done", async () => {
    // If the answer of a commit did not come in time, its jobs are taken again when their lease has ended.
    clock.advance(1_000);
    await Promise.all([sweep(second.dispatcher), sweep(third.dispatcher)]);
    return second.done.length + third.done.length >= jobCount;
  });
  assert.equal(new Set([...second.done, ...third.done]).size, jobCount);
  assert.equal(second.done.length + third.done.length, jobCount);
  assert.ok(Math.min(second.done.length, third.done.length) >= jobCount / 10);
  assert.deepEqual(await second.database.collect({ prefix: ["jobs_due"] }, { limit: 1 }), []);
  for (const each of [first, second, third]) await stopped(each);
});

Deno.test("a job that ends while its lease is renewed is not left under its new lease", async () => {
  await using remote = new RemoteKv();
  await using database = await openDatabase(remote);
  const clock = new FakeClock();
  const jobs = new Jobs(systemIds(), clock);
  const left = () => database.collect({ prefix: ["jobs_due"] });
  for (const end of ["complete", "putOff", "deadLetter"] as const) {
    const job = await database.transact((tx) => jobs.add(tx, "purge_webhook", { webhookId: "w" }));
    await database.prefetch([["jobs_due", job.dueAt, job.jobId]]);
    clock.advance(1_000);
    const renewed = jobs.renew(database, job);
    // Its commit is on the way.
    await new Promise((done) => setTimeout(done, 0));
    const stood = await database.transact(async (tx) => {
      const stands = await jobs.stands(tx, job);
      if (end === "complete") jobs.complete(tx, job);
      else if (end === "putOff") jobs.putOff(tx, job, clock.now() + 5_000);
      else jobs.deadLetter(tx, job, "it failed");
      return stands;
    });
    assert.ok(stood);
    assert.ok(await renewed);
    assert.equal(job.dueAt, clock.now() + leaseMs);
    const keys = (await left()).map(({ key }) => key[1]);
    assert.deepEqual(keys, end === "putOff" ? [clock.now() + 5_000 + leaseMs] : []);
    await database.transact((tx) => void keys.map((at) => tx.delete(["jobs_due", at, job.jobId])));
  }
});

Deno.test("an instance that stood still runs no job that another one took meanwhile", async () => {
  await using pair = await twoInstances(5);
  const { clock, first, second, added } = pair;
  clock.advance(leaseMs + 1);
  await sweep(second.dispatcher);
  assert.equal(second.held.size, 5);
  await sweep(first.dispatcher);
  first.begin();
  await first.dispatcher.settled();
  // The one that it had at work; the others waited.
  assert.deepEqual(first.done, added.slice(0, 1));
  second.begin();
  await second.dispatcher.settled();
  assert.deepEqual(second.done.toSorted(), added);
});

Deno.test("an instance that stops keeps the lease of a job that is still at work: it may still have its effect", async () => {
  await using pair = await twoInstances(3);
  const { clock, first, second, added } = pair;
  await first.dispatcher.stop(1);
  // On a busy machine the others are released later than the stop waits for.
  await first.database.settled();
  clock.advance(1);
  await sweep(second.dispatcher);
  assert.deepEqual([...second.held].toSorted(), added.slice(1));
  clock.advance(leaseMs);
  await sweep(second.dispatcher);
  assert.equal(second.held.size, 3);
  first.begin();
  second.begin();
  await first.dispatcher.settled();
  await second.dispatcher.settled();
});
