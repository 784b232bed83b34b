import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { parseBody } from "../../../mime/body/parse_body.ts";

const textOf = (type: string, text: string) =>
  parseBody(Buffer.from(`Content-Type: ${type}\r\n\r\n${text}`, "latin1")).text;
const big = "\xfe\xff\0G\0r\0\xfc\0\xdf\0e\x20\xac";
const little = "\xff\xfeG\0r\0\xfc\0\xdf\0e\0\xac\x20";

Deno.test("a byte order mark says how a text is encoded, whatever charset is declared", () => {
  for (const type of ["text/plain; charset=utf-16", "text/plain", "text/html; charset=utf-8"]) {
    assert.equal(textOf(type, big), "Grüße€", type);
    assert.equal(textOf(type, little), "Grüße€", type);
  }
  assert.equal(
    textOf("text/plain; charset=iso-8859-1", "\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe"),
    "Grüße",
  );
});

Deno.test("HTML that is declared UTF-16 by itself is read as its bytes are", () => {
  assert.equal(textOf("text/html", '<meta charset="utf-16"><p>Gr\xc3\xbc\xc3\x9fe'), "Grüße");
  assert.equal(textOf("text/html", "<meta charset=unicode><p>Gr\xfc\xdfe"), "Grüße");
});

Deno.test("HTML that is no UTF-8 is read as it says itself if its charset is declared as ASCII or is not known", () => {
  const russian = "<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4";
  for (const charset of ["us-ascii", "unknown-8bit", "x-none"]) {
    assert.equal(textOf(`text/html; charset=${charset}`, russian), "Привет", charset);
  }
  assert.equal(textOf("text/html; charset=windows-1251", russian), "рТЙЧЕФ");
  assert.equal(textOf("text/html; charset=us-ascii", "<meta charset=koi8-r><p>\xc3\xbc"), "ü");
});
