import assert from "node:assert/strict";
import { systemIds } from "../../../../domain/core/ids.ts";
import { findMaxChecks } from "../../../../domain/store/remote/max_checks.ts";
import { openDatabase } from "../../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../../remote_kv/remote_kv.ts";

for (const maxChecks of [100, 20, 10]) {
  Deno.test(`a database that takes ${maxChecks} checks in a commit is found out, and no commit has more`, async () => {
    await using remote = new RemoteKv({ maxChecks });
    const kv = await remote.open();
    const found = await findMaxChecks(kv, systemIds());
    kv.close();
    assert.equal(found, maxChecks);
    remote.refusals.length = 0;
    remote.clear();
    await using database = await openDatabase(remote, { maxChecks: found });
    await Promise.all(Array.from({ length: 150 }, (_, n) =>
      database.transact(async (tx) => {
        for (const part of ["a", "b", "c"]) {
          const count = await tx.get<number>(["rows", n % 40, part]) ?? 0;
          tx.set(["rows", n % 40, part], count + 1);
        }
      })));
    assert.deepEqual(remote.refusals, []);
    assert.ok(remote.costs.maxChecks <= maxChecks, `${remote.costs.maxChecks} checks`);
    const rows = await database.collect<number>({ prefix: ["rows"] });
    assert.equal(rows.reduce((sum, { value }) => sum + value, 0), 450);
    const tooMany = database.transact(async (tx) => {
      for (let n = 0; n < maxChecks; n++) await tx.get(["others", n]);
      tx.set(["others", 0], 1);
    });
    await assert.rejects(tooMany, { code: "SERVICE_UNAVAILABLE" });
  });
}
