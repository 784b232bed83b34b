import assert from "node:assert/strict";
import { createLog } from "../../../domain/core/log.ts";
import { ServiceError } from "../../../domain/core/errors.ts";
import { Database } from "../../../domain/store/database.ts";
import { bounded, eventually } from "../../eventually.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });

async function withEntries(
  body: (kv: Deno.Kv, open: (exclusive?: boolean) => Database) => Promise<void>,
): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  try {
    await body(kv, (exclusive = true) => new Database(kv, { log, exclusive }));
  } finally {
    kv.close();
  }
}

Deno.test("transact() of a thousand increments at once counts a thousand, in far fewer commits", () =>
  withEntries(async (kv, open) => {
    const database = open();
    let commits = 0;
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => (commits++, atomic());
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () =>
        database.transact(async (tx) => {
          const next = (await tx.get<number>(["n"]) ?? 0) + 1;
          tx.set(["n"], next);
          return next;
        })),
    );
    assert.deepEqual(
      answers.toSorted((a, b) => a - b),
      Array.from({ length: 1000 }, (_, i) => i + 1),
    );
    assert.equal(await database.get(["n"]), 1000);
    assert.ok(commits < 100, `${commits} commits`);
  }));

Deno.test("two writers on one database lose no update, though each keeps rows in memory", () =>
  withEntries(async (_kv, open) => {
    const writers = [open(false), open(false)];
    await Promise.all(Array.from({ length: 200 }, (_, i) =>
      writers[i % 2].transact(async (tx) => {
        tx.set(["n"], (await tx.get<number>(["n"]) ?? 0) + 1);
      })));
    assert.equal(await writers[0].get(["n"]), 200);
  }));

Deno.test("a transaction that throws writes nothing, and its neighbours in the same commit are kept", () =>
  withEntries(async (_kv, open) => {
    const database = open();
    const outcomes = await Promise.allSettled([
      database.transact((tx) => tx.set(["a"], 1)),
      database.transact((tx) => {
        tx.set(["b"], 1);
        throw new ServiceError("CONFLICT");
      }),
      database.transact((tx) => tx.set(["c"], 1)),
    ]);
    assert.deepEqual(outcomes.map((each) => each.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await database.getMany([["a"], ["b"], ["c"]]), [1, null, 1]);
  }));

for (const exclusive of [true, false]) {
  const where = exclusive ? "exclusive" : "shared";
  Deno.test(`if a row was wrongly assumed to be absent, it is read before any caller gets a result: ${where}`, () =>
    withEntries(async (kv, open) => {
      await kv.set(["seen", "old"], 1);
      const database = open(exclusive);
      const once = (id: string) =>
        database.transact(async (tx) => {
          if (await tx.get(["seen", id], { likelyAbsent: true }) !== null) return "again";
          const count = await tx.get<number>(["count"]) ?? 0;
          tx.set(["seen", id], 1);
          tx.set(["count"], count + 1);
          return "first";
        });
      const ids = ["new1", "old", "new2", "new1"];
      assert.deepEqual(await Promise.all(ids.map(once)), ["first", "again", "first", "again"]);
      assert.deepEqual(await Promise.all(ids.map(once)), ["again", "again", "again", "again"]);
      assert.equal((await kv.get(["count"])).value, 2);
    }));

  Deno.test(`a result without a write is not based on an assumption: ${where}`, () =>
    withEntries(async (kv, open) => {
      await kv.set(["taken"], "by another");
      const database = open(exclusive);
      const owner = () => database.transact((tx) => tx.get(["taken"], { likelyAbsent: true }));
      assert.equal(await owner(), "by another");
      await assert.rejects(
        database.transact(async (tx) => {
          if (await tx.get(["taken"], { likelyAbsent: true }) === null) throw new Error("free");
          throw new Error("taken");
        }),
        /taken/,
      );
    }));
}

Deno.test("a row is checked even if only one of two simultaneous reads assumed that it is absent", () =>
  withEntries(async (kv, open) => {
    await kv.set(["k"], "there");
    const database = open();
    const answers = await database.transact(async (tx) => {
      tx.set(["w"], 1);
      return await Promise.all([tx.get(["k"], { likelyAbsent: true }), tx.get(["k"])]);
    });
    assert.deepEqual(answers, ["there", "there"]);
  }));

Deno.test("rows that are usually absent are not read, except for a second after one existed", () =>
  withEntries(async (kv, open) => {
    const database = open();
    let reads = 0;
    const getMany = kv.getMany.bind(kv);
    kv.getMany = ((...given: Parameters<typeof getMany>) => (reads++, getMany(...given))) as never;
    const put = (id: string) =>
      database.transact(async (tx) => {
        if (await tx.get(["seen", id], { likelyAbsent: true }) === null) tx.set(["seen", id], 1);
      });
    for (const id of ["a", "b", "c"]) await put(id);
    assert.equal(reads, 0);
    await kv.set(["seen", "d"], 1);
    await put("d");
    assert.equal(reads, 1);
    await put("e");
    assert.equal(reads, 2);
  }));

Deno.test("a value too large fails its own transaction and not those that waited with it", () =>
  withEntries(async (_kv, open) => {
    const database = open();
    const outcomes = await Promise.allSettled([
      database.transact((tx) => tx.set(["a"], 1)),
      database.transact((tx) => tx.set(["big"], new Uint8Array(70_000))),
      database.transact((tx) => tx.set(["c"], 1)),
    ]);
    assert.deepEqual(outcomes.map((each) => each.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await database.getMany([["a"], ["big"], ["c"]]), [1, null, 1]);
  }));

Deno.test("more rows than one atomic takes are spread over several, each transaction whole", () =>
  withEntries(async (_kv, open) => {
    const database = open();
    await Promise.all(Array.from({ length: 40 }, (_, i) =>
      database.transact((tx) => {
        for (let n = 0; n < 2; n++) tx.set(["rows", i, n], new Uint8Array(30_000));
      })));
    assert.equal((await database.collect({ prefix: ["rows"] })).length, 80);
  }));

Deno.test("a database that is locked for a moment is waited for; one that stays locked is 503 and heals by itself", () =>
  withEntries(async (kv, open) => {
    const database = open();
    const atomic = kv.atomic.bind(kv);
    let locked = 2;
    kv.atomic = () => {
      if (locked-- > 0) throw new TypeError("database is locked");
      return atomic();
    };
    await database.transact((tx) => tx.set(["a"], 1));
    assert.equal(await database.get(["a"]), 1);
    locked = Infinity;
    await assert.rejects(
      database.transact((tx) => tx.set(["a"], 2)),
      (error: ServiceError) => error.code === "SERVICE_UNAVAILABLE",
    );
    assert.equal(await database.get(["a"]), 1);
    locked = 0;
    await database.transact((tx) => tx.set(["a"], 3));
    assert.equal(await database.get(["a"]), 3);
  }));

/** Makes every commit of the database wait for `allow`, which decides its outcome. */
function heldCommits(kv: Deno.Kv) {
  type Ending = "commit" | "lose" | "fail";
  const held: { end(how: Ending): void; ended: Promise<void> }[] = [];
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      const order = Promise.withResolvers<Ending>(), ended = Promise.withResolvers<void>();
      held.push({ end: order.resolve, ended: ended.promise });
      try {
        const how = await order.promise;
        if (how === "fail") throw new Error("the value cannot be stored");
        return how === "commit" ? await commit() : { ok: false };
      } finally {
        ended.resolve();
      }
    };
    return operation;
  };
  const turns = async () => {
    for (let n = 0; n < 8; n++) await new Promise((done) => setTimeout(done, 0));
  };
  /** Resolves once a commit waits. */
  const begun = () => eventually("a commit begins", () => held.length > 0);
  return {
    begun,
    async allow(how: Ending) {
      await begun();
      await turns();
      assert.equal(held.length, 1, "one commit is in flight, never two");
      const { end, ended } = held.shift()!;
      end(how);
      await ended;
      await turns();
    },
  };
}

const increment = (database: Database) =>
  database.transact(async (tx) => {
    const next = (await tx.get<number>(["n"]) ?? 0) + 1;
    tx.set(["n"], next);
    return next;
  });

for (const exclusive of [true, false]) {
  const where = exclusive ? "alone on the store" : "beside other processes";
  Deno.test(`while a commit is in flight the next batch is built on top of it, and is committed once the first is durable: ${where}`, () =>
    withEntries(async (kv, open) => {
      const database = open(exclusive);
      const commits = heldCommits(kv);
      const answers: number[] = [];
      increment(database).then((n) => answers.push(n));
      await commits.begun();
      const others = Promise.all([increment(database), increment(database)]);
      others.then((ns) => answers.push(...ns));
      await commits.allow("commit");
      assert.deepEqual(answers, [1]);
      assert.equal((await kv.get(["n"])).value, 1);
      await commits.allow("commit");
      assert.deepEqual(answers, [1, 2, 3]);
      assert.equal((await kv.get(["n"])).value, 3);
    }));

  Deno.test(`transactions on top of a commit that did not become durable run again: ${where}`, () =>
    withEntries(async (kv, open) => {
      const database = open(exclusive);
      const commits = heldCommits(kv);
      const first = increment(database);
      await commits.begun();
      const second = increment(database);
      await commits.allow("lose");
      await commits.allow("commit");
      // Both ran again, together.
      assert.deepEqual((await Promise.all([first, second])).toSorted(), [1, 2]);
      assert.equal((await kv.get(["n"])).value, 2);
    }));

  Deno.test(`a commit that fails does not fail the transactions on top of it: ${where}`, () =>
    withEntries(async (kv, open) => {
      const database = open(exclusive);
      const commits = heldCommits(kv);
      const first = increment(database);
      first.catch(() => {});
      await commits.begun();
      const refused = database.transact(async (tx) => {
        if (await tx.get(["n"]) !== null) throw new ServiceError("CONFLICT");
        tx.set(["n"], 10);
        return 10;
      });
      await commits.allow("fail");
      await assert.rejects(first, { message: "the value cannot be stored" });
      // It saw a row that was never written, but it is not refused.
      await commits.allow("commit");
      assert.equal(await refused, 10);
      assert.equal((await kv.get(["n"])).value, 10);
    }));
}

Deno.test("a separate reader sees every answered commit, and a read does not wait for a commit in flight", async () => {
  const dir = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${dir}/kv.sqlite`), reader = await Deno.openKv(`${dir}/kv.sqlite`);
  const database = new Database(kv, { log, exclusive: true, reader });
  for (let n = 1; n <= 200; n++) {
    const writing = database.transact((tx) => tx.set(["rows", n], new Uint8Array(20_000)));
    await database.collect({ prefix: ["rows"] }, { limit: 3 });
    await writing;
    const [last] = await database.collect({ prefix: ["rows"] }, { limit: 1, reverse: true });
    assert.deepEqual(last.key, ["rows", n]);
  }
  const commits = heldCommits(kv);
  const waiting = database.transact((tx) => tx.set(["late"], true));
  assert.equal((await database.collect({ prefix: ["rows"] })).length, 200);
  await commits.allow("commit");
  await waiting;
  assert.equal(await database.get(["late"]), true);
  reader.close();
  kv.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("afterCommit() runs once, after the commit, also when the transaction had to run again", () =>
  withEntries(async (kv, open) => {
    const database = open(false);
    await database.transact(async (tx) => tx.set(["n"], (await tx.get<number>(["n"]) ?? 0) + 1));
    await kv.set(["n"], 41);
    const effects: unknown[] = [];
    await database.transact(async (tx) => {
      const next = (await tx.get<number>(["n"]) ?? 0) + 1;
      tx.set(["n"], next);
      tx.afterCommit(() => effects.push(next));
    });
    assert.deepEqual(effects, [42]);
  }));

Deno.test("a transaction that begins 0 to 11 turns of the event loop after an answer is committed without another wake-up", async () => {
  const kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json" });
  const database = new Database(kv, { log, exclusive: true });
  for (let turns = 0; turns < 12; turns++) {
    await database.transact((tx) => tx.set(["first", turns], true));
    for (let i = 0; i < turns; i++) await Promise.resolve();
    const second = database.transact((tx) => tx.set(["second", turns], true));
    await bounded(`the commit ${turns} turns later`, second);
  }
  kv.close();
});

Deno.test("a key that is too long for the database has no row, and does not disturb other reads", () =>
  withEntries(async (_kv, open) => {
    const database = open();
    await database.transact((tx) => tx.set(["users", "u1"], "there"));
    const long = ["x".repeat(5_000), "\u00e9".repeat(1_500), "\u0000".repeat(1_100)];
    for (const exclusive of [true, false]) {
      for (const id of long) {
        const found = await open(exclusive).getMany([["users", "u1"], ["users", id]]);
        assert.deepEqual(found, ["there", null]);
      }
    }
  }));

Deno.test("bytes just written are read once from memory, then from the database; ranges are never kept", () =>
  withEntries(async (kv, open) => {
    const database = open();
    let reads = 0;
    const getMany = kv.getMany.bind(kv);
    kv.getMany = ((keys: Deno.KvKey[]) => (reads += keys.length, getMany(keys))) as typeof getMany;
    const bytes = new Uint8Array([1, 2, 3]);
    await database.transact((tx) => {
      tx.set(["blob_chunks", "b", 0], bytes);
      tx.set(["emails_by_mailbox", "u", "e"], "row");
    });
    assert.deepEqual(await database.get(["blob_chunks", "b", 0]), bytes);
    assert.equal(reads, 0);
    assert.deepEqual(await database.get(["blob_chunks", "b", 0]), bytes);
    assert.equal(reads, 1);
    assert.equal(await database.get(["emails_by_mailbox", "u", "e"]), "row");
    assert.equal(reads, 2);
    await database.transact((tx) => tx.set(["emails_by_mailbox", "u", "e"], "other"));
    assert.equal(await database.get(["emails_by_mailbox", "u", "e"]), "other");
    await database.transact((tx) => tx.delete(["emails_by_mailbox", "u", "e"]));
    assert.equal(await database.get(["emails_by_mailbox", "u", "e"]), null);
  }));

Deno.test("more bytes than are kept in memory are read completely from the database", () =>
  withEntries(async (_kv, open) => {
    const database = open();
    for (let n = 0; n < 150; n++) {
      await database.transact((tx) =>
        tx.set(["blob_chunks", n, 0], new Uint8Array(60_000).fill(n))
      );
    }
    for (let n = 0; n < 150; n++) {
      const found = await database.get<Uint8Array>(["blob_chunks", n, 0]);
      assert.equal(found?.length, 60_000);
      assert.ok(found?.every((byte) => byte === n));
    }
  }));
