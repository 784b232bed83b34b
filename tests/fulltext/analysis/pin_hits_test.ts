import assert from "node:assert/strict";
import { pinHits } from "../../../fulltext/analysis/pin_hits.ts";
import { monotone } from "../../../fulltext/analysis/monotone.ts";

Deno.test("pinHits() puts one hit of each group among the first, and removes the last hits of no group for it", () => {
  const ranked = [..."abcdefgh"];
  const named = pinHits(ranked, [["g", "h"], ["c"], ["z"], ["h", "a"]], 4);
  assert.deepEqual(ranked.slice(0, 4).toSorted(), ["a", "c", "g", "z"]);
  assert.deepEqual(ranked.toSorted(), [..."abcdefghz"]);
  assert.deepEqual([...named].toSorted(), ["a", "c", "g", "z"]);
});

Deno.test("pinHits() leaves a ranking unchanged if it has one of each group or all places are taken", () => {
  const ranked = [..."abcd"];
  pinHits(ranked, [["b", "d"], []], 2);
  assert.equal(ranked.join(""), "abcd");
  pinHits(ranked, [["a"], ["b"], ["c"]], 2);
  assert.equal(ranked.join(""), "abcd");
  pinHits(ranked, [["x"]], 10);
  assert.equal(ranked.join(""), "abcdx");
});

Deno.test("monotone() keeps descending values and replaces neighbours that ascend by their mean", () => {
  assert.deepEqual(monotone([0.9, 0.5, 0.5, 0.1]), [0.9, 0.5, 0.5, 0.1]);
  assert.deepEqual(monotone([0.9, 0.25, 0.75, 0.1]), [0.9, 0.5, 0.5, 0.1]);
  assert.deepEqual(monotone([0.25, 0.5, 0.75]), [0.5, 0.5, 0.5]);
  assert.deepEqual(monotone([]), []);
});
