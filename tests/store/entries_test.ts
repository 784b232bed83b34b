import assert from "node:assert/strict";
import { createLog } from "../../domain/log.ts";
import { ServiceError } from "../../domain/errors.ts";
import { Entries } from "../../domain/store/entries.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });

async function withEntries(
  body: (kv: Deno.Kv, open: (exclusive?: boolean) => Entries) => Promise<void>,
): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  try {
    await body(kv, (exclusive = true) => new Entries(kv, { log, exclusive }));
  } finally {
    kv.close();
  }
}

Deno.test("transact() of a thousand increments at once counts a thousand, in far fewer commits", () =>
  withEntries(async (kv, open) => {
    const entries = open();
    let commits = 0;
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => (commits++, atomic());
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () =>
        entries.transact(async (tx) => {
          const next = (await tx.get<number>(["n"]) ?? 0) + 1;
          tx.set(["n"], next);
          return next;
        })),
    );
    assert.deepEqual(
      answers.toSorted((a, b) => a - b),
      Array.from({ length: 1000 }, (_, i) => i + 1),
    );
    assert.equal(await entries.get(["n"]), 1000);
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
    const entries = open();
    const outcomes = await Promise.allSettled([
      entries.transact((tx) => tx.set(["a"], 1)),
      entries.transact((tx) => {
        tx.set(["b"], 1);
        throw new ServiceError("CONFLICT");
      }),
      entries.transact((tx) => tx.set(["c"], 1)),
    ]);
    assert.deepEqual(outcomes.map((each) => each.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await entries.getMany([["a"], ["b"], ["c"]]), [1, null, 1]);
  }));

Deno.test("a value too large fails its own transaction and not those that waited with it", () =>
  withEntries(async (_kv, open) => {
    const entries = open();
    const outcomes = await Promise.allSettled([
      entries.transact((tx) => tx.set(["a"], 1)),
      entries.transact((tx) => tx.set(["big"], new Uint8Array(70_000))),
      entries.transact((tx) => tx.set(["c"], 1)),
    ]);
    assert.deepEqual(outcomes.map((each) => each.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await entries.getMany([["a"], ["big"], ["c"]]), [1, null, 1]);
  }));

Deno.test("more rows than one atomic takes are spread over several, each transaction whole", () =>
  withEntries(async (_kv, open) => {
    const entries = open();
    await Promise.all(Array.from({ length: 40 }, (_, i) =>
      entries.transact((tx) => {
        for (let n = 0; n < 2; n++) tx.set(["rows", i, n], new Uint8Array(30_000));
      })));
    assert.equal((await entries.collect({ prefix: ["rows"] })).length, 80);
  }));

Deno.test("a database that is locked for a moment is waited for; one that stays locked is 503 and heals by itself", () =>
  withEntries(async (kv, open) => {
    const entries = open();
    const atomic = kv.atomic.bind(kv);
    let locked = 2;
    kv.atomic = () => {
      if (locked-- > 0) throw new TypeError("database is locked");
      return atomic();
    };
    await entries.transact((tx) => tx.set(["a"], 1));
    assert.equal(await entries.get(["a"]), 1);
    locked = Infinity;
    await assert.rejects(
      entries.transact((tx) => tx.set(["a"], 2)),
      (error: ServiceError) => error.code === "SERVICE_UNAVAILABLE",
    );
    assert.equal(await entries.get(["a"]), 1);
    locked = 0;
    await entries.transact((tx) => tx.set(["a"], 3));
    assert.equal(await entries.get(["a"]), 3);
  }));

Deno.test("afterCommit() runs once, after the commit, also when the transaction had to run again", () =>
  withEntries(async (kv, open) => {
    const entries = open(false);
    await entries.transact(async (tx) => tx.set(["n"], (await tx.get<number>(["n"]) ?? 0) + 1));
    await kv.set(["n"], 41);
    const effects: unknown[] = [];
    await entries.transact(async (tx) => {
      const next = (await tx.get<number>(["n"]) ?? 0) + 1;
      tx.set(["n"], next);
      tx.afterCommit(() => effects.push(next));
    });
    assert.deepEqual(effects, [42]);
  }));

Deno.test("a transaction begun in any turn after another's answer is committed, with nothing else to wake it", async () => {
  const kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json" });
  const entries = new Entries(kv, { log, exclusive: true });
  for (let turns = 0; turns < 12; turns++) {
    await entries.transact((tx) => tx.set(["first", turns], true));
    for (let i = 0; i < turns; i++) await Promise.resolve();
    const second = entries.transact((tx) => tx.set(["second", turns], true)).then(() => "done");
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve("stuck"), 2_000);
    assert.equal(await Promise.race([second, late.promise]), "done", `${turns} turns later`);
    clearTimeout(timer);
  }
  kv.close();
});

Deno.test("getUnlikely() of a row that is there after all gives the row, and both neighbours are committed", () =>
  withEntries(async (kv, open) => {
    await kv.set(["seen", "x"], "first");
    const entries = open();
    const seen: unknown[] = [];
    await Promise.all(["w", "x", "y"].map((name) =>
      entries.transact(async (tx) => {
        const known = await tx.getUnlikely(["seen", name]);
        if (known === null) tx.set(["seen", name], "new");
        tx.afterCommit(() => seen.push([name, known]));
      })
    ));
    assert.deepEqual(seen, [["w", null], ["x", "first"], ["y", null]]);
    assert.deepEqual(await entries.getMany([["seen", "w"], ["seen", "x"], ["seen", "y"]]), [
      "new",
      "first",
      "new",
    ]);
  }));

Deno.test("a key that is too long for the database has no row, and harms no read beside it", () =>
  withEntries(async (_kv, open) => {
    const entries = open();
    await entries.transact((tx) => tx.set(["users", "u1"], "there"));
    const long = ["x".repeat(5_000), "\u00e9".repeat(1_500), "\u0000".repeat(1_100)];
    for (const exclusive of [true, false]) {
      for (const id of long) {
        const found = await open(exclusive).getMany([["users", "u1"], ["users", id]]);
        assert.deepEqual(found, ["there", null]);
      }
    }
  }));
