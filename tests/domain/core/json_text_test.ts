import assert from "node:assert/strict";
import { holdsText, jsonOf, JsonText } from "../../../domain/core/json_text.ts";

Deno.test("jsonOf() prints as JSON.stringify() does, and what is text already as it is", () => {
  for (const value of [null, 1, "a", [1, { b: 2 }], {}, { a: undefined, b: null, "c\n": [] }]) {
    assert.equal(holdsText(value), false);
    assert.equal(jsonOf(value), JSON.stringify(value));
  }
  const page = {
    success: true,
    data: new JsonText('[{"id": 1}]'),
    gone: undefined,
    meta: { n: 1 },
  };
  assert.equal(holdsText(page), true);
  assert.equal(jsonOf(page), '{"success":true,"data":[{"id": 1}],"meta":{"n":1}}');
  assert.equal(jsonOf({ data: new JsonText("[]") }), '{"data":[]}');
});
