import assert from "node:assert/strict";
import { bestPassage, wantedWords } from "../../../fulltext/analysis/best_passage.ts";

const wanted = (query: string) => wantedWords(query, ({ text }) => text.length);

const filler = "Nothing here is of any use to anybody. ".repeat(30);

Deno.test("bestPassage() shows the passage with the most of the query, wherever it is", () => {
  const text = `${filler}The auditor called. ${filler}The auditor wants form 1099-K.\n\n${filler}`;
  const passage = bestPassage(text, wanted("auditor form 1099-K"));
  assert.match(passage, /auditor wants form 1099-K/);
  assert.ok(passage.startsWith("... ") && passage.endsWith(" ..."));
  assert.ok(passage.length < 320, `${passage.length}`);
  assert.doesNotMatch(passage, /\n/);
});

Deno.test("bestPassage() gives the beginning if the text has no word of the query", () => {
  assert.equal(bestPassage("Short text.", wanted("zeppelin")), "Short text.");
  assert.ok(bestPassage(filler, wanted("zeppelin")).startsWith("Nothing here"));
  assert.equal(bestPassage("", wanted("zeppelin")), "");
});

Deno.test("bestPassage() keeps the matching word after a long one", () => {
  const passage = bestPassage(`${"y".repeat(400)}-needle ${filler}`, wanted("needle"));
  assert.match(passage, /needle/);
});

Deno.test("bestPassage() finds words however they are inflected, accented, joined or written", () => {
  const cases: [string, string][] = [
    ["parties", "the PARTY is over"],
    ["happy", "happiness is rare"],
    ["hoping", "we hoped so"],
    ["MULLER", "Herr Müller kommt"],
    ["muller", "Herr Mu\u0308ller kommt"],
    ["oeuvre", "une œuvre rare"],
    ["strasse", "in der Straße dort"],
    ["Écoles", "trois ecoles ici"],
    ["4417", "flight AX4417 lands"],
    ["ORD20248817", "about ORD-2024-8817 again"],
    ["email", "an e-mail came"],
    ["электричество", "Счёт за Электричество"],
    ["ёлка", "Новогодняя ЁЛКА"],
    ["金曜日", "東京都庁の会議は金曜日です"],
    ["jean.dupont@example.com", "write to Jean.Dupont@Example.com"],
  ];
  for (const [query, sentence] of cases) {
    const passage = bestPassage(`${filler}${filler}${sentence}. ${filler}`, wanted(query));
    assert.ok(passage.includes(sentence), `${query}: ${passage}`);
  }
});

Deno.test("bestPassage() prefers a later passage with all words to an earlier one with some", () => {
  const text = `A harbour. ${filler}The harbour master. ${filler}A harbour master's report.`;
  assert.match(bestPassage(text, wanted("report harbour master")), /master's report/);
});

Deno.test("bestPassage() finds a number after letters, and no word inside another one", () => {
  const rest = "lorem ipsum dolor sit amet ".repeat(30);
  const finds = (query: string, word: string) =>
    bestPassage(`${rest}${word} ${rest}`, wanted(query)).includes(word);
  assert.equal(finds("4417", "AX4417"), true);
  assert.equal(finds("4417", "éAX4417"), false);
  assert.equal(finds("order", "Order"), true);
  assert.equal(finds("order", "reorder"), false);
});
