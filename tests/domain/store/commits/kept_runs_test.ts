import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../../../domain/core/clock.ts";
import { createLog } from "../../../../domain/core/log.ts";
import { Database } from "../../../../domain/store/database.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });

/** A shared store; `beforeCommit` runs before each commit of the service and can stand for another process. */
async function withShared(
  body: (
    kv: Deno.Kv,
    open: (options?: { clock?: Clock; reopen?: () => Promise<Deno.Kv> }) => Database,
    hooks: { beforeCommit: (n: number) => Promise<void> },
  ) => Promise<void>,
): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  const hooks = { beforeCommit: (_: number): Promise<void> => Promise.resolve() };
  const atomic = kv.atomic.bind(kv);
  let commits = 0;
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      await hooks.beforeCommit(++commits);
      return await commit();
    };
    return operation;
  };
  try {
    await body(kv, (options) => new Database(kv, { log, exclusive: false, ...options }), hooks);
  } finally {
    kv.close();
  }
}

/** Reads a row that another process changes, and so makes its batch run again. */
const losing = (database: Database) =>
  database.transact(async (tx) => tx.set(["loser"], await tx.get(["hot"])));

const increment = (database: Database, key: string) =>
  database.transact(async (tx) => tx.set([key], (await tx.get<number>([key]) ?? 0) + 1));

Deno.test("a transaction that read the write of one which is refused after too many races runs again without it", () =>
  withShared(async (kv, open, hooks) => {
    const database = open();
    const late = Promise.withResolvers<void>();
    // The row changes before each of twelve commits; during the eleventh a second increment comes.
    hooks.beforeCommit = async (n) => {
      if (n <= 12) await kv.set(["hot"], n);
      if (n === 11) late.resolve();
    };
    const loser = losing(database), first = increment(database, "n");
    const [refused, alsoRefused, second] = await Promise.allSettled([
      loser,
      first,
      late.promise.then(() => increment(database, "n")),
    ]);
    assert.deepEqual([refused.status, alsoRefused.status], ["rejected", "rejected"]);
    assert.equal(second.status, "fulfilled");
    assert.equal(await database.get(["n"]), 1, "only the second increment was acknowledged");
  }));

Deno.test("on a remote store a transaction that waited for more than 6 s is refused, and those that read its write run again", () =>
  withShared(async (kv, open, hooks) => {
    let now = 0;
    const clock = { ...systemClock, elapsed: () => now };
    const database = open({ clock, reopen: () => Promise.resolve(kv) });
    hooks.beforeCommit = async (n) => {
      if (n > 1) return;
      await kv.set(["hot"], 1);
      now += 3_001;
    };
    const early = [losing(database), increment(database, "n")];
    now = 3_000;
    const inTime = increment(database, "n");
    for (const each of early) await assert.rejects(each, { code: "SERVICE_UNAVAILABLE" });
    await inTime;
    assert.equal(await database.get(["n"]), 1);
    assert.equal(await database.get(["loser"]), null);
  }));

Deno.test("a transaction that is committed alone after a refusal loses no update that was made before it", () =>
  withShared(async (kv, open, hooks) => {
    const database = open();
    hooks.beforeCommit = async (n) => {
      if (n === 1) throw new TypeError("the database refuses something in this batch");
      if (n === 2) await kv.set(["hot"], 1);
      // The first increment is durable; another process changes its row before the second.
      if ((await kv.get(["n"])).value === 1) await kv.set(["n"], 10);
    };
    await Promise.all([losing(database), increment(database, "n"), increment(database, "n")]);
    assert.equal(await database.get(["n"]), 11);
    assert.equal(await database.get(["loser"]), 1);
  }));
