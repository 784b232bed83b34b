import assert from "node:assert/strict";
import { systemClock } from "../../../../domain/core/clock.ts";
import { systemIds } from "../../../../domain/core/ids.ts";
import { ServiceError } from "../../../../domain/core/errors.ts";
import { createLog } from "../../../../domain/core/log.ts";
import { StartError } from "../../../../domain/core/settings/start_error.ts";
import { atStart } from "../../../../domain/store/open_store.ts";
import { Connection } from "../../../../domain/store/remote/connection.ts";
import { patience } from "../../../nightly.ts";
import type { Faults } from "../../../remote_kv/faults.ts";
import { fastClock, openDatabase } from "../../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import { testService } from "../../../service.ts";

const silentLog = createLog({ level: "error", format: "json", write: () => {} });

/** How the work ends, and after how many ms. */
async function timed(work: () => Promise<unknown>): Promise<{ end: string; ms: number }> {
  const from = performance.now();
  const end = await work().then(() => "ok", (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.retryAfterSeconds, 1);
    return error.code;
  });
  return { end, ms: performance.now() - from };
}

Deno.test("while a remote database is away reads and commits are 503 in time, and they work within 2 s of its return", async () => {
  const kinds = ["down", "silent", "refused", "gone"] as const;
  await Promise.all(kinds.map(async (all) => {
    await using remote = new RemoteKv();
    await using database = await openDatabase(remote);
    await database.transact((tx) => tx.set(["n"], 1));
    const leave = () => all === "gone" ? remote.leave() : void (remote.faults = { all });
    const comeBack = () => all === "gone" ? remote.return() : void (remote.faults = {});
    leave();
    const [read, range, commit, late] = await Promise.all([
      timed(() => database.get(["n"])),
      timed(() => database.collect({ prefix: ["t"] })),
      timed(() => database.transact((tx) => tx.set(["n"], 2))),
      // Begins while the others still try.
      new Promise((done) => setTimeout(done, 200)).then(() =>
        timed(() => database.transact((tx) => tx.set(["late"], 2)))
      ),
    ]);
    assert.deepEqual([read.end, range.end, commit.end], Array(3).fill("SERVICE_UNAVAILABLE"), all);
    assert.ok(Math.max(read.ms, range.ms) < 3_300 * patience, `${all}: a read took ${read.ms} ms`);
    assert.ok(
      Math.max(commit.ms, late.ms) < 8_000 * patience,
      `${all}: commits took ${commit.ms}, ${late.ms} ms`,
    );
    const next = await timed(() => database.get(["n"]));
    assert.equal(next.end, "SERVICE_UNAVAILABLE", all);
    assert.ok(next.ms < 1_300 * patience, `${all}: a read while it is away took ${next.ms} ms`);
    comeBack();
    const from = performance.now();
    while ((await timed(() => database.get(["n"]))).end !== "ok");
    const backMs = performance.now() - from;
    assert.ok(backMs < 2_000 * patience, `${all}: back after ${backMs} ms`);
    // Whether the commit came to be is open until then. The next one settles it, however late its request arrives.
    await database.transact((tx) => tx.set(["after"], 1));
    const settled = await database.get(["n"]);
    // A request of the commit that is only late would be done within this time.
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await database.get(["n"]), settled, all);
    assert.equal(await database.get(["after"]), 1, all);
  }));
});

Deno.test("requests that are refused with 429, or because reads or writes are switched off, are made again", async () => {
  await using remote = new RemoteKv();
  await using database = await openDatabase(remote);
  for (const fault of ["error429", "disabled"] as const) {
    const faults: Faults = { writes: { [fault]: 1 }, reads: { [fault]: 1 }, most: 3 };
    remote.faults = faults;
    await database.transact((tx) => tx.set([fault], 1));
    remote.faults = faults;
    assert.equal(await database.get([fault]), 1);
    assert.equal((await database.collect({ prefix: [fault] })).length, 0);
  }
});

Deno.test("reads, commits and first requests wait for a remote database that refuses for more than a second", async () => {
  // One after the other: three starts at once on a busy machine leave a read without its answer for 3 s.
  for (const fault of ["error5xx", "error429", "disabled"] as const) {
    const faults: Faults = { reads: { [fault]: 1 }, writes: { [fault]: 1 } };
    await using remote = new RemoteKv();
    await using database = await openDatabase(remote);
    await using first = new RemoteKv();
    await using test = await testService({ remote: first, instances: 1 });
    // The first answer of a process takes longer.
    assert.equal((await test.request("/v1/api/health")).status, 200);
    for (const each of [remote, first]) {
      each.faults = faults;
      // Requests go on for 3 s of real time.
      setTimeout(() => each.faults = {}, 1_100);
    }
    const [read, range, commit, response] = await Promise.all([
      timed(() => database.get(["n"])),
      timed(() => database.collect({ prefix: ["t"] })),
      timed(() => database.transact((tx) => tx.set(["n"], 2))),
      test.request("/v1/api/emails", { token: `lb_${"a".repeat(40)}` }),
    ]);
    assert.deepEqual([read.end, range.end, commit.end], ["ok", "ok", "ok"], fault);
    assert.ok(read.ms > 1_000 && commit.ms > 1_000, `${fault}: it was away`);
    // The credential was looked up: the answer is not 503.
    assert.equal(response.status, 401, fault);
    await response.body?.cancel();
  }
});

Deno.test("a handle that a database refuses while it is away is closed", async () => {
  let open = 0;
  let isAway = true;
  const get = () => {
    if (isAway) return Promise.reject(new Error("KV Connect failed: status=401"));
    return Promise.resolve({ key: [], value: null, versionstamp: null });
  };
  const openHandle = () => {
    open++;
    return { get, close: () => open-- } as unknown as Deno.Kv;
  };
  const parts = { clock: fastClock, ids: systemIds(), log: silentLog };
  const reopen = () => Promise.resolve(openHandle());
  const connection = new Connection(openHandle(), parts, { reopen });
  const read = () => connection.read((kv) => kv.get(["n"]));
  await assert.rejects(read(), { code: "SERVICE_UNAVAILABLE" });
  await assert.rejects(read(), { code: "SERVICE_UNAVAILABLE" });
  assert.equal(open, 1);
  isAway = false;
  await read();
  connection.close();
  assert.equal(open, 0);
});

Deno.test("a start waits for a remote database that is away for a second", async () => {
  await using remote = new RemoteKv();
  remote.faults = { all: "down" };
  // The start tries again in real time.
  setTimeout(() => remote.faults = { writes: { error429: 1 }, most: 2 }, 900);
  const kv = await atStart(systemClock, remote.url, () => remote.open());
  await atStart(systemClock, remote.url, () => kv.set(["row"], 1));
  assert.equal(remote.faultsInjected, 2);
  kv.close();
});

Deno.test("health is 503 while the remote database is away, names its checks, and is 200 after its return", async () => {
  await using remote = new RemoteKv();
  await using test = await testService({ remote });
  assert.equal((await test.request("/v1/api/health")).status, 200);
  remote.faults = { all: "down" };
  const away = await test.request("/v1/api/health");
  assert.equal(away.status, 503);
  assert.equal(away.headers.get("retry-after"), "1");
  const { checks } = (await away.json()).error.details;
  assert.deepEqual(checks, { kv: "down", queue: "down", search: "ok" });
  remote.faults = {};
  const from = performance.now();
  for (;;) {
    const answer = await test.request("/v1/api/health");
    await answer.body?.cancel();
    if (answer.status === 200) break;
  }
  const backMs = performance.now() - from;
  assert.ok(backMs < 2_500 * patience, `back after ${backMs} ms`);
});

Deno.test("a start without a reachable database ends in one sentence", async () => {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "any");
  const start = async (all: Faults["all"] | "gone", said: RegExp) => {
    await using remote = new RemoteKv();
    if (all === "gone") remote.leave();
    else remote.faults = { all };
    const error = await atStart(fastClock, remote.url, () => Deno.openKv(remote.url))
      .then((kv) => kv.close(), (error) => error);
    if (all === "gone") remote.return();
    assert.ok(error instanceof StartError, String(error));
    assert.ok(error.message.startsWith(`KV_PATH: ${remote.url} cannot be used: `), error.message);
    assert.doesNotMatch(error.message, /\n|\. /);
    assert.match(error.message, said);
  };
  await Promise.all([
    start("gone", /failed to connect/),
    start("refused", /401/),
    start("down", /503/),
    start("silent", /does not answer within 10 seconds/),
  ]);
});
