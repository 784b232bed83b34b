import assert from "node:assert/strict";
import type { Service } from "../../domain/core/service.ts";
import { type Job, Jobs, leaseMs } from "../../domain/store/jobs.ts";
import { DeliveryQueue } from "../../workers/delivery_queue.ts";
import { Dispatcher } from "../../workers/dispatch.ts";
import type { Worker } from "../../workers/worker.ts";
import { eventually } from "../eventually.ts";
import { FakeClock, type TestService, testService } from "../service.ts";
import { workers } from "../../workers/workers.ts";

/** The kind of job that the tests run; a test chooses its payload. */
type Probe = "purge_webhook";

/** A separate dispatcher over the test's store, with one kind of job. */
function dispatcherOf(
  test: TestService,
  worker: Partial<Worker<Probe>> & Pick<Worker<Probe>, "run">,
): { dispatcher: Dispatcher; service: Service } {
  test.service.jobs.listen(null);
  const service: Service = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  return {
    service,
    dispatcher: new Dispatcher(service, { purge_webhook: { concurrency: 1, ...worker } }),
  };
}

const add = (service: Service, webhookId: string, runAt?: number) =>
  service.database.transact((tx) => service.jobs.add(tx, "purge_webhook", { webhookId }, runAt));

async function rows(test: TestService, prefix = "jobs_due"): Promise<Job<Probe>[]> {
  return (await test.service.database.collect<Job<Probe>>({ prefix: [prefix] })).map((row) =>
    row.value
  );
}

const complete = (service: Service, jobs: Job[]) =>
  service.database.transact((tx) => jobs.forEach((job) => service.jobs.complete(tx, job)));

/** Waits until running jobs have ended; the tests' clock stands still meanwhile. */
async function settle(dispatcher: Dispatcher): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => setTimeout(done, 0));
    await dispatcher.settled();
  }
}

Deno.test("a job runs at once after its commit and leaves no row", async () => {
  await using test = await testService();
  const ran: unknown[] = [];
  const { dispatcher, service } = dispatcherOf(test, {
    run: async (service, jobs) => {
      ran.push(...jobs.map((job) => job.payload.webhookId));
      await complete(service, jobs);
    },
  });
  await add(service, "now");
  await settle(dispatcher);
  assert.deepEqual(ran, ["now"]);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});

Deno.test("a job for later runs when its time comes, not before", async () => {
  await using test = await testService();
  const ran: number[] = [];
  const { dispatcher, service } = dispatcherOf(test, {
    run: async (service, jobs) => {
      ran.push(test.clock.now());
      await complete(service, jobs);
    },
  });
  const at = test.clock.now() + 500;
  await add(service, "later", at);
  test.clock.advance(499);
  await settle(dispatcher);
  assert.deepEqual(ran, []);
  test.clock.advance(1);
  await settle(dispatcher);
  assert.deepEqual(ran, [at]);
  await dispatcher.stop();
});

Deno.test("a job that throws is tried again after each delay, then is a dead letter with its reason", async () => {
  await using test = await testService();
  const ran: number[] = [];
  const { dispatcher, service } = dispatcherOf(test, {
    retryDelaysMs: [1_000, 2_000],
    run: () => {
      ran.push(test.clock.now());
      return Promise.reject(new Error("no luck"));
    },
  });
  const start = test.clock.now();
  await add(service, "poison");
  for (let i = 0; i < 5; i++) {
    await settle(dispatcher);
    test.clock.advance(1_000);
  }
  assert.deepEqual(ran.map((at) => at - start), [0, 1_000, 3_000]);
  assert.deepEqual(await rows(test), []);
  const [dead] = await rows(test, "jobs_dead");
  assert.equal(dead.payload.webhookId, "poison");
  assert.equal(dead.attempts, 3);
  assert.equal(dead.lastError, "Error: no luck");
  await dispatcher.stop();
});

Deno.test("a job that ended before another one of its run failed is not run again", async () => {
  await using test = await testService();
  const ran: string[][] = [];
  const { dispatcher, service } = dispatcherOf(test, {
    batch: 2,
    retryDelaysMs: [1_000],
    run: async (service, jobs) => {
      ran.push(jobs.map((job) => job.payload.webhookId));
      await complete(service, jobs.slice(0, 1));
      if (jobs.length > 1) throw new Error("no luck");
    },
  });
  await service.database.transact((tx) => {
    for (const webhookId of ["alone", "first", "second"]) {
      service.jobs.add(tx, "purge_webhook", { webhookId });
    }
  });
  await settle(dispatcher);
  assert.deepEqual((await rows(test)).map((job) => job.payload.webhookId), ["second"]);
  test.clock.advance(1_000);
  await settle(dispatcher);
  assert.deepEqual(ran, [["alone"], ["first", "second"], ["second"]]);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});

Deno.test("the jobs of a killed process are run at once by the next one on the same store", async () => {
  // At once only where no other process shares the store.
  await using test = await testService({ instances: 1 });
  test.service.jobs.listen(null);
  const dead = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  await add(dead, "orphan");
  const ran: unknown[] = [];
  const { dispatcher } = dispatcherOf(test, {
    run: async (service, jobs) => {
      ran.push(...jobs.map((job) => job.payload.webhookId));
      await complete(service, jobs);
    },
  });
  await dispatcher.start();
  await settle(dispatcher);
  assert.deepEqual(ran, ["orphan"]);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});

Deno.test("another instance leaves a job to its owner until the lease has run out, then takes it", async () => {
  const clock = new FakeClock();
  await using test = await testService({ exclusive: false, parts: { clock } });
  test.service.jobs.listen(null);
  const dead = { ...test.service, jobs: new Jobs(test.service.ids, clock) };
  await add(dead, "theirs");
  const ran: unknown[] = [];
  const { dispatcher } = dispatcherOf(test, {
    run: async (service, jobs) => {
      ran.push(...jobs.map((job) => job.payload.webhookId));
      await complete(service, jobs);
    },
  });
  await dispatcher.sweep();
  await settle(dispatcher);
  assert.deepEqual(ran, []);
  clock.advance(leaseMs + 1);
  await dispatcher.sweep();
  await settle(dispatcher);
  assert.deepEqual(ran, ["theirs"]);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});

Deno.test("a queue decides which job begins: a webhook that hangs delays no other webhook", async () => {
  await using test = await testService();
  const ran: string[] = [];
  const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
  test.service.jobs.listen(null);
  const service: Service = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  const dispatcher = new Dispatcher(service, {
    deliver_webhook: {
      concurrency: 3,
      queue: () => new DeliveryQueue(),
      async run(service, jobs) {
        const { webhookId } = jobs[0].payload;
        if (webhookId === "dead") await hanging;
        ran.push(webhookId);
        await complete(service, jobs);
      },
    },
  });
  for (const webhookId of ["dead", "dead", "dead", "dead", "live", "live", "live"]) {
    const payload = { userId: "u", webhookId, deliveryId: "d", eventId: "e" };
    await service.database.transact((tx) => service.jobs.add(tx, "deliver_webhook", payload));
  }
  await eventually("three have run", () => ran.length >= 3);
  assert.deepEqual(ran, ["live", "live", "live"]);
  release();
  await settle(dispatcher);
  assert.equal(ran.length, 7);
  await dispatcher.stop();
});

Deno.test("a flood of mail to one account delays the processing of another's by one batch", async () => {
  await using test = await testService({ instances: 1 });
  test.service.jobs.listen(null);
  const service: Service = { ...test.service, jobs: new Jobs(test.service.ids, test.clock) };
  const batches: string[][] = [];
  const first = Promise.withResolvers<void>();
  const dispatcher = new Dispatcher(service, {
    process_email: {
      ...workers.process_email,
      concurrency: 1,
      run: async (service, jobs) => {
        batches.push(jobs.map(({ payload }) => payload.userId));
        if (batches.length === 1) await first.promise;
        await complete(service, jobs);
      },
    },
  });
  const arrive = (userId: string, count: number) =>
    service.database.transact((tx) => {
      for (let n = 0; n < count; n++) {
        service.jobs.add(tx, "process_email", { userId, emailId: `${userId}${n}`, facts: {} });
      }
    });
  await arrive("flooded", 200);
  await arrive("quiet", 1);
  first.resolve();
  await settle(dispatcher);
  assert.equal(batches.flat().length, 201);
  assert.ok(batches[1].includes("quiet"), JSON.stringify(batches.map((each) => each.length)));
  assert.equal(batches[1].length, 32);
  await dispatcher.stop();
});

Deno.test("stop() waits for running jobs and begins no more", async () => {
  await using test = await testService();
  let ended = 0;
  const { dispatcher, service } = dispatcherOf(test, {
    run: async (service, jobs) => {
      await new Promise((done) => setTimeout(done, 0));
      ended++;
      await complete(service, jobs);
    },
  });
  await add(service, "first");
  await add(service, "second");
  await dispatcher.stop();
  assert.equal(ended, 1);
  assert.deepEqual((await rows(test)).map((job) => job.payload.webhookId), ["second"]);
});

Deno.test("stop(graceMs) does not wait for a job that hangs; its row stays for the next start", async () => {
  await using test = await testService();
  const hung = Promise.withResolvers<void>();
  const { dispatcher, service } = dispatcherOf(test, {
    run: async (service, jobs) => {
      await hung.promise;
      await complete(service, jobs);
    },
  });
  await add(service, "hanging");
  await dispatcher.stop(5);
  assert.deepEqual((await rows(test)).map((row) => row.payload.webhookId), ["hanging"]);
  hung.resolve();
  await dispatcher.settled();
  await test.service.database.settled();
});

Deno.test("after a long outage a bounded number of jobs sleeps in memory; the others also run at their time", async () => {
  await using test = await testService({ instances: 1 });
  const ran: string[] = [];
  const { dispatcher, service } = dispatcherOf(test, {
    concurrency: 100,
    batch: 500,
    run: async (service, jobs) => {
      ran.push(...jobs.map((job) => job.payload.webhookId));
      await complete(service, jobs);
    },
  });
  const jobs = 10_500, perCommit = 500, delayMs = 120_000;
  const now = test.clock.now();
  for (let first = 0; first < jobs; first += perCommit) {
    await service.database.transact((tx) => {
      for (let n = first; n < first + perCommit; n++) {
        service.jobs.add(tx, "purge_webhook", { webhookId: String(n) }, now + delayMs);
      }
    });
  }
  assert.equal(dispatcher.depth.sleeping, 10_000);
  assert.equal(dispatcher.counts().get("purge_webhook")?.waiting, jobs);
  await dispatcher.start();
  // The start reads every row, and finds no room either.
  assert.equal(dispatcher.depth.sleeping, 10_000);
  test.clock.advance(delayMs - 8_000);
  await dispatcher.sweep();
  assert.equal(
    dispatcher.depth.sleeping,
    jobs,
    "jobs that are due soon are in memory before their time",
  );
  assert.deepEqual(ran, []);
  test.clock.advance(8_000);
  await eventually("all ran", () => ran.length >= jobs);
  assert.equal(new Set(ran).size, jobs);
  await settle(dispatcher);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});

Deno.test("a job that ends while a sweep reads its row is not run again, also if the sweep looks ahead", async () => {
  // Only the sweep of an exclusive store looks ahead.
  await using test = await testService({ instances: 1 });
  const ran: string[] = [];
  const hanging = Promise.withResolvers<void>();
  const { dispatcher, service } = dispatcherOf(test, {
    run: async (service, jobs) => {
      ran.push(...jobs.map((job) => job.payload.webhookId));
      await hanging.promise;
      await complete(service, jobs);
    },
  });
  await add(service, "ends");
  await eventually("the job is at work", () => ran.length === 1);
  const [job] = await rows(test);
  // More jobs than may sleep in memory, so that sweeps look at rows before their time.
  const runAt = test.clock.now() + 3_600_000;
  for (let n = 0; n <= 10_000; n++) {
    dispatcher.accept({ ...job, jobId: `sleeping-${n}`, runAt, dueAt: runAt + leaseMs });
  }
  assert.equal(dispatcher.depth.sleeping, 10_000);
  let read = 0;
  const { database } = service;
  service.database = Object.create(database, {
    list: {
      value: async function* (...given: Parameters<typeof database.list>) {
        const found = await Array.fromAsync(database.list(...given));
        read += found.length;
        hanging.resolve();
        await settle(dispatcher);
        yield* found;
      },
    },
  });
  await dispatcher.sweep();
  service.database = database;
  assert.equal(read, 1, "the sweep has read the row");
  await settle(dispatcher);
  assert.deepEqual(ran, ["ends"]);
  assert.deepEqual(await rows(test), []);
  await dispatcher.stop();
});
