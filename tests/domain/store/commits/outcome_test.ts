import assert from "node:assert/strict";
import { ServiceError } from "../../../../domain/core/errors.ts";
import { createLog } from "../../../../domain/core/log.ts";
import { Database } from "../../../../domain/store/database.ts";
import { type FaultKind, faultKinds } from "../../../remote_kv/faults.ts";
import { fastClock, openDatabase } from "../../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";
import { seeded } from "../../../torture/seeded.ts";

/** Like an operation that creates something unique. */
const create = (database: Database, name: string) =>
  database.transact(async (tx) => {
    if (await tx.get(["things", name]) !== null) throw new ServiceError("CONFLICT");
    tx.set(["things", name], 1);
    tx.set(["count"], (await tx.get<number>(["count"]) ?? 0) + 1);
  });

for (const fault of faultKinds.filter((each) => each !== "late")) {
  Deno.test(`a commit with the fault ${fault} happens once, and its caller sees the success`, async () => {
    await using remote = new RemoteKv();
    await using database = await openDatabase(remote);
    for (let n = 0; n < 3; n++) {
      remote.faults = { writes: { [fault]: 1 }, most: 1 };
      await create(database, `${n}`);
    }
    assert.equal(await database.get(["count"]), 3);
  });
}

Deno.test("a commit whose answer comes after its deadline is recognised as durable, and its callers wait 5 s for it", async () => {
  await using remote = new RemoteKv();
  await using database = await openDatabase(remote, { clock: fastClock });
  remote.faults = { writes: { late: 1 }, most: 1, lateMs: 1_200 };
  const from = fastClock.elapsed();
  await Promise.all([create(database, "a"), create(database, "b")]);
  const ms = fastClock.elapsed() - from;
  // The clock is five times as fast, so a busy machine is four seconds late at most.
  assert.ok(ms >= 4_900 && ms < 25_000, `${ms} ms`);
  await create(database, "c");
  assert.equal(await database.get(["count"]), 3);
});

Deno.test("a commit that did not arrive in time is made void: it is 503, and its request has no effect later", async () => {
  await using remote = new RemoteKv();
  await using database = await openDatabase(remote, { clock: fastClock });
  await create(database, "before");
  // Writes wait for longer than their deadline before they are done; reads are answered.
  remote.faults = { writes: { error5xx: 1 }, onlyTables: ["things"] };
  await assert.rejects(create(database, "a"), { code: "SERVICE_UNAVAILABLE" });
  remote.faults = {};
  // A request that is only late would be done within this time.
  await new Promise((done) => setTimeout(done, 500));
  assert.equal(await database.get(["things", "a"]), null);
  await create(database, "a");
  assert.equal(await database.get(["count"]), 2);
});

Deno.test("a commit that was never sent is 503, also if the commit before it turns out to be durable", async () => {
  const kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json", write: () => {} });
  await using database = Object.assign(new Database(kv, { log, exclusive: false }), {
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  });
  await create(database, "before");
  // The next commit is durable and has no answer; then its outcome cannot be read twice.
  let answersLost = 1, readsLost = 2;
  const { atomic, getMany } = kv;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      const result = await commit();
      if (answersLost-- > 0) throw new ServiceError("SERVICE_UNAVAILABLE");
      return result;
    };
    return operation;
  };
  kv.getMany = (async (rows: Deno.KvKey[]) => {
    const isOutcome = rows[0][0] === "commits" && answersLost <= 0;
    if (isOutcome && readsLost-- > 0) throw new ServiceError("SERVICE_UNAVAILABLE");
    return await getMany.call(kv, rows);
  }) as typeof kv.getMany;
  await assert.rejects(create(database, "a"), { code: "SERVICE_UNAVAILABLE" });
  await assert.rejects(create(database, "b"), { code: "SERVICE_UNAVAILABLE" });
  assert.equal(await database.get(["things", "a"]), 1);
  assert.equal(await database.get(["things", "b"]), null);
  await create(database, "c");
  assert.equal(await database.get(["count"]), 3);
});

Deno.test("a commit that fails although it is durable does not leave its old rows and ranges in memory", async () => {
  const kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json", write: () => {} });
  await using database = Object.assign(new Database(kv, { log, exclusive: true }), {
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  });
  await database.transact((tx) => tx.set(["rows", 1], "old"));
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      await commit();
      throw new TypeError("the answer cannot be read");
    };
    return operation;
  };
  const read = async () => [
    await database.get(["rows", 1]),
    (await database.cachedRange(["rows"])).map(({ value }) => value),
  ];
  assert.deepEqual(await read(), ["old", ["old"]]);
  const failing = database.transact(async (tx) => {
    await tx.get(["rows", 1]);
    tx.set(["rows", 1], "new");
  });
  await assert.rejects(failing, { message: "the answer cannot be read" });
  assert.deepEqual(await read(), ["new", ["new"]]);
});

Deno.test("with a tenth of the commits faulted, three writers create each thing once and count exactly", async () => {
  const random = seeded(7);
  await using remote = new RemoteKv({ readMs: [1, 3], writeMs: [4, 8], random });
  const chance = 0.1 / 7;
  const kinds: FaultKind[] = [...faultKinds].filter((kind) => kind !== "late");
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase(remote)));
  remote.faults = { writes: Object.fromEntries(kinds.map((kind) => [kind, chance])) };
  let made = 0, refused = 0;
  await Promise.all(databases.map(async (database, writer) => {
    for (let n = 0; n < 30; n++) {
      await create(database, `${writer}-${n}`).then(() => made++, (error) => {
        // Only the hot row of this test may be refused.
        assert.equal(error.code, "SERVICE_UNAVAILABLE");
        refused++;
      });
    }
  }));
  remote.faults = {};
  assert.equal(await databases[0].get(["count"]), made);
  assert.equal((await databases[0].collect({ prefix: ["things"] })).length, made);
  assert.ok(made > 80, `${made} made, ${refused} refused`);
  assert.deepEqual(remote.refusals, []);
  for (const database of databases) await database[Symbol.asyncDispose]();
});
