import assert from "node:assert/strict";
import { runHashNext, runHashStart, TokenCache } from "../../../fulltext/analysis/token_cache.ts";

function hashOf(run: string): number {
  let hash = runHashStart;
  for (let n = 0; n < run.length; n++) hash = runHashNext(hash, run.charCodeAt(n));
  return hash;
}

Deno.test("find() knows a run by its letters at its place, not by its hash alone", () => {
  const lexicon = new TokenCache<string>(10);
  lexicon.add("order", hashOf("order"), "an order");
  assert.equal(lexicon.find("an order came", 3, 8, hashOf("order")), "an order");
  assert.equal(lexicon.find("an older came", 3, 8, hashOf("order")), undefined);
  assert.equal(lexicon.find("an orders", 3, 9, hashOf("order")), undefined);
});

Deno.test("runs of one hash are kept apart", () => {
  const lexicon = new TokenCache<string>(10);
  lexicon.add("one", 7, "1");
  lexicon.add("two", 7, "2");
  assert.deepEqual(
    [lexicon.find("one", 0, 3, 7), lexicon.find("two", 0, 3, 7), lexicon.find("six", 0, 3, 7)],
    ["1", "2", undefined],
  );
});

Deno.test("a full lexicon begins anew and goes on taking in", () => {
  const lexicon = new TokenCache<number>(4);
  for (let n = 0; n < 1_000; n++) {
    const run = `run${n}`;
    lexicon.add(run, hashOf(run), n);
    assert.equal(lexicon.find(run, 0, run.length, hashOf(run)), n);
  }
  assert.equal(lexicon.find("run0", 0, 4, hashOf("run0")), undefined);
});
