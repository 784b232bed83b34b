import assert from "node:assert/strict";
import { exactTermsOf, plainWords } from "../../../fulltext/analysis/exact_terms.ts";

const shown = (query: string) =>
  exactTermsOf(query).map(({ word, phrase, strong }) =>
    `${strong ? "" : "perhaps "}${word ? word.text : `"${phrase.trim()}"`}`
  );

Deno.test("exactTermsOf() gives numbers, codes, addresses and phrases, but no years and words", () => {
  assert.deepEqual(shown("Order ORD-2024-8817 of 2024, 1972-1979, the 1960s and follow-up"), [
    "ord20248817",
  ]);
  assert.deepEqual(shown("mail of jean.dupont@example.com about QZX-PLMK"), [
    "jeandupontexamplecom",
    "qzxplmk",
  ]);
  assert.deepEqual(shown('the "Blue Harbour" of „Meister Nadelöhr“, B12 and 7'), [
    '"blue harbour"',
    '"meister nadelohr"',
    "perhaps b12",
  ]);
  assert.deepEqual(shown('a "virtual" library'), ["perhaps virtual"]);
  assert.deepEqual(shown("see https://example.com/a/b/c/d9"), ['"example com a b c d9"']);
  assert.deepEqual(shown('nothing here, "unclosed'), []);
  assert.equal(exactTermsOf("1234 ".repeat(100)).length, 20);
});

Deno.test("exactTermsOf() finds a code between letters without spaces", () => {
  assert.deepEqual(shown("订单A12345什么时候发货"), ["a12345"]);
  assert.deepEqual(shown("ABC-123번 주문"), ["abc123"]);
  assert.deepEqual(shown('「会議室」 and "会議室"'), ['"会 議 室"']);
});

Deno.test("plainWords() finds a phrase of a script without spaces within its text", () => {
  assert.ok(plainWords("場所は第二会議室です。").includes(plainWords("会議室")));
  assert.ok(plainWords("어제 회의록을 공유합니다").includes(plainWords("회의록")));
  assert.ok(!plainWords("場所は第二会議の室です。").includes(plainWords("会議室")));
});

Deno.test("plainWords() folds case, accents and the characters between words", () => {
  assert.equal(plainWords("  Café-Crème,\n2 pièces "), " cafe creme 2 pieces ");
});
