import assert from "node:assert/strict";
import type { Service } from "../../domain/core/service.ts";
import { Jobs, leaseMs } from "../../domain/store/jobs.ts";
import { openDatabase } from "../remote_kv/remote_database.ts";
import { RemoteKv } from "../remote_kv/remote_kv.ts";
import { FakeClock, testService } from "../service.ts";
import { Dispatcher } from "../../workers/dispatch.ts";

const jobCount = 1_000;

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
  await Promise.all(
    Array.from(
      { length: jobCount },
      (_, n) =>
        first.database.transact((tx) =>
          void first.service.jobs.add(tx, "purge_webhook", { webhookId: `${n}` })
        ),
    ),
  );
  for (let passed = 0; passed < 3 * leaseMs; passed += 5_000) {
    clock.advance(5_000);
    const from = performance.now();
    await first.dispatcher.sweep();
    const ms = performance.now() - from;
    assert.ok(ms < 5_000, `a sweep took ${ms} ms`);
    await second.dispatcher.sweep();
    assert.equal(second.held.size, 0);
  }
  assert.equal(first.held.size, jobCount);
  clock.advance(leaseMs + 1);
  await Promise.all([second.dispatcher.sweep(), third.dispatcher.sweep()]);
  assert.equal(second.held.intersection(third.held).size, 0);
  assert.equal(second.held.size + third.held.size, jobCount);
  // How many each takes depends on their speed: the faster may take all.
  for (const { database } of [first, second, third]) await database[Symbol.asyncDispose]();
});
