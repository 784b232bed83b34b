import assert from "node:assert/strict";
import { PersonFilter } from "../../../fulltext/analysis/people.ts";

Deno.test("a filter with an at sign looks at addresses alone; one without at names too", () => {
  const person = ['"noreply@bank.example', "x@evil.example"] as const;
  const lines = 'ann <ann@one.example>\n"noreply@bank.example" <x@evil.example>';
  const cases: [string, boolean][] = [
    ["noreply@bank.example", false],
    ["@bank.example", false],
    ["noreply@", false],
    ["<noreply@bank.example>", false],
    ["x@evil", true],
    ["<x@evil.example>", true],
    ["bank.example <x@evil.example>", true],
    ["other <x@evil.example>", false],
  ];
  for (const [part, expected] of cases) {
    assert.equal(new PersonFilter(part).passes(...person), expected, part);
    assert.equal(new PersonFilter(part).passesOne(lines), expected, part);
  }
  assert.equal(new PersonFilter("bank").passesOne(lines), true);
  assert.equal(new PersonFilter("ann <x@evil.example>").passesOne(lines), false, "of two people");
});
