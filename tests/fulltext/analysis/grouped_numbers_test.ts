import assert from "node:assert/strict";
import { GroupedNumbers } from "../../../fulltext/analysis/grouped_numbers.ts";
import { eachPiece } from "../../../fulltext/analysis/pieces.ts";
import { tokenize } from "../../../fulltext/analysis/tokens.ts";

function words(text: string): string[] {
  const numbers = new GroupedNumbers(text);
  const found: string[] = [];
  eachPiece(
    text,
    (kind, start, end) => found.push(...[numbers.at(kind, start, end)?.word ?? []].flat()),
  );
  return found;
}

Deno.test("an IBAN, a card and a telephone number in groups are one word", () => {
  for (
    const [text, word] of [
      ["to DE12 5001 0517 0648 4898 90, thanks", "de12500105170648489890"],
      ["IBAN:DE12 5001 0517 0648 4898 90", "de12500105170648489890"],
      ["GB29 NWBK 6016 1331 9268 19 BIC NWBKGB2L", "gb29nwbk60161331926819"],
      ["FR14-2004-1010-0505-0001-3M02-606", "fr1420041010050500013m02606"],
      ["4929 1234 5678 9012", "4929123456789012"],
      ["(030) 1234-567", "0301234567"],
      ["+49 (0)30 1234 567", "49301234567"],
      ["+1 (212) 555-0199", "12125550199"],
      ["020\u00a07946\u00a00958", "02079460958"],
    ]
  ) {
    assert.deepEqual(words(text), [word], text);
    assert.ok(tokenize(text).some((token) => token.word.text === word));
  }
});

Deno.test("a small number, a date, a table and a compound are no number in groups", () => {
  for (
    const text of [
      ...["page 3 of 10", "12 34 56", "2026-11-17 10:30", "17.11.2026 1030", "030-1234567"],
      ...["1 2 3 4 5 6 7 8 9 10 11 12 13", "AB12 chairs", "DE12 5001", "4929\n1234\n5678\n9012"],
    ]
  ) assert.deepEqual(words(text), [], text);
});
