import assert from "node:assert/strict";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { queryTerms } from "../../../fulltext/index/query_terms.ts";
import { indexedEmail } from "../../adapters/search_index/search_index_suite.ts";

const question = "why does the crane of the harbour stop when the wind is strong";
/** The same with more than thirty different words. */
const text = `${question}: yesterday its brake closed again at noon, both pumps ran hot, our ` +
  "operator smelled oil, pressure fell below nine bar, and nobody could restart until evening";

Deno.test("a query of more than thirty words outside its identifiers is a text, without small numbers", () => {
  assert.equal(queryTerms(`${question} ORD-2024-8817`).isText, false);
  assert.equal(queryTerms(text).isText, true);
  const identifiers = Array.from({ length: 20 }, (_, n) => `ORD-2024-${8_817 + n * 7}`).join(" ");
  assert.equal(queryTerms(identifiers).isText, false);
  assert.equal(queryTerms(identifiers).onlyIdentifiers, true);
  const phrases = (query: string) =>
    queryTerms(`${query} at gate 12 with ORD-2024-8817`).exactTerms.map(({ phrase }) =>
      phrase.trim()
    );
  assert.deepEqual(phrases(question), ["12", "ord 2024 8817"]);
  assert.deepEqual(phrases(text), ["ord 2024 8817"]);
});

/** The hits in an account with mail about the text, and `count` mails about other things that hold REL-4.2.1. */
function found(query: string, count: number): string[] {
  const index = new IndexEngine(null, () => 0, (numbers) => numbers.fill(0x9e3779b9));
  try {
    index.add([
      ...Array.from({ length: 5 }, (_, n) =>
        indexedEmail(`about-${n}`, {
          text: `The crane of the harbour: brake, pumps, oil, pressure, wind, operator. ${n}`,
        })),
      ...Array.from(
        { length: count },
        (_, n) =>
          indexedEmail(`holds-${n}`, { text: `REL-4.2.1 is out, with new icons and menus. ${n}` }),
      ),
      ...Array.from({ length: 40 }, (_, n) => indexedEmail(`other-${n}`)),
    ]);
    return index.search({ userId: "user-1", text: query, filters: {}, window: 100 }).hits
      .map(({ emailId }) => emailId);
  } finally {
    index.close();
  }
}

Deno.test("mail with an identifier of a question is before all other mail", () => {
  const hits = found(`${question} since REL-4.2.1`, 3);
  assert.deepEqual(hits.slice(0, 3).map((id) => id.split("-")[0]), ["holds", "holds", "holds"]);
});

Deno.test("mail about a text is before mail with its identifier, of which one is among the first ten", () => {
  const hits = found(`${text} since REL-4.2.1`, 12);
  assert.ok(hits.slice(0, 5).every((id) => id.startsWith("about")), `${hits.slice(0, 10)}`);
  assert.ok(hits.slice(0, 10).some((id) => id.startsWith("holds")), `${hits.slice(0, 10)}`);
});

Deno.test("mail that alone holds an identifier of a text is before all other mail", () => {
  const hits = found(`${text} since REL-4.2.1`, 1);
  assert.equal(hits[0], "holds-0");
});
