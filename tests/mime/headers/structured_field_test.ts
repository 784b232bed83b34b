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

Deno.test("parameters are read also if the semicolon before them is missing", () => {
  for (const separator of [" ", ", ", ",", "\t", " ; "]) {
    const field = `Text/HTML${separator}Charset="utf-8"; name=a`;
    const { value, params } = parseStructuredField(field);
    assert.deepEqual([value, [...params]], ["text/html", [["charset", "utf-8"], ["name", "a"]]]);
  }
  assert.equal(parseStructuredField("text / html (a=b); x=1").value, "text/html");
  assert.equal(parseStructuredField("a=b").value, "a=b");
});
