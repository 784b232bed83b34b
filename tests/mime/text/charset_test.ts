import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { decodeCharset } from "../../../mime/text/charset.ts";

const utf7 = (text: string) => decodeCharset(Buffer.from(text, "latin1"), "utf-7");

Deno.test("UTF-7 decodes runs with and without an end, a plus sign, pairs of surrogates, and what is no UTF-7", () => {
  for (
    const [encoded, text] of [
      ["Hi Mom -+Jjo--!", "Hi Mom -☺-!"],
      ["A+ImIDkQ.", "A≢Α."],
      ["+ZeVnLIqe", "日本語"],
      ["1 +- 1 +", "1 + 1 +"],
      ["+2D3eAA-", "😀"],
      ["+2D0-", "�"],
      ["a+b=+\xff", "a=+ÿ"],
      ["", ""],
    ]
  ) assert.equal(utf7(encoded), text, encoded);
});

Deno.test("text that is declared UTF-8 is read as windows-1252 if no character above ASCII is UTF-8", () => {
  const utf8 = (text: string) => decodeCharset(Buffer.from(text, "latin1"), "UTF-8");
  for (
    const [bytes, text] of [
      ["caf\xe9 \x80 5", "café € 5"],
      ["caf\xc3\xa9", "café"],
      ["caf\xc3\xa9 caf\xe9", "café caf�"],
      ["caf\xef\xbf\xbd", "caf�"],
    ]
  ) assert.equal(utf8(bytes), text, bytes);
});

Deno.test("text that is declared Latin is read as UTF-8 if its bytes can hardly be else", () => {
  for (const label of ["iso-8859-1", "ISO8859-1", "windows-1252", "latin1"]) {
    const latin = (text: string) => decodeCharset(Buffer.from(text, "latin1"), label);
    for (
      const [bytes, text] of [
        ["gr\xc3\xb6\xc3\x9fer", "größer"],
        ["it\xe2\x80\x99s", "it’s"],
        ["\xd0\x9f\xd1\x80", "Пр"],
        ["caf\xe9", "café"],
        ["caf\xc3\xa9 caf\xe9!", "cafÃ© café!"],
        // These bytes are UTF-8 by chance.
        ["JOS\xc9\x92S", "JOSÉ’S"],
        ["MALM\xd6\x92S", "MALMÖ’S"],
      ]
    ) assert.equal(latin(bytes), text, `${label} ${bytes}`);
  }
  const central = Buffer.from("gr\xc3\xb6", "latin1");
  assert.equal(decodeCharset(central, "iso-8859-2"), "grĂś");
});

Deno.test("the beginning of a UTF-8 text is read as such, wherever it was cut", () => {
  const whole = Buffer.from("a日本€");
  for (const label of [null, "iso-8859-1"]) {
    for (let end = 4; end <= whole.length; end++) {
      assert.match(decodeCharset(whole.subarray(0, end), label), /^a日本?\ufffd?€?$/);
    }
    assert.equal(decodeCharset(Buffer.from("caf\xe9", "latin1"), label), "café");
  }
});

Deno.test("ISO-8859-15 is known as Latin-9", () => {
  assert.equal(decodeCharset(Buffer.of(0xa4), "Latin-9"), "€");
});
