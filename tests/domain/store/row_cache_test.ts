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
