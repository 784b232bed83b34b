import assert from "node:assert/strict";
import { inTurn } from "./counts.ts";
import { RemoteKv } from "./remote_kv.ts";

Deno.test("Deno's client reads and writes the stand-in as it does a database: rows, ranges, checks, sums", async () => {
  await using remote = new RemoteKv();
  const kv = await remote.open();
  const local = await Deno.openKv(":memory:");
  for (const each of [kv, local]) {
    await each.set(["t", "b"], { text: "é", bytes: new Uint8Array([0, 255]) });
    await each.atomic().set(["t", "a\u0000b"], 1).set(["t", 7], 2).sum(["n"], 5n).sum(["n"], 6n)
      .commit();
    // Deno's types know only KvU64 here; its databases add numbers too.
    const add = { type: "sum", key: ["m"], value: 3 } as unknown as Deno.KvMutation;
    await each.atomic().mutate(add, add).commit();
    await each.delete(["t", 7]);
    const stamped = ["stamped", each.commitVersionstamp()] as unknown as Deno.KvKey;
    const { versionstamp: at } = await each.set(stamped, 1);
    assert.equal((await each.get(["stamped", at])).value, 1);
    await each.delete(["stamped", at]);
    const stale = await each.atomic().check({ key: ["t", "b"], versionstamp: null }).set(["x"], 1)
      .commit();
    assert.equal(stale.ok, false);
    const { versionstamp } = await each.get(["t", "b"]);
    const fresh = await each.atomic().check({ key: ["t", "b"], versionstamp }).set(["t", "c"], 1)
      .commit();
    assert.equal(fresh.ok, true);
  }
  const rows = async (from: Deno.Kv, options: Deno.KvListOptions) =>
    (await Array.fromAsync(from.list({ prefix: [] }, options))).map((
      { key, value },
    ) => [key, value]);
  for (const options of [{}, { reverse: true }, { limit: 2 }, { batchSize: 1 }]) {
    assert.deepEqual(await rows(kv, options), await rows(local, options));
  }
  assert.deepEqual(
    (await kv.getMany([["m"], ["n"], ["none"]])).map(({ value }) => value),
    (await local.getMany([["m"], ["n"], ["none"]])).map(({ value }) => value),
  );
  kv.close();
  local.close();
});

Deno.test("each fault has the outcome of its name: done or not done, and what Deno's client makes of it", async () => {
  await using remote = new RemoteKv();
  const kv = await remote.open();
  const create = (name: string) =>
    kv.atomic().check({ key: [name], versionstamp: null }).set([name], 1).commit()
      .then(({ ok }) => ok ? "ok" : "conflict", () => "threw");
  // A client that sends its own success again is told that its check failed.
  const expected = {
    cutBefore: ["ok", 1],
    cutAfter: ["conflict", 1],
    brokenAfter: ["threw", 1],
    error5xx: ["ok", 1],
    error5xxAfter: ["conflict", 1],
    error429: ["threw", null],
    disabled: ["threw", null],
    late: ["ok", 1],
  };
  for (const [fault, [answer, row]] of Object.entries(expected)) {
    remote.faults = { writes: { [fault]: 1 }, most: 1, lateMs: 50 };
    assert.deepEqual([await create(fault), (await kv.get([fault])).value], [answer, row], fault);
    assert.equal(remote.faultsInjected, 1);
  }
  for (const fault of ["error429", "disabled"] as const) {
    remote.faults = { reads: { [fault]: 1 }, most: 1 };
    await assert.rejects(kv.get(["x"]), /429|disabled/, fault);
  }
  remote.faults = { writes: { error429: 1 }, onlyTables: ["other"] };
  assert.equal(await create("untouched"), "ok");
  kv.close();
});

Deno.test("requests are counted, also how many were waited for in turn, and limits are kept", async () => {
  await using remote = new RemoteKv({ maxChecks: 2, readMs: [10, 10] });
  const kv = await remote.open();
  await Promise.all([kv.get(["a"]), kv.get(["b"])]);
  await kv.get(["c"]);
  assert.equal(inTurn(remote.calls), 2);
  await kv.set(["t", "row"], new Uint8Array(5_000));
  await kv.get(["t", "row"]);
  const { reads, writes, readUnits, writeUnits } = remote.costs;
  assert.deepEqual({ reads, writes, readUnits, writeUnits }, {
    reads: 4,
    writes: 1,
    readUnits: 5,
    writeUnits: 5,
  });
  assert.deepEqual(remote.calls.at(-1)!.tables, ["t"]);
  const many = kv.atomic();
  for (const name of ["a", "b", "c"]) many.check({ key: [name], versionstamp: null });
  await assert.rejects(many.set(["d"], 1).commit(), /too many checks/);
  assert.deepEqual(remote.refusals, ["write: too many checks in one write"]);
  kv.close();
});
