import assert from "node:assert/strict";
import { z } from "zod";
import { typedQuery } from "../../../routes/http/query.ts";

const input = z.object({
  count: z.int().min(0).max(60).default(5),
  flag: z.boolean().optional(),
  text: z.string().optional(),
}).superRefine(() => {});

Deno.test("decimal digits of a query are a whole number; blanks, signs, other notations and nothing are none", () => {
  const typed = (count: string) => typedQuery(input, { count }).count;
  for (const digits of ["0", "60", "007", "-1"]) assert.equal(typed(digits), Number(digits));
  for (const text of ["", " ", " 5", "0x5", "5e0", "5.0", "+5", "٥", "Infinity", "9".repeat(16)]) {
    assert.equal(typed(text), text);
    assert.equal(input.safeParse({ count: typed(text) }).success, false, text);
  }
});

Deno.test("true and false of a query are truth values; texts stay texts, and unknown names too", () => {
  const query = { flag: "true", text: "10", other: "true" };
  assert.deepEqual(typedQuery(input, query), { ...query, flag: true });
  assert.deepEqual(typedQuery(input, { flag: "False", text: "true" }), {
    flag: "False",
    text: "true",
  });
  assert.deepEqual(typedQuery(input, { flag: "false" }), { flag: false });
});
