import assert from "node:assert/strict";
import { openDatabase } from "../../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";

Deno.test("no commit has more than 100 checks, and a transaction that needs more is refused", async () => {
  await using remote = new RemoteKv();
  await using database = await openDatabase(remote);
  await Promise.all(Array.from({ length: 150 }, (_, n) =>
    database.transact(async (tx) => {
      for (const part of ["a", "b", "c"]) {
        const count = await tx.get<number>(["rows", n % 60, part]) ?? 0;
        tx.set(["rows", n % 60, part], count + 1);
      }
    })));
  assert.deepEqual(remote.refusals, []);
  const most = remote.costs.maxChecks;
  assert.ok(most > 90 && most <= 100, `${most} checks`);
  const rows = await database.collect<number>({ prefix: ["rows"] });
  assert.equal(rows.reduce((sum, { value }) => sum + value, 0), 450);
  const tooMany = database.transact(async (tx) => {
    for (let n = 0; n < 100; n++) await tx.get(["others", n]);
    tx.set(["others", 0], 1);
  });
  await assert.rejects(tooMany, { code: "SERVICE_UNAVAILABLE" });
});
