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
