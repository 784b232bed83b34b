import assert from "node:assert/strict";
import { tokenize } from "../../../fulltext/analysis/tokens.ts";

const words = (text: string) => tokenize(text).map(({ word }) => word.text);

Deno.test("tokenize() gives the parts of an identifier, and the whole without what joins them", () => {
  assert.deepEqual(words("ORD-2024-8817"), ["ord", "2024", "8817", "ord20248817"]);
  assert.deepEqual(words("jean.dupont@example.com"), [
    "jean",
    "dupont",
    "example",
    "com",
    "jeandupontexamplecom",
  ]);
  assert.deepEqual(words("e-mail"), ["e", "mail", "email"]);
  assert.deepEqual(words("AX4417"), ["ax4417", "4417"]);
  assert.deepEqual(words("and/or"), ["and", "or"]);
  assert.deepEqual(words("a.b.c.d.e.f1"), ["a", "b", "c", "d", "e", "f1"]);
});

Deno.test("tokenize() marks the words that are exact terms", () => {
  const identifiers = tokenize("Order ORD-88 of 2024, 12 pieces, flight LH123, key a1b2c3d4")
    .filter(({ word }) => word.identifier).map(({ word }) => word.text);
  assert.deepEqual(identifiers, ["ord88", "2024", "lh123", "a1b2c3d4"]);
});

Deno.test("tokenize() folds case and accents, and keeps what an apostrophe joins", () => {
  assert.deepEqual(words("MÜLLER straße Søren ÆON Ada's don’t"), [
    "muller",
    "strasse",
    "soren",
    "aeon",
    "ada",
    "dont",
  ]);
});

Deno.test("tokenize() gives pairs of characters where a script has no spaces", () => {
  assert.deepEqual(words("東京都"), ["東京", "京都"]);
  assert.deepEqual(words("猫"), ["猫"]);
  // Particles follow a Korean word directly.
  assert.deepEqual(words("회의록을"), ["회의", "의록", "록을"]);
  assert.deepEqual(words("コーヒー"), ["コー", "ーヒ", "ヒー"]);
});

Deno.test("tokenize() gives words and numbers between letters without spaces as they are", () => {
  assert.deepEqual(words("订单号A12345已发货"), [
    "订单",
    "单号",
    "a12345",
    "12345",
    "已发",
    "发货",
  ]);
  assert.deepEqual(words("iPhoneを買う"), ["iphone", "を買", "買う"]);
  assert.deepEqual(words("ABC-123번"), ["abc", "123", "abc123", "번"]);
  assert.deepEqual(words("ราคา500บาท"), ["รา", "าค", "คา", "500", "บา", "าท"]);
});

Deno.test("tokenize() leaves out what is elided before an apostrophe", () => {
  assert.deepEqual(words("l'équipe d’hiver qu'il dell'anno Dell's all's O'Brien aujourd'hui"), [
    "equipe",
    "hiver",
    "il",
    "anno",
    "dell",
    "all",
    ...["obrien", "brien", "aujourdhui", "aujourd", "hui"],
  ]);
});

Deno.test("tokenize() gives the digits of every script as ASCII", () => {
  assert.deepEqual(words("رقم ٤٥٦٧ ۱۲۳۴ १२३४ 1234 AB-٠٩"), [
    ...["رقم", "4567", "1234", "1234", "1234"],
    ...["ab", "09", "ab09"],
  ]);
});

Deno.test("tokenize() leaves out emoji and accepts half surrogate pairs", () => {
  assert.deepEqual(words("done 👍👍 \ud83d end \udc4d"), ["done", "end"]);
  assert.deepEqual(words("constructor __proto__"), ["constructor", "proto"]);
});

Deno.test("tokenize() returns the place of each word", () => {
  const text = "Über die ORD-7 hinaus";
  const tokens = tokenize(text);
  assert.ok(tokens.length >= 4, `${tokens.length} words`);
  for (const { word, start, end } of tokens) {
    const piece = text.slice(start, end).toLowerCase().normalize("NFKD").replace(/[^a-z0-9]/g, "");
    assert.equal(piece, word.text);
  }
});

Deno.test("tokenize() cuts a run of letters that is no word", () => {
  const [{ word, end }] = tokenize("x".repeat(500));
  assert.equal(word.text.length, 64);
  assert.equal(end, 500);
});

Deno.test("tokenize() gives the same words for a text every time, whatever was read before", () => {
  const texts = [
    "Order ORD-2024-8817 was shipped; ordered goods, Ada's and don't, 東京都",
    ...Array.from({ length: 60_000 }, (_, n) => `w${n.toString(36)}x`),
  ];
  const before = texts.map(words);
  assert.deepEqual(texts.map(words), before);
});
