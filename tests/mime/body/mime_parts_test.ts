import assert from "node:assert/strict";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { message } from "../fixture.ts";

Deno.test("the text of a part that has no header and no empty line above it is whole", () => {
  const textOf = (part: string) =>
    parseBody(message(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${part}\n--b--\n`)).text;
  assert.equal(textOf("Dear Ann,\n\nyour code is 482913."), "Dear Ann,\n\nyour code is 482913.");
  assert.equal(textOf("One line: all of it."), "One line: all of it.");
  assert.equal(textOf("\nDear Ann,"), "Dear Ann,");
  // What is indented may be a field.
  for (const field of ["Content-Type", " Content-Type", "Content-Type "]) {
    assert.equal(textOf(`${field}: text/html\n\n<b>Ann</b>`), "Ann", field);
  }
});
