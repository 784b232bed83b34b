import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import {
  rebuildIndex,
  refillEmptied,
  refillIndex,
} from "../../../domain/indexing/rebuild_index.ts";
import { reindex } from "../../../domain/indexing/reindex.ts";
import type { Job } from "../../../domain/store/jobs.ts";
import * as keys from "../../../domain/store/keys.ts";
import type { Service } from "../../../domain/core/service.ts";
import { eventually } from "../../eventually.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

/** Stops a service with an index file, runs `damage` on the file, and starts the service again. */
async function withDamage(damage: (path: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/kv.index.sqlite`;
  using kv = await Deno.openKv(":memory:");
  try {
    const { owner, gone } = await (async () => {
      const searchIndex = openEmbeddedIndex({ path });
      await using test = await testService({ kv, parts: { searchIndex } });
      const owner = await account(test);
      const box = await mailbox(test, owner), gone = await mailbox(test, owner);
      for (let n = 0; n < 70; n++) {
        await deliver(test, box.email_address, message({ Subject: `Walrus ${n}` }));
      }
      await deliver(test, gone.email_address, message({ Subject: "Walrus of another mailbox" }));
      await test.settle();
      return { owner, gone };
    })();
    await damage(path);
    const searchIndex = openEmbeddedIndex({ path });
    await using test = await testService({ kv, parts: { searchIndex } });
    const search = async () =>
      (await (await test.request("/v1/api/search", {
        token: owner.key,
        json: { query: "walrus", limit: 100 },
      })).json()).results.length;
    const isEmpty = await searchIndex.isEmpty();
    assert.equal(await search(), isEmpty ? 0 : 71);
    await data(test.request("/v1/api/emails?limit=1", { token: owner.key }));
    await test.request(`/v1/api/mailboxes/${gone.mailbox_id}`, {
      method: "DELETE",
      token: owner.key,
      json: { confirm_email_address: gone.email_address },
    });
    await refillIndex(test.service, isEmpty);
    await test.settle();
    assert.equal(await search(), 70);
    assert.deepEqual(
      test.log.filter(({ event }) => event.startsWith("search.index_re")).map(({ event }) => event),
      isEmpty ? ["search.index_rebuilding", "search.index_rebuilt"] : [],
    );
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("an index file of random bytes is rebuilt from the store", () =>
  withDamage((path) => Deno.writeFile(path, crypto.getRandomValues(new Uint8Array(20_000)))));

Deno.test("an index file that was cut is rebuilt from the store", () =>
  withDamage((path) => Deno.truncate(path, 10_000)));

Deno.test("an index file that was deleted is rebuilt from the store", () =>
  withDamage((path) => Deno.remove(path)));

Deno.test("an index file of an older version is rebuilt from the store", () =>
  withDamage((path) => {
    const db = new DatabaseSync(path);
    db.exec("pragma user_version = 1; alter table documents rename column length to words");
    db.close();
    return Promise.resolve();
  }));

Deno.test("an intact index file is not rebuilt", () => withDamage(() => Promise.resolve()));

Deno.test("after a reindex that was killed the next start rebuilds the index", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 70; n++) {
    await deliver(test, box.email_address, message({ Subject: `Walrus ${n}` }));
  }
  await test.settle();
  const found = async () => {
    const query = { query: "walrus", limit: 100 };
    const answer = test.request("/v1/api/search", { token: owner.key, json: query });
    return (await (await answer).json()).results.length;
  };
  const killed = () => {
    throw new Error("killed");
  };
  await assert.rejects(reindex(test.service, killed), { message: "killed" });
  assert.equal(await found(), 64);
  const isEmpty = false;
  await refillIndex(test.service, isEmpty);
  await test.settle();
  assert.equal(await found(), 70);
  await reindex(test.service);
  await refillIndex(test.service, isEmpty);
  const rebuilds = test.log.filter(({ event }) => event === "search.index_rebuilding");
  assert.equal(rebuilds.length, 1);
});

Deno.test("an index that is emptied while the service runs is rebuilt once the database takes the job", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 70; n++) {
    await deliver(test, box.email_address, message({ Subject: `Walrus ${n}` }));
  }
  await test.settle();
  await test.service.searchIndex.reset();
  const { service } = test;
  let refused = 0;
  const database = Object.assign(Object.create(service.database), {
    async collect(...args: Parameters<typeof service.database.collect>) {
      if (refused++ === 0) throw new Error("database is locked");
      return await service.database.collect(...args);
    },
  });
  const clock = Object.assign(Object.create(service.clock), {
    after(delayMs: number, run: () => void) {
      return service.clock.after(delayMs === 10_000 ? 0 : delayMs, run);
    },
  });
  await refillEmptied({ ...service, database, clock });
  // The second refill is no job, so that nothing but its event says that its job is there.
  const isAdded = () => test.log.some(({ event }) => event === "search.index_rebuilding");
  await eventually("the database takes the job", isAdded, test.log);
  await test.settle();
  const query = { query: "walrus", limit: 100 };
  const answer = await test.request("/v1/api/search", { token: owner.key, json: query });
  assert.equal((await answer.json()).results.length, 70);
  const events = test.log.map(({ event }) => event).filter((event) => event.startsWith("search."));
  assert.deepEqual(events, [
    "search.refill_failed",
    "search.index_rebuilding",
    "search.index_rebuilt",
  ]);
});

/** An account with one indexed email, and no worker any more. */
async function oneEmail(test: TestService): Promise<TestAccount> {
  const owner = await account(test), box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Walrus" }));
  await test.settle();
  await test.dispatcher.stop();
  return owner;
}

/** The jobs that rebuild the index. */
async function rebuilds({ database }: Service): Promise<Job<"rebuild_index">[]> {
  const jobs = await database.collect<Job>({ prefix: keys.jobsDue() });
  return jobs.map(({ value }) => value).filter(({ kind }) => kind === "rebuild_index") as Job<
    "rebuild_index"
  >[];
}

Deno.test("an index that is emptied during its rebuild is rebuilt from the first email by one job", async () => {
  await using test = await testService({ instances: 1 });
  await oneEmail(test);
  const { service } = test;
  await refillIndex(service, true);
  const [first] = await rebuilds(service);
  await refillIndex(service, true);
  const [second, ...more] = await rebuilds(service);
  assert.notEqual(second.jobId, first.jobId);
  assert.deepEqual(more, []);
  await rebuildIndex(service, first);
  assert.deepEqual(await rebuilds(service), [second]);
});

Deno.test("while the index is rebuilt a search is degraded", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await oneEmail(test);
  const { service } = test;
  const search = async () => {
    const query = { query: "walrus" };
    const answer = test.request("/v1/api/search", { token: owner.key, json: query });
    const { results, degraded } = await (await answer).json();
    return { found: results.length, degraded };
  };
  await service.searchIndex.reset();
  await refillIndex(service, true);
  assert.deepEqual(await search(), { found: 0, degraded: true });
  for (let batch = 0; batch < 2; batch++) {
    const [job] = await rebuilds(service);
    assert.equal((await search()).degraded, true);
    await rebuildIndex(service, job);
  }
  assert.deepEqual(await search(), { found: 1, degraded: undefined });
});

Deno.test("the rebuild leaves mail that is not parsed yet to its own job", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.dispatcher.stop();
  await deliver(test, box.email_address, message({}, "tusk\n".repeat(10_000)));
  await deliver(test, box.email_address, message({}, "tusk"));
  const { parsing } = test.service;
  let parsed = 0;
  test.service.parsing = { ...parsing, parse: (source) => (parsed++, parsing.parse(source)) };
  test.service.parsedBodies.clear();
  const times = { runAt: 0, createdAt: 0, dueAt: 0 };
  const payload = { after: null };
  const job = { jobId: "rebuild", kind: "rebuild_index" as const, payload, attempts: 0, ...times };
  await rebuildIndex(test.service, job);
  assert.equal(parsed, 1);
});
