import assert from "node:assert/strict";
import { runHashNext, runHashStart, TokenCache } from "../../../fulltext/analysis/token_cache.ts";
import { ownMs } from "../../own_time.ts";

function hashOf(run: string): number {
  let hash = runHashStart;
  for (let n = 0; n < run.length; n++) hash = runHashNext(hash, run.charCodeAt(n));
  return hash;
}

Deno.test("find() compares the letters of a run, not only its hash", () => {
  const cache = new TokenCache<string>(10);
  cache.add("order", hashOf("order"), "an order");
  assert.equal(cache.find("an order came", 3, 8, hashOf("order")), "an order");
  assert.equal(cache.find("an older came", 3, 8, hashOf("order")), undefined);
  assert.equal(cache.find("an orders", 3, 9, hashOf("order")), undefined);
});

Deno.test("runs with the same hash are kept separately", () => {
  const cache = new TokenCache<string>(10);
  cache.add("one", 7, "1");
  cache.add("two", 7, "2");
  assert.deepEqual(
    [cache.find("one", 0, 3, 7), cache.find("two", 0, 3, 7), cache.find("six", 0, 3, 7)],
    ["1", "2", undefined],
  );
});

Deno.test("a full cache is emptied and accepts runs again", () => {
  const cache = new TokenCache<number>(4);
  for (let n = 0; n < 1_000; n++) {
    const run = `run${n}`;
    cache.add(run, hashOf(run), n);
    assert.equal(cache.find(run, 0, run.length, hashOf(run)), n);
  }
  assert.equal(cache.find("run0", 0, 4, hashOf("run0")), undefined);
});

Deno.test("50,000 runs of one hash take no longer than a bounded number of comparisons each", () => {
  const cache = new TokenCache<number>(50_000);
  const begun = ownMs();
  for (let n = 0; n < 50_000; n++) {
    const run = `run${n}`;
    assert.equal(cache.find(run, 0, run.length, 7), undefined);
    cache.add(run, 7, n);
    assert.equal(cache.find(run, 0, run.length, 7), n);
  }
  // Without the bound it takes 2.5 billion comparisons.
  assert.ok(ownMs() - begun < 2_000);
});
