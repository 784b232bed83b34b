import assert from "node:assert/strict";
import type { Service } from "../../domain/core/service.ts";
import { Jobs, leaseMs } from "../../domain/store/jobs.ts";
import { openDatabase } from "../remote_kv/remote_database.ts";
import { RemoteKv } from "../remote_kv/remote_kv.ts";
import { FakeClock, testService } from "../service.ts";
import { Dispatcher, renewAheadMs } from "../../workers/dispatch.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import { eventually } from "../eventually.ts";

const jobCount = 1_000;

/** As the service does it: what a busy database did not take is left to the next sweep. */
async function sweep(dispatcher: Dispatcher): Promise<void> {
  try {
    await dispatcher.sweep();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "SERVICE_UNAVAILABLE") throw error;
  }
}

Deno.test("leases of a thousand jobs are renewed together; none is taken while their instance lives, and each is taken once when it is gone", async () => {
  await using remote = new RemoteKv({ readMs: [5, 15], writeMs: [20, 40] });
  const clock = new FakeClock();
  await using test = await testService({ remote, instances: 1, parts: { clock } });
  test.service.jobs.listen(null);
  const instance = async () => {
    const database = await openDatabase(remote);
    const jobs = new Jobs(test.service.ids, clock);
    const service: Service = { ...test.service, database, jobs };
    const held = new Set<string>();
    // One hangs, the others wait for it.
    const dispatcher = new Dispatcher(service, {
      purge_webhook: { concurrency: 1, run: () => new Promise(() => {}) },
    });
    const accept = dispatcher.accept.bind(dispatcher);
    dispatcher.accept = (job) => (held.add(job.jobId), accept(job));
    return { database, service, dispatcher, held };
  };
  const [first, second, third] = [await instance(), await instance(), await instance()];
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
  for (let passed = 0; passed < 3 * leaseMs; passed += 5_000) {
    clock.advance(5_000);
    const from = performance.now();
    await sweep(first.dispatcher);
    const ms = performance.now() - from;
    assert.ok(ms < renewAheadMs, `a sweep took ${ms} ms`);
    await sweep(second.dispatcher);
    assert.equal(second.held.size, 0);
  }
  assert.equal(first.held.size, jobCount);
  clock.advance(leaseMs + 1);
  await eventually("every job is taken", async () => {
    await Promise.all([sweep(second.dispatcher), sweep(third.dispatcher)]);
    return second.held.size + third.held.size >= jobCount;
  });
  assert.equal(second.held.intersection(third.held).size, 0);
  assert.equal(second.held.size + third.held.size, jobCount);
  // How many each takes depends on their speed: the faster may take all.
  for (const { database } of [first, second, third]) await database[Symbol.asyncDispose]();
});
