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
