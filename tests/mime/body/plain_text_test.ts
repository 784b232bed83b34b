import assert from "node:assert/strict";
import { plainText } from "../../../mime/body/plain_text.ts";

Deno.test("CRLF, CR and LF each end one line of text", () => {
  assert.equal(plainText("a\r\nb\rc\nd\r\r\n\n\r", new Map()), "a\nb\nc\nd\n\n\n\n");
});
