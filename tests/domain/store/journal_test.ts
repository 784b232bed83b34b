import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../../domain/core/clock.ts";
import { createLog } from "../../../domain/core/log.ts";
import { Database } from "../../../domain/store/database.ts";
import * as keys from "../../../domain/store/keys.ts";
import type { JournalRow } from "../../../domain/store/journal.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });

async function withDatabases(
  count: number,
  body: (databases: Database[], kv: Deno.Kv) => Promise<void>,
): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  try {
    const exclusive = count === 1;
    await body(Array.from({ length: count }, () => new Database(kv, { log, exclusive })), kv);
  } finally {
    kv.close();
  }
}

async function entriesOf(kv: Deno.Kv, userId: string): Promise<string[]> {
  const rows = await Array.fromAsync(kv.list<JournalRow>({ prefix: keys.journalRows(userId) }));
  return rows.flatMap(({ value }) => value.entries);
}

for (const count of [1, 2]) {
  Deno.test(`the journal has the entries of ${count} writers in the order of their commits, each once`, () =>
    withDatabases(count, async (databases, kv) => {
      const order = await Promise.all(
        Array.from({ length: 300 }, (_, i) =>
          databases[i % count].transact(async (tx) => {
            const n = (await tx.get<number>(["n"]) ?? 0) + 1;
            tx.set(["n"], n);
            tx.append("u", String(n));
          })),
      );
      assert.equal(order.length, 300);
      const expected = Array.from({ length: 300 }, (_, i) => String(i + 1));
      assert.deepEqual(await entriesOf(kv, "u"), expected);
    }));
}

Deno.test("a transaction that throws or runs again leaves only the entry of its commit", () =>
  withDatabases(1, async ([database], kv) => {
    let runs = 0;
    const failed = database.transact((tx) => {
      tx.append("u", "failed");
      throw new Error("no");
    });
    await assert.rejects(failed);
    await database.transact(async (tx) => {
      await tx.get(["a"]);
      // Somebody else writes the row that was read: the commit fails, and this runs again.
      if (runs++ === 0) await kv.set(["a"], 1);
      tx.append("u", `run ${runs}`);
    });
    assert.deepEqual(await entriesOf(kv, "u"), ["run 2"]);
  }));

Deno.test("entries of many transactions of one account do not make a row that is too large", () =>
  withDatabases(1, async ([database], kv) => {
    const entry = "x".repeat(4_000);
    await Promise.all(
      Array.from({ length: 60 }, () => database.transact((tx) => tx.append("u", entry))),
    );
    assert.equal((await entriesOf(kv, "u")).length, 60);
  }));

Deno.test("a watcher is woken by a commit for its account, and not by one for another", () =>
  withDatabases(1, async ([database]) => {
    let woken = 0;
    const end = database.journal.watch("u", () => woken++);
    await database.transact((tx) => tx.append("other", "x"));
    assert.equal(woken, 0);
    await database.transact((tx) => tx.append("u", "x"));
    assert.equal(woken, 1);
    await database.transact((tx) => tx.append("u", null));
    assert.equal(woken, 2);
    end();
    await database.transact((tx) => tx.append("u", "x"));
    assert.equal(woken, 2);
  }));

Deno.test("a watcher is woken within 2 s by a commit of another instance", () =>
  withDatabases(2, async ([here, there]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let woken = 0;
    const end = here.journal.watch("u", () => {
      if (++woken === 2) resolve();
    });
    // The first look wakes everybody once; the commit comes after it.
    const since = performance.now();
    while (woken === 0) {
      assert.ok(performance.now() - since < 20_000);
      await new Promise((done) => setTimeout(done, 20));
    }
    const committed = performance.now();
    await there.transact((tx) => tx.append("u", "x"));
    const timeout = setTimeout(resolve, 12_000);
    await promise;
    clearTimeout(timeout);
    end();
    assert.equal(woken, 2);
    assert.ok(performance.now() - committed < 10_000);
    // The next scheduled look finds nobody to wake.
    await new Promise((done) => setTimeout(done, 1_000));
  }));

for (const gap of ["the database does not answer", "the machine sleeps"]) {
  Deno.test(`after a gap that outlasts the news a watcher is woken: ${gap}`, async () => {
    const kv = await Deno.openKv(":memory:");
    let isAway = false;
    const list: typeof kv.list = (...given) => {
      if (isAway) throw new Error("away");
      return kv.list(...given);
    };
    const seen = Object.assign(Object.create(kv), {
      list,
      atomic: () => kv.atomic(),
      getMany: kv.getMany.bind(kv),
    });
    let time = 0;
    const due: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      now: () => time,
      elapsed: () => time,
      after: (_ms, run) => (due.push(run), () => {}),
    };
    const here = new Database(seen, { log, exclusive: false, clock });
    const there = new Database(kv, { log, exclusive: false });
    let woken = 0;
    const end = here.journal.watch("u", () => woken++);
    const look = async () => {
      time += 1_000;
      for (const run of due.splice(0)) run();
      // The look is reads of a database in memory.
      await new Promise((done) => setTimeout(done, 100));
    };
    await look();
    assert.equal(woken, 1);
    await look();
    assert.equal(woken, 1);
    // A machine that sleeps does not look at all.
    isAway = gap !== "the machine sleeps";
    await there.transact((tx) => tx.append("u", "x"));
    for (let n = 0; isAway && n < 70; n++) await look();
    if (!isAway) time += 70_000;
    // The database removes it after a minute.
    for await (const { key } of kv.list({ prefix: keys.allJournalNews() })) await kv.delete(key);
    isAway = false;
    await look();
    await look();
    assert.equal(woken, 2);
    end();
    await look();
    kv.close();
  });
}
