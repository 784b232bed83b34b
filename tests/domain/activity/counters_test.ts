import assert from "node:assert/strict";
import {
  countActivity,
  countSearchTime,
  cutActivity,
  readActivity,
  steps,
} from "../../../domain/activity/counters.ts";
import { createLog } from "../../../domain/core/log.ts";
import { Database } from "../../../domain/store/database.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });
const hourMs = 3_600_000, dayMs = 24 * hourMs;
const noon = Date.UTC(2026, 10, 20, 12);

async function withKv(body: (kv: Deno.Kv) => Promise<void>): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  try {
    await body(kv);
  } finally {
    kv.close();
  }
}

Deno.test("two processes that count at the same time in one hour lose no count and never conflict", () =>
  withKv(async (kv) => {
    let lost = 0;
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => {
      const operation = atomic(), commit = operation.commit.bind(operation);
      operation.commit = async () => {
        const result = await commit();
        if (!result.ok) lost++;
        return result;
      };
      return operation;
    };
    const processes = [0, 1].map(() => new Database(kv, { log, exclusive: false }));
    await Promise.all(Array.from({ length: 200 }, (_, i) =>
      processes[i % 2].transact((tx) => {
        tx.set(["mail", i], i);
        countActivity(tx, "ann", "received", noon + i);
        countActivity(tx, "ann", "received", noon + i);
      })));
    const [{ received }] = await readActivity(processes[0], "ann", {
      ...{ step: "hour", from: noon, to: noon + hourMs, now: noon },
    });
    assert.equal(received, 400);
    assert.equal(lost, 0, "commits that another process made fail");
  }));

Deno.test("a transaction that runs again, because another process wrote what it read, counts once", () =>
  withKv(async (kv) => {
    const database = new Database(kv, { log, exclusive: false });
    await database.transact((tx) => tx.set(["row"], 1));
    await kv.set(["row"], 2);
    let runs = 0;
    await database.transact(async (tx) => {
      runs++;
      tx.set(["row"], (await tx.get<number>(["row"]))! + 1);
      countActivity(tx, "ann", "sent", noon);
    });
    assert.ok(runs > 1);
    const range = { step: "day", from: noon - dayMs, to: noon, now: noon } as const;
    const counts = await readActivity(database, "ann", range);
    assert.deepEqual(counts.map(({ sent }) => sent), [0, 1]);
  }));

Deno.test("what a transaction counted before it threw is not counted", () =>
  withKv(async (kv) => {
    const database = new Database(kv, { log, exclusive: true });
    await assert.rejects(database.transact((tx) => {
      countActivity(tx, "ann", "sent", noon);
      throw new Error("no");
    }));
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["activity"] })), []);
  }));

Deno.test("the 95th percentile of search times is correct, rounded up by at most 26 %", () =>
  withKv(async (kv) => {
    const database = new Database(kv, { log, exclusive: true });
    const times = Array.from({ length: 400 }, (_, i) => 0.2 + (i * 7919 % 400) * 1.7);
    await database.transact((tx) => times.forEach((ms) => countSearchTime(tx, "ann", ms, noon)));
    const [{ searchP95Ms, searches }] = await readActivity(database, "ann", {
      ...{ step: "hour", from: noon, to: noon + 1, now: noon },
    });
    const exact = times.toSorted((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1];
    assert.ok(searchP95Ms! >= exact - 0.5 && searchP95Ms! <= exact * 1.26 + 0.5, `${searchP95Ms}`);
    assert.equal(
      searches,
      0,
      "a time is not counted as a search: searches are counted when they are charged",
    );
    await database.transact((tx) => countSearchTime(tx, "bob", 1e9, noon));
    const [bob] = await readActivity(database, "bob", {
      ...{ step: "hour", from: noon, to: noon + 1, now: noon },
    });
    assert.equal(bob.searchP95Ms, 100_000, "the last bucket has all that takes longer");
  }));

Deno.test("hours are kept for 32 days and days for 800: older ones are not answered, and a sweep removes them", () =>
  withKv(async (kv) => {
    const database = new Database(kv, { log, exclusive: true });
    for (const userId of ["ann", "bob"]) {
      for (let hour = 0; hour < 300; hour++) {
        await database.transact((tx) =>
          countActivity(tx, userId, "received", noon + hour * hourMs)
        );
      }
    }
    const rows = async (step: string) =>
      (await Array.fromAsync(kv.list({ prefix: ["activity"] }))).filter(({ key }) =>
        key[2] === step
      )
        .length;
    assert.deepEqual([await rows("hour"), await rows("day")], [600, 26]);
    const later = noon + steps.hour.keptMs + 100 * hourMs;
    const range = { step: "hour", from: noon, to: noon + 300 * hourMs, now: later } as const;
    const counts = await readActivity(database, "ann", range);
    assert.equal(counts[0].at, noon + 101 * hourMs);
    assert.equal(counts.length, 199);
    assert.equal(await cutActivity(database, later, () => false), 0);
    assert.equal(await cutActivity(database, later, () => true), 200);
    assert.deepEqual([await rows("hour"), await rows("day")], [400, 26]);
    assert.deepEqual(await readActivity(database, "ann", range), counts);
    await cutActivity(database, noon + 820 * dayMs, () => true);
    assert.deepEqual([await rows("hour"), await rows("day")], [0, 0]);
  }));
