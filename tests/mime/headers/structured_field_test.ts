import assert from "node:assert/strict";
import { parseStructuredField } from "../../../mime/headers/structured_field.ts";

Deno.test("a parameter is read the same, plain or with quotes, escapes, comments and continuations", () => {
  const names: [written: string, read: string][] = [
    ["ab", "ab"],
    [" \tab ", "ab"],
    ['"ab"', "ab"],
    [' "a;b" ', "a;b"],
    [String.raw`"a\"b"`, 'a"b'],
    [String.raw`"a\\b"`, String.raw`a\b`],
    ['a"b"', "ab"],
    ["a (x; y) b", "a  b"],
    ['"ab', "ab"],
    ["", ""],
  ];
  for (const [written, read] of names) {
    const { value, params } = parseStructuredField(`Text/Plain; name=${written}; x=1`);
    assert.equal(value, "text/plain");
    const rest = written === '"ab' ? "; x=1" : "";
    assert.equal(params.get("name"), read + rest, written);
    assert.equal(params.get("x"), rest === "" ? "1" : undefined, written);
  }
  const { params } = parseStructuredField("x; name*0=a; name*1=b; NAME=c");
  assert.equal(params.get("name"), "ab");
});
