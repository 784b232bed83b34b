import assert from "node:assert/strict";
import { systemIds } from "../../../domain/core/ids.ts";
import { createLog } from "../../../domain/core/log.ts";
import { Database } from "../../../domain/store/database.ts";
import { removeExpired } from "../../../domain/store/expiry.ts";
import { account, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { sweepRegularly } from "../../../workers/sweep.ts";
import { eventually } from "../../eventually.ts";

const hourMs = 3_600_000;

/** A store whose commits can fail, and which counts the rows that the database itself would remove. */
async function withStore(
  body: (it: {
    kv: Deno.Kv;
    clock: FakeClock;
    open: (exclusive?: boolean) => Database;
    expiring: () => number;
    failWith: (message: string | null) => void;
    sweep: () => Promise<number>;
    left: () => Promise<string[]>;
  }) => Promise<void>,
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  const log = createLog({ level: "error", format: "json", write: () => {} });
  let expiring = 0;
  let failure: string | null = null;
  const make = kv.atomic.bind(kv);
  kv.atomic = () => {
    const atomic = make();
    const set = atomic.set.bind(atomic), commit = atomic.commit.bind(atomic);
    atomic.set = (key, value, options) => {
      if (options?.expireIn !== undefined) expiring++;
      set(key, value, options);
      return atomic;
    };
    atomic.commit = () => failure ? Promise.reject(new Error(failure)) : commit();
    return atomic;
  };
  const open = (exclusive = true) => new Database(kv, { log, exclusive, clock });
  await body({
    kv,
    clock,
    open,
    expiring: () => expiring,
    failWith: (message) => failure = message,
    sweep: () => removeExpired(open(), clock.now()),
    left: async () =>
      (await Array.fromAsync(kv.list({ prefix: [] }))).map(({ key }) => String(key[0])),
  });
}

Deno.test("an exclusive store does not let the database remove rows; a shared one does", () =>
  withStore(async ({ open, expiring }) => {
    await open().transact((tx) => tx.set(["a"], 1, { expireInMs: hourMs }));
    assert.equal(expiring(), 0);
    await open(false).transact((tx) => tx.set(["b"], 1, { expireInMs: hourMs }));
    // The row, and that of its writer.
    assert.equal(expiring(), 2);
  }));

Deno.test("the sweep removes a row once its time has come, and its list with it", () =>
  withStore(async ({ open, clock, sweep, left }) => {
    const database = open();
    await database.transact((tx) => {
      tx.set(["short"], 1, { expireInMs: hourMs });
      tx.set(["long"], 1, { expireInMs: 2 * hourMs });
      tx.set(["stays"], 1);
    });
    clock.advance(hourMs - 1);
    assert.equal(await sweep(), 0);
    clock.advance(2);
    assert.equal(await sweep(), 1);
    assert.deepEqual(await left(), ["expiring", "long", "stays"]);
    clock.advance(hourMs);
    assert.equal(await sweep(), 1);
    assert.deepEqual(await left(), ["stays"]);
  }));

Deno.test("a row that is written again expires at the time of its last write", () =>
  withStore(async ({ open, clock, sweep, left }) => {
    const database = open();
    const write = (key: string, options?: { expireInMs: number }) =>
      database.transact((tx) => tx.set([key], clock.now(), options));
    for (const key of ["renewed", "kept"]) await write(key, { expireInMs: hourMs });
    clock.advance(hourMs / 2);
    await write("renewed", { expireInMs: hourMs });
    await write("kept");
    clock.advance(hourMs / 2 + 1);
    assert.equal(await sweep(), 0);
    assert.deepEqual(await left(), ["expiring", "kept", "renewed"]);
    clock.advance(hourMs);
    assert.equal(await sweep(), 1);
    assert.deepEqual(await left(), ["kept"]);
  }));

Deno.test("a row expires the same in a large and a small commit, and one sweep removes a thousand", () =>
  withStore(async ({ open, clock, sweep, left }) => {
    const database = open();
    await Promise.all(
      Array.from(
        { length: 1_000 },
        (_, n) =>
          database.transact((tx) => tx.set(["many", n], "x".repeat(50), { expireInMs: hourMs })),
      ),
    );
    await database.transact((tx) => {
      for (let n = 0; n < 900; n++) tx.set(["one", "x", n], n, { expireInMs: hourMs });
    });
    clock.advance(hourMs + 1);
    assert.equal(await sweep(), 1_900);
    assert.deepEqual(await left(), []);
  }));

Deno.test("a transaction that has read a row which the sweep removes runs again", () =>
  withStore(async ({ open, clock, kv }) => {
    const database = open();
    await database.transact((tx) => tx.set(["n"], 1, { expireInMs: 2 * 24 * hourMs }));
    clock.advance(2 * 24 * hourMs + 1);
    let runs = 0;
    const swept = Promise.withResolvers<void>();
    const done = database.transact(async (tx) => {
      const n = await tx.get<number>(["n"]);
      if (runs++ === 0) await swept.promise;
      tx.set(["n"], (n ?? 0) + 10);
    });
    assert.equal(await removeExpired(database, clock.now()), 1);
    swept.resolve();
    await done;
    assert.equal((await kv.get(["n"])).value, 10);
    assert.equal(await database.get(["n"]), 10);
  }));

Deno.test("on a full disk the sweep fails and loses nothing; with space it continues by itself", async () => {
  const clock = new FakeClock();
  await using test = await testService({ instances: 1, parts: { clock } });
  const end = sweepRegularly(test.service);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message());
  const arrivals = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: ["arrivals"] }))).length;
  const commit = test.kv.atomic.bind(test.kv);
  test.kv.atomic = () => {
    const atomic = commit();
    atomic.commit = () => Promise.reject(new Error("database or disk is full"));
    return atomic;
  };
  const failures = () => test.log.filter(({ event }) => event === "store.sweep_failed").length;
  clock.advance(31 * 24 * hourMs);
  await eventually("a sweep fails", () => (clock.advance(60_000), failures() > 0), test.log);
  assert.equal(await arrivals(), 1);
  test.kv.atomic = commit;
  await eventually("a sweep succeeds", async () => {
    clock.advance(60_000);
    return await arrivals() === 0;
  }, test.log);
  await end();
});

Deno.test("a list has only keys, so it reveals nothing more than its rows", () =>
  withStore(async ({ open, kv }) => {
    const database = open();
    const ids = systemIds();
    await database.transact((tx) => tx.set(["a", ids.timed(1)], "secret", { expireInMs: hourMs }));
    const [list] = await Array.fromAsync(kv.list<Deno.KvKey[]>({ prefix: ["expiring"] }));
    assert.deepEqual(list.value.map((key) => key[0]), ["a"]);
    assert.doesNotMatch(JSON.stringify(list.value), /secret/);
  }));
