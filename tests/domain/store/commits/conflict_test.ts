import assert from "node:assert/strict";
import { ServiceError } from "../../../../domain/core/errors.ts";
import type { Database } from "../../../../domain/store/database.ts";
import { inTurn } from "../../../remote_kv/counts.ts";
import { openDatabase } from "../../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";

Deno.test("a failed check makes only those transactions run again that share a changed row, in one more commit", async () => {
  await using remote = new RemoteKv({ readMs: [2, 2], writeMs: [4, 4] });
  await using one = await openDatabase(remote);
  await using other = await openDatabase(remote);
  const rows = Array.from({ length: 30 }, (_, n) => ["rows", n]);
  await one.transact((tx) => rows.forEach((key) => tx.set(key, 0)));
  const runs = rows.map(() => 0);
  const addTo = (n: number, alsoRead?: number) =>
    one.transact(async (tx) => {
      runs[n]++;
      const also = alsoRead === undefined ? 0 : await tx.get<number>(rows[alsoRead]) ?? 0;
      tx.set(rows[n], (await tx.get<number>(rows[n]) ?? 0) + 1 + also);
    });
  await other.transact(async (tx) => tx.set(rows[5], (await tx.get<number>(rows[5]))! + 10));
  remote.clear();
  // The last one reads what the transaction of the changed row wrote.
  await Promise.all(rows.map((_, n) => n === 29 ? addTo(29, 5) : addTo(n)));
  assert.deepEqual(runs, rows.map((_, n) => n === 5 || n === 29 ? 2 : 1));
  // The commit that failed, its rows and the writer's row at once, and the second commit.
  assert.equal(inTurn(remote.calls), 3);
  const values = await one.getMany<number>(rows);
  assert.deepEqual(values, rows.map((_, n) => n === 5 ? 11 : n === 29 ? 12 : 1));
});

Deno.test("after a lost race for one row, new rows that are really absent are still not read", async () => {
  await using remote = new RemoteKv({ readMs: [2, 2], writeMs: [4, 4] });
  await using one = await openDatabase(remote);
  await using other = await openDatabase(remote);
  const arrive = (database: typeof one, n: number) =>
    database.transact(async (tx) => {
      for (let row = 0; row < 5; row++) {
        if (await tx.get(["new", n, row], { likelyAbsent: true }) === null) {
          tx.set(["new", n, row], 1);
        }
      }
      tx.set(["count"], (await tx.get<number>(["count"]) ?? 0) + 1);
    });
  await arrive(one, 0);
  await arrive(other, 1);
  remote.clear();
  await arrive(one, 2);
  // The commit that failed, the rows of it together, and the second commit; then no new row is read either.
  assert.equal(inTurn(remote.calls), 3);
  remote.clear();
  await arrive(one, 3);
  assert.equal(remote.calls.length, 1);
  assert.equal(await one.get(["count"]), 4);
});

Deno.test("two writers of different rows of one batch lose no update, over a hundred rounds of conflicts", async () => {
  await using remote = new RemoteKv();
  await using one = await openDatabase(remote);
  await using other = await openDatabase(remote);
  const add = (database: typeof one, n: number) =>
    database.transact(async (tx) => {
      const own = await tx.get<number>(["rows", n]) ?? 0;
      const next = await tx.get<number>(["rows", (n + 1) % 7]) ?? 0;
      tx.set(["rows", n], own + 1);
      tx.set(["rows", (n + 1) % 7], next + 1);
    });
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => add(n % 2 ? one : other, n % 7)),
  );
  const done = answers.filter(({ status }) => status === "fulfilled").length;
  const values = await one.collect<number>({ prefix: ["rows"] });
  assert.equal(values.reduce((sum, { value }) => sum + value, 0), 2 * done);
  assert.equal(done, 200);
});

Deno.test("a transaction that writes nothing, and one that is refused, decide by rows that are read again", async () => {
  await using remote = new RemoteKv();
  await using here = await openDatabase(remote);
  await using there = await openDatabase(remote);
  const take = (database: Database) =>
    database.transact(async (tx) => {
      if (await tx.get(["taken"]) !== null) throw new ServiceError("CONFLICT");
      tx.set(["taken"], 1);
    });
  await take(here);
  await there.transact((tx) => tx.delete(["taken"]));
  // In memory it is still taken.
  await take(here);
  await there.transact((tx) => tx.set(["taken"], 2));
  assert.equal(await here.transact((tx) => tx.get(["taken"])), 2);
});
