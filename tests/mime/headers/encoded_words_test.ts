import assert from "node:assert/strict";
import { decodeHeaderText } from "../../../mime/headers/encoded_words.ts";

for (
  const [what, text, expected] of [
    [
      "base64 with padding in the middle",
      "=?utf-8?B?5L2g5aU=?= =?UTF-8?B?veS4lueVjA==?=",
      "你好世界",
    ],
    ["quoted-printable", "=?utf-8?Q?caf=C3?=  =?utf-8?Q?=A9?= is open", "café is open"],
    ["both encodings", "=?utf-8?Q?=E5?= =?utf-8?B?pb0=?=", "好"],
    ["a code page of two bytes", "=?gb2312?B?xOO6?= =?gb2312?Q?=C3_ok?=", "你好 ok"],
    ["a charset that TextDecoder does not know", "=?utf-7?Q?+ZeU?= =?utf-7?Q?nLA-?=", "日✬"],
  ]
) {
  Deno.test(`decodeHeaderText() joins a character that two encoded words split: ${what}`, () => {
    assert.equal(decodeHeaderText(text), expected);
  });
}

Deno.test("decodeHeaderText() reads encoded words one by one if they do not decode together", () => {
  const cut = "=?utf-8?B?5L2g5aU=?= =?utf-8?B?5L2g?=";
  assert.equal(decodeHeaderText(cut), "你\ufffd你");
});

Deno.test("decodeHeaderText() reads a word that is wrongly declared UTF-8 as windows-1252", () => {
  assert.equal(decodeHeaderText("=?utf-8?Q?Ren=E9?= =?us-ascii?Q?!?="), "René!");
  assert.equal(decodeHeaderText("=?UTF8?B?UmVu6Q==?="), "René");
});

Deno.test("decodeHeaderText() reads UTF-8 that is declared Latin or as unknown", () => {
  for (const charset of ["iso-8859-1", "windows-1252", "us-ascii", "unknown-8bit", "x-unknown"]) {
    assert.equal(decodeHeaderText(`=?${charset}?Q?gr=C3=BCn?=`), "grün", charset);
    assert.equal(decodeHeaderText(`=?${charset}?Q?gr=FCn?=`), "grün", charset);
  }
});

Deno.test("of many words that are not what they say, the first 200 are read as what they are", () => {
  const word = "=?cp850?B?w6k=?=";
  const read = decodeHeaderText(Array.from({ length: 300 }, () => word).join(" x "));
  assert.deepEqual([...read.matchAll(/é/g)].length, 200);
});
