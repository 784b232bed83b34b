import assert from "node:assert/strict";
import { pinHits } from "../../../fulltext/analysis/pin_hits.ts";
import { monotone } from "../../../fulltext/analysis/monotone.ts";

Deno.test("bringEach() puts one of each group among the first and moves the last of the others", () => {
  const ranked = [..."abcdefgh"];
  const named = pinHits(ranked, [["g", "h"], ["c"], ["z"], ["h", "a"]], 4);
  assert.deepEqual(ranked.slice(0, 4).toSorted(), ["a", "c", "g", "z"]);
  assert.deepEqual(ranked.toSorted(), [..."abcdefghz"]);
  assert.deepEqual([...named].toSorted(), ["a", "c", "g", "z"]);
});

Deno.test("bringEach() leaves a ranking alone that has one of each, and gives up where all places are taken", () => {
  const ranked = [..."abcd"];
  pinHits(ranked, [["b", "d"], []], 2);
  assert.equal(ranked.join(""), "abcd");
  pinHits(ranked, [["a"], ["b"], ["c"]], 2);
  assert.equal(ranked.join(""), "abcd");
  pinHits(ranked, [["x"]], 10);
  assert.equal(ranked.join(""), "abcdx");
});

Deno.test("neverRising() keeps what falls already and gives neighbours that rise their mean", () => {
  assert.deepEqual(monotone([0.9, 0.5, 0.5, 0.1]), [0.9, 0.5, 0.5, 0.1]);
  assert.deepEqual(monotone([0.9, 0.25, 0.75, 0.1]), [0.9, 0.5, 0.5, 0.1]);
  assert.deepEqual(monotone([0.25, 0.5, 0.75]), [0.5, 0.5, 0.5]);
  assert.deepEqual(monotone([]), []);
});
