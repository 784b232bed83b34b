import assert from "node:assert/strict";
import { firstEntries, withoutNestedGroups } from "../../../mime/headers/address_groups.ts";

Deno.test("withoutNestedGroups() replaces by commas the colons that would begin a group in a group, and no others", () => {
  const lists = [
    ["a@b.example", "a@b.example"],
    ["Team: a@b.example, c@d.example;", "Team: a@b.example, c@d.example;"],
    ["One: a@b.example;, Two: c@d.example;", "One: a@b.example;, Two: c@d.example;"],
    ["One: Two: a@b.example;", "One: Two, a@b.example;"],
    [
      'One: "x: y" <a@b.example>, Two: c@d.example;',
      'One: "x: y" <a@b.example>, Two, c@d.example;',
    ],
    ['"a: b" <c@d.example>, "e: f" <g@h.example>', '"a: b" <c@d.example>, "e: f" <g@h.example>'],
    ['"a\\": b: c" <c@d.example>', '"a\\": b: c" <c@d.example>'],
    ["a: (b: c) d: e", "a: (b: c) d, e"],
    ["a:b:c:d", "a:b,c,d"],
  ];
  for (const [given, made] of lists) assert.equal(withoutNestedGroups(given), made);
});

Deno.test("firstEntries() cuts after the given number of separators", () => {
  assert.equal(firstEntries("a,b;c,d", 2), "a,b;c");
  assert.equal(firstEntries("a,b;c,d", 3), "a,b;c,d");
});
