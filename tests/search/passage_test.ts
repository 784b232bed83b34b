import assert from "node:assert/strict";
import { bestPassage } from "../../domain/search/passage.ts";
import { tokenize } from "../../domain/search/tokens.ts";

const weights = (query: string) =>
  new Map(tokenize(query).map(({ word }) => [word.stemKey, word.text.length]));

const filler = "Nothing here is of any use to anybody. ".repeat(30);

Deno.test("bestPassage() shows the stretch with the most of the query, wherever it stands", () => {
  const text = `${filler}The auditor called. ${filler}The auditor wants form 1099-K.\n\n${filler}`;
  const passage = bestPassage(text, weights("auditor form 1099-K"));
  assert.match(passage, /auditor wants form 1099-K/);
  assert.ok(passage.startsWith("... ") && passage.endsWith(" ..."));
  assert.ok(passage.length < 320, `${passage.length}`);
  assert.doesNotMatch(passage, /\n/);
});

Deno.test("bestPassage() gives the beginning where no word of the query is there", () => {
  assert.equal(bestPassage("Short text.", weights("zeppelin")), "Short text.");
  assert.ok(bestPassage(filler, weights("zeppelin")).startsWith("Nothing here"));
  assert.equal(bestPassage("", weights("zeppelin")), "");
});

Deno.test("bestPassage() keeps the matching word that stands behind a long one", () => {
  const passage = bestPassage(`${"y".repeat(400)}-needle ${filler}`, weights("needle"));
  assert.match(passage, /needle/);
});
