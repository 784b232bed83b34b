import assert from "node:assert/strict";
import { differenceOf } from "../../dashboard/pages/drafts/difference.ts";

Deno.test("a difference goes from the first word that differs to the last one, with some words around it", () => {
  assert.equal(differenceOf("the same", "the same"), null);
  assert.deepEqual(differenceOf("pay 120 EUR now", "pay 90 EUR now"), {
    ...{ begin: "pay ", removed: "120 ", added: "90 ", end: "EUR now" },
  });
  assert.deepEqual(differenceOf("", "new"), { begin: "", removed: "", added: "new", end: "" });
  assert.deepEqual(differenceOf("a b", ""), { begin: "", removed: "a b", added: "", end: "" });
  assert.deepEqual(differenceOf("a a a", "a a"), {
    ...{ begin: "a ", removed: "a ", added: "", end: "a" },
  });
  const many = Array.from({ length: 50 }, (_, n) => `w${n}`).join(" ");
  const { begin, added, end } = differenceOf(`${many} x ${many}`, `${many} y ${many}`)!;
  assert.deepEqual([begin.split(" ").length, added, end.split(" ").length], [10, "y ", 9]);
  assert.ok(begin.startsWith("… w42 ") && end.endsWith("w7 …"));
});

Deno.test("whatever two texts are, both are what is common with what each has", () => {
  const some = ["", " ", "a", "a ", "a b", "b a", "a\nb", "a  b c", "c a b", "b b b b"];
  for (const before of some) {
    for (const after of some) {
      const found = differenceOf(before, after);
      if (found === null) {
        assert.equal(before, after);
        continue;
      }
      const { begin, removed, added, end } = found;
      assert.equal(begin + added + end, after);
      assert.ok((removed + added).length > 0, `${before} | ${after}`);
    }
  }
});
