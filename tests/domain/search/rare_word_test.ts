import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import { indexedEmail } from "../../adapters/search_index/search_index_suite.ts";

const wanted = ["owning-1", "owning-2"];

/** 2,000 mails: a third have a form of `own`; two long ones have `owning` once. */
async function places(query: string): Promise<number[]> {
  const index = openEmbeddedIndex({ path: null });
  try {
    const filler = "A long text about other things goes on and on for some while. ".repeat(40);
    const emails = Array.from({ length: 1_998 }, (_, n) =>
      indexedEmail(`e${n}`, {
        arrivedMs: n,
        text: n % 3 === 0
          ? "She owns and owned a boat; he owns a car."
          : "Plain words of the budget.",
      }));
    await index.add([
      ...emails,
      ...wanted.map((id) => indexedEmail(id, { text: `${filler}Owning it is costly. ${filler}` })),
    ]);
    const { hits } = await index.search({
      userId: "user-1",
      text: query,
      filters: {},
      window: 1_000,
    });
    return wanted.map((id) => hits.findIndex(({ emailId }) => emailId === id) + 1);
  } finally {
    await index.close();
  }
}

for (const query of ["owning", '"owning"', "owning a boat", "the car that he is “owning”"]) {
  Deno.test(`a rare word whose stem is common is among the first ten: ${query}`, async () => {
    for (const place of await places(query)) {
      assert.ok(place >= 1 && place <= 10, `place ${place}`);
    }
  });
}
