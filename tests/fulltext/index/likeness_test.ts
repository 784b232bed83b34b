import assert from "node:assert/strict";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { indexedEmail } from "../../adapters/search_index/search_index_suite.ts";

const others =
  "amber basil cedar delta ember fjord grove hazel ivory jetty kayak lemon mango nylon";

/**
 * The hits for "walrus" in an account with `count` emails that hold the word, one of which has all other words too, an
 * email with these other words alone, and one with `shared` of them.
 */
function found(count: number, shared: number): string[] {
  const index = new IndexEngine(null, () => 0, (numbers) => numbers.fill(0x9e3779b9));
  try {
    index.add([
      indexedEmail("first", { text: `walrus walrus walrus ${others}` }),
      indexedEmail("like", { text: others }),
      indexedEmail("hardly", { text: others.split(" ").slice(0, shared).join(" ") }),
      ...Array.from(
        { length: count - 1 },
        (_, n) => indexedEmail(`holds-${n}`, { text: `walrus ${n}` }),
      ),
      ...Array.from({ length: 40 }, (_, n) => indexedEmail(`other-${n}`, { text: "quiet day" })),
    ]);
    return index.search({ userId: "user-1", text: "walrus", filters: {}, window: 100 }).hits
      .map(({ emailId }) => emailId);
  } finally {
    index.close();
  }
}

Deno.test("an email without a word of the query that is a little like the first hit is found if it is among the best", () => {
  assert.ok(found(5, 2).includes("hardly"));
  assert.ok(!found(60, 2).includes("hardly"));
  assert.ok(found(60, 14).includes("hardly"));
});

Deno.test("an email that is hardly like the first hit is not found", () => {
  assert.ok(!found(5, 1).includes("hardly"));
});
