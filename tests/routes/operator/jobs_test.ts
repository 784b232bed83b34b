import assert from "node:assert/strict";
import { BlobWriter, sweepOrphans } from "../../../domain/store/blobs.ts";
import * as keys from "../../../domain/store/keys.ts";
import { data, operatorToken as token, type TestService, testService } from "../../service.ts";

/** Adds a waiting job and a dead one without a dispatcher, so that neither runs. */
async function twoJobs(test: TestService): Promise<{ waiting: string; dead: string }> {
  const { database, jobs, clock } = test.service;
  const later = clock.now() + 3_600_000;
  return await database.transact((tx) => {
    const waiting = jobs.add(tx, "purge_webhook", { webhookId: "w1" }, later);
    const dead = jobs.add(tx, "purge_webhook", { webhookId: "w2" }, later);
    jobs.deadLetter(tx, dead, "Error: no luck");
    return { waiting: waiting.jobId, dead: dead.jobId };
  });
}

const list = (test: TestService, query = "") =>
  data(test.request(`/operator/jobs${query}`, { token }));

Deno.test("the operator lists jobs by state, a dead one with its error", async () => {
  await using test = await testService();
  const ids = await twoJobs(test);
  const hour = 3_600_000;
  const common = {
    kind: "purge_webhook",
    created_at: new Date(test.clock.now()).toISOString(),
    run_at: new Date(test.clock.now() + hour).toISOString(),
  };
  const waiting = {
    ...common,
    ...{ job_id: ids.waiting, state: "waiting", attempts: 0, last_error: null },
  };
  const dead = {
    ...common,
    ...{ job_id: ids.dead, state: "dead", attempts: 1, last_error: "Error: no luck" },
  };
  assert.deepEqual(await list(test, "?state=waiting"), [waiting]);
  assert.deepEqual(await list(test, "?state=running"), []);
  assert.deepEqual(await list(test, "?state=dead"), [dead]);
  assert.deepEqual(await list(test), [waiting, dead]);
  assert.equal((await test.request("/operator/jobs?state=lost", { token })).status, 400);
  assert.equal((await test.request("/operator/jobs", { token: "wrong" })).status, 401);
});

Deno.test("jobs are listed in pages, and a list of dead jobs reads no other row", async () => {
  await using test = await testService({ instances: 1 });
  const { database, jobs, clock } = test.service;
  const due: string[] = [], dead: string[] = [];
  for (let n = 0; n < 12; n++) {
    await database.transact((tx) => {
      // Some of the same time.
      const runAt = clock.now() + 3_600_000 + n % 3;
      for (let i = 0; i < 50; i++) {
        due.push(jobs.add(tx, "purge_webhook", { webhookId: "w" }, runAt).jobId);
      }
      const failed = jobs.add(tx, "purge_webhook", { webhookId: "w" }, runAt);
      jobs.deadLetter(tx, failed, "Error: no luck");
      dead.push(failed.jobId);
    });
  }
  let reads = 0;
  const rows = database.list.bind(database);
  database.list = <T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    if ("prefix" in selector && selector.prefix[0] === "jobs_due") reads++;
    return rows<T>(selector, options);
  };
  const pages = async (query: string) => {
    const found: string[] = [];
    let cursor = "", count = 0;
    do {
      const path = `/operator/jobs?${query}${cursor && `&cursor=${cursor}`}`;
      const { data, meta } = await (await test.request(path, { token })).json();
      found.push(...data.map((job: { job_id: string }) => job.job_id));
      assert.equal(meta.has_more, meta.next_cursor !== null);
      cursor = meta.next_cursor ?? "";
      count++;
    } while (cursor !== "");
    return { found, count };
  };
  assert.deepEqual(await pages("state=dead&limit=5"), { found: dead, count: 3 });
  assert.equal(reads, 0);
  const all = await pages("limit=100");
  assert.equal(all.count, 7);
  assert.equal(new Set(all.found).size, all.found.length);
  assert.deepEqual(all.found.slice(0, 600).toSorted(), due.toSorted());
  assert.deepEqual(all.found.slice(600), dead);
  // Without a limit a page has 500.
  const { data: page, meta } = await (await test.request("/operator/jobs", { token })).json();
  assert.equal(page.length, 500);
  assert.deepEqual({ ...meta, next_cursor: typeof meta.next_cursor }, {
    limit: 500,
    has_more: true,
    next_cursor: "string",
  });
  assert.equal((await test.request("/operator/jobs?cursor=x", { token })).status, 400);
});

Deno.test("a job that runs is listed as running", async () => {
  await using test = await testService();
  const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
  const { arrivalLoad, database, jobs } = test.service;
  arrivalLoad.idle = () => hanging;
  const payload = { userId: "u", emailId: "e" };
  const { jobId } = await database.transact((tx) => jobs.add(tx, "process_email", payload));
  const found = await list(test, "?state=running");
  assert.deepEqual(found.map((job: { job_id: string }) => job.job_id), [jobId]);
  assert.deepEqual(await list(test, "?state=waiting"), []);
  release();
  await test.settle();
  assert.deepEqual(await list(test), []);
});

Deno.test("a retried dead job runs at once, from its first attempt", async () => {
  await using test = await testService();
  const { waiting, dead } = await twoJobs(test);
  const retried = await data(
    test.request(`/operator/jobs/${dead}/retry`, { method: "POST", token }),
  );
  assert.deepEqual([retried.job_id, retried.state, retried.attempts], [dead, "waiting", 0]);
  assert.equal(retried.run_at, new Date(test.clock.now()).toISOString());
  await test.settle();
  // Its worker has done it.
  assert.deepEqual((await list(test)).map((job: { job_id: string }) => job.job_id), [waiting]);
  const again = await test.request(`/operator/jobs/${dead}/retry`, { method: "POST", token });
  assert.equal(again.status, 404);
});

Deno.test("a deleted dead job is gone, and never runs", async () => {
  await using test = await testService();
  const { dead } = await twoJobs(test);
  const deadJobs = async () => (await data(test.request("/v1/api/health"))).dead_jobs;
  assert.equal(await deadJobs(), 1);
  const deleted = await data(test.request(`/operator/jobs/${dead}`, { method: "DELETE", token }));
  assert.deepEqual([deleted.job_id, deleted.state], [dead, "dead"]);
  assert.deepEqual(await list(test, "?state=dead"), []);
  // On a store that several processes write it may be 10 s old.
  await test.advance(10_000);
  assert.equal(await deadJobs(), 0);
  assert.equal(await test.service.database.get(keys.jobDead(dead)), null);
});

Deno.test("an unknown job is 404; one that is not dead is 409 and stays", async () => {
  await using test = await testService();
  const { waiting } = await twoJobs(test);
  for (const [method, suffix] of [["POST", "/retry"], ["DELETE", ""]]) {
    const answer = (id: string) => test.request(`/operator/jobs/${id}${suffix}`, { method, token });
    assert.equal((await answer("unknown")).status, 404);
    const refused = await answer(waiting);
    assert.equal(refused.status, 409);
    assert.equal((await refused.json()).error.code, "CONFLICT");
  }
  assert.equal((await list(test, "?state=waiting")).length, 1);
});

for (const size of ["small", "large"]) {
  Deno.test(`the bytes of a ${size} delivery report go with its dead job, and the sweep finds none`, async () => {
    await using test = await testService({ instances: 1 });
    const { database, jobs, clock } = test.service;
    const writer = new BlobWriter(test.service);
    await writer.write(new Uint8Array(size === "large" ? 100_000 : 40));
    const blob = await writer.finish();
    const jobId = await database.transact((tx) => {
      blob.attach(tx);
      const payload = { userId: "u", emailId: "e", recipient: "a@b.example", raw: blob.ref };
      const job = jobs.add(tx, "read_bounce", payload, clock.now() + 3_600_000);
      jobs.deadLetter(tx, job, "Error: no luck");
      return job.jobId;
    });
    await data(test.request(`/operator/jobs/${jobId}`, { method: "DELETE", token }));
    await test.settle();
    assert.equal(await sweepOrphans(database, clock.now()), 0);
    for (const prefix of [["blob_chunks"], ["blobs_pending"], ["jobs_dead"]]) {
      assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix }, { batchSize: 10 })), []);
    }
  });
}

Deno.test("bytes that a deleted dead job was to remove go at the next sweep", async () => {
  await using test = await testService({ instances: 1 });
  const { database, jobs, clock } = test.service;
  const writer = new BlobWriter(test.service);
  await writer.write(new Uint8Array(100_000));
  const blob = await writer.finish();
  const jobId = await database.transact(async (tx) => {
    await blob.attach(tx);
    const { blobId } = blob.ref;
    const job = jobs.add(tx, "remove_blob", { userId: "u", blobId }, clock.now() + 3_600_000);
    jobs.deadLetter(tx, job, "Error: no luck");
    return job.jobId;
  });
  await data(test.request(`/operator/jobs/${jobId}`, { method: "DELETE", token }));
  assert.equal(await sweepOrphans(database, clock.now()), 1);
  for (const prefix of [["blob_chunks"], ["blobs_pending"], ["jobs_dead"]]) {
    assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix }, { batchSize: 10 })), []);
  }
});
