import assert from "node:assert/strict";
import { tokenize } from "../../../fulltext/analysis/tokens.ts";
import { queryTerms } from "../../../fulltext/index/query_terms.ts";

function wordOf(text: string) {
  return tokenize(text)[0].word;
}

Deno.test("an inflected word of a query has the same weight as a word that is its own stem", () => {
  const { terms } = queryTerms("the systems of a system");
  const inflected = wordOf("systems");
  const plain = wordOf("system");
  assert.equal(inflected.stemKey, plain.key);
  assert.equal(terms.get(inflected.key)!.weight, 1);
  assert.deepEqual(terms.get(plain.key), { asStem: 2, asWord: 1, weight: 1, isMeant: true });
  assert.equal(terms.get(wordOf("the").key)!.weight, 0);
});

Deno.test("a compound counts once and its parts half; an identifier counts once, and so do its parts", () => {
  const times = (query: string, word: string) =>
    queryTerms(query).terms.get(wordOf(word).key)!.asWord;
  assert.equal(times("an x-ray report", "xray"), 1);
  assert.equal(times("an x-ray report", "ray"), 0.5);
  assert.equal(times("a ray, not an x-ray", "ray"), 1.5);
  assert.equal(times("an x-ray report", "report"), 1);
  assert.equal(times("order ORD-2024-8817", "8817"), 1);
  assert.equal(times("order ORD-2024-8817", "ord20248817"), 1);
});
