import assert from "node:assert/strict";
import { createLog } from "../../domain/log.ts";
import { Entries } from "../../domain/store/entries.ts";

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
