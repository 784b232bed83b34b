import assert from "node:assert/strict";
import { RangeCache } from "../../../domain/store/range_cache.ts";
import { testService } from "../../service.ts";

Deno.test("a cached range follows every write of this process: additions, changes and removals", async () => {
  await using test = await testService();
  const { database } = test.service;
  const prefix = ["things", "u1"];
  const seen = async () =>
    (await database.cachedRange(prefix)).map(({ key, value }) => [key[2], value]);
  assert.deepEqual(await seen(), []);
  await database.transact((tx) => tx.set(["things", "u1", "b"], 1));
  assert.deepEqual(await seen(), [["b", 1]]);
  await database.transact((tx) => {
    tx.set(["things", "u1", "a"], 2);
    tx.set(["things", "u1", "b"], 3);
    tx.set(["things", "u2", "b"], 4);
  });
  assert.deepEqual(await seen(), [["a", 2], ["b", 3]]);
  await database.transact((tx) => tx.delete(["things", "u1", "a"]));
  assert.deepEqual(await seen(), [["b", 3]]);
});

Deno.test("a range that is written while it is being read is not kept", async () => {
  const cache = new RangeCache();
  const old: Deno.KvEntry<unknown>[] = [];
  const reading = Promise.withResolvers<Deno.KvEntry<unknown>[]>();
  const first = cache.rows(["things", "u1"], () => reading.promise);
  cache.forgetRangeOf(["things", "u1", "a"]);
  const fresh = [{ key: ["things", "u1", "a"], value: 1, versionstamp: "1" }];
  assert.equal(await cache.rows(["things", "u1"], () => Promise.resolve(fresh)), fresh);
  reading.resolve(old);
  assert.equal(await first, old);
  assert.equal(await cache.rows(["things", "u1"], () => Promise.resolve(old)), fresh);
});

Deno.test("the last rows of a range follow every write, whatever was read before", async () => {
  await using test = await testService();
  const { database } = test.service;
  const prefix = ["things", "u1"];
  const last = async (limit: number) =>
    (await database.lastRows(prefix, limit)).map(({ key, value }) => `${key[2] as string}${value}`);
  const write = (name: string, value: number | null) =>
    database.transact((tx) =>
      value === null ? tx.delete([...prefix, name]) : tx.set([...prefix, name], value)
    );
  assert.deepEqual(await last(2), []);
  for (const name of ["a", "b", "c"]) await write(name, 1);
  assert.deepEqual(await last(2), ["c1", "b1"]);
  assert.deepEqual(await last(2), ["c1", "b1"]);
  assert.deepEqual(await last(1), ["c1"]);
  assert.deepEqual(await last(9), ["c1", "b1", "a1"]);
  assert.deepEqual(await last(50), ["c1", "b1", "a1"]);
  await write("b", 2);
  assert.deepEqual(await last(3), ["c1", "b2", "a1"]);
  await write("c", null);
  assert.deepEqual(await last(101), ["b2", "a1"]);
  assert.deepEqual(await last(500), ["b2", "a1"]);
});

Deno.test("last rows that are written while they are being read are not kept", async () => {
  const cache = new RangeCache();
  const prefix = ["things", "u1"];
  const reading = Promise.withResolvers<Deno.KvEntry<unknown>[]>();
  const first = cache.lastRows(prefix, 10, () => reading.promise);
  cache.forgetRangeOf([...prefix, "a"]);
  const fresh = [{ key: [...prefix, "a"], value: 1, versionstamp: "1" }];
  assert.equal(await cache.lastRows(prefix, 10, () => Promise.resolve(fresh)), fresh);
  reading.resolve([]);
  assert.deepEqual(await first, []);
  assert.deepEqual(await cache.lastRows(prefix, 10, () => Promise.resolve([])), fresh);
});

Deno.test("over two instances a range is read each time", async () => {
  await using first = await testService({ exclusive: false });
  await using second = await testService({ exclusive: false, kv: first.kv });
  const count = async () => (await second.service.database.cachedRange(["things", "u1"])).length;
  assert.equal(await count(), 0);
  await first.service.database.transact((tx) => tx.set(["things", "u1", "a"], 1));
  assert.equal(await count(), 1);
});

Deno.test("last pages of large rows are kept up to 16 MiB", async () => {
  const cache = new RangeCache();
  let reads = 0;
  const read = () => {
    reads++;
    const row = (n: number) => ({
      key: ["things", n],
      value: "x".repeat(60_000),
      versionstamp: "1",
    });
    return Promise.resolve(Array.from({ length: 100 }, (_, n) => row(n)));
  };
  const readAll = async () => {
    for (const owner of ["u1", "u2", "u3"]) await cache.lastRows(["things", owner], 100, read);
  };
  await readAll();
  await readAll();
  assert.equal(reads, 6);
  await cache.lastRows(["things", "u3"], 100, read);
  assert.equal(reads, 6);
});
