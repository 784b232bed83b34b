import assert from "node:assert/strict";
import { keyText } from "../../../domain/store/key_text.ts";
import { RowCache } from "../../../domain/store/row_cache.ts";

Deno.test("a row that is written while it is read is not kept as it was read", async () => {
  const key = ["users", "u"];
  const text = keyText(key);
  const { promise, resolve } = Promise.withResolvers<Deno.KvEntryMaybe<unknown>[]>();
  const cache = new RowCache(() => promise);
  const reading = cache.load(key, text);
  await Promise.resolve();
  cache.learn(text, { key, value: "new", deleted: false }, "2");
  resolve([{ key, value: "old", versionstamp: "1" }]);
  assert.equal((await reading).value, "old");
  assert.equal(cache.known(text)?.value, "new");
});

Deno.test("rows that are large texts are kept up to 32 MiB, the newest", () => {
  const cache = new RowCache(() => Promise.reject(new Error("not read")));
  const text = "x".repeat(60_000);
  for (let n = 0; n < 1_000; n++) {
    cache.learn(`${n}`, { key: ["emails", "u1", `${n}`], value: text, deleted: false }, "1");
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => cache.known(`${n}`));
  assert.deepEqual(kept, Array.from({ length: 559 }, (_, n) => 441 + n));
  cache.forget("999");
  assert.equal(cache.known("999"), undefined);
});
