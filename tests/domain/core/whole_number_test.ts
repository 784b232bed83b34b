import assert from "node:assert/strict";
import { wholeNumberField } from "../../../domain/core/whole_number.ts";

Deno.test("a whole number is a number or its digits; null, true, lists, blanks and other notations are none", () => {
  const field = wholeNumberField({ least: 0, most: 60 });
  for (const given of [0, 60, "0", "60", "007"]) {
    assert.equal(field.parse(given), Number(given), String(given));
  }
  const wrong = [
    null,
    true,
    "",
    " ",
    " 5",
    "0x5",
    "5e0",
    "5.0",
    "+5",
    [],
    [5],
    {},
    "٥",
    "Infinity",
  ];
  for (const given of [...wrong, -1, "-1", 61, "61", 5.5, NaN]) {
    assert.equal(field.safeParse(given).success, false, JSON.stringify(given));
  }
});
