import assert from "node:assert/strict";
import { indexOfTest } from "../../idle_index.ts";
import type { Embedder } from "../../../domain/ports/embeddings.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { type SearchAnswer, searchFor } from "./semantic_service.ts";

const topics = [/car|vehicle|automobile|voiture/i, /bill|invoice|facture/i, /choir|mass|chorale/i];

/** A model of known strength: texts of one topic have a cosine of 0.9, others of at most 0.1. */
const model: Embedder = {
  model: "topics",
  cosines: { same: 0.9, related: 0.5, unrelated: 0.05 },
  embed: (texts) =>
    Promise.resolve(texts.map((text) => {
      const topic = topics.findIndex((each) => each.test(text));
      const own = [...text].reduce((sum, c) => (sum * 31 + c.codePointAt(0)!) % 997, 7);
      return Float32Array.from(
        { length: 1_000 },
        (_, n) => n === topic ? 0.95 : n === 3 + own ? 0.31 : 0,
      );
    })),
};

/** A whole service with 40 mails about other things and the given ones. */
async function serviceWith(mail: [string, string][]): Promise<{
  ask(query: string): Promise<SearchAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const searchIndex = await indexOfTest();
  const test = await testService({
    parts: { searchIndex },
    ownParts: () => ({ semantic: new Semantic(model, searchIndex.vectors) }),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const filler = Array.from({ length: 40 }, (_, n): [string, string] => [
    `Report ${n}`,
    `The garden report of week ${n}: tomatoes, broken pots and a letter.`,
  ]);
  for (const [subject, text] of [...filler, ...mail]) {
    await deliver(test, box.email_address, message({ Subject: subject }, text));
  }
  await test.settle();
  return {
    ask: (query) => searchFor(test, owner, query),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
    },
  };
}

const mail: [string, string][] = [
  ["Workshop", "The automobile is ready, order ZX-4471-B."],
  ["Garage", "A new gearbox for the automobile."],
  ["Tyres", "Winter tyres for the automobile."],
  ["Hosting", "The invoice of May."],
];

// SPEC: search.found_by, search.nearest_places
Deno.test("each result says what found it, and three of the first ten are the nearest, whatever words say", async () => {
  await using service = await serviceWith(mail);
  const { results } = await service.ask("garden report about a broken vehicle");
  const nearest = results.filter(({ found_by }) => found_by.includes("meaning"));
  assert.deepEqual(nearest.map(({ subject }) => subject).toSorted(), [
    "Garage",
    "Tyres",
    "Workshop",
  ]);
  assert.equal(results.length, 10);
  for (const { found_by } of results) assert.ok(found_by.length > 0);

  const [order] = (await service.ask("ZX-4471-B vehicle")).results;
  assert.deepEqual(order.found_by, ["identifier", "words", "meaning"]);
  assert.equal(order.subject, "Workshop");
  assert.ok(order.score >= 0.9);
});

// SPEC: search.meaning_alone, search.languages, search.nearest_fifty
Deno.test("a question without a word of any mail is answered by meaning, with an honest score and total", async () => {
  await using service = await serviceWith(mail);
  const { results, total } = await service.ask("voiture cassée");
  assert.deepEqual(
    results.map(({ subject }) => subject).toSorted(),
    ["Garage", "Tyres", "Workshop"],
  );
  assert.equal(total, 3);
  for (const { found_by, score } of results) {
    assert.deepEqual(found_by, ["meaning"]);
    assert.ok(score >= 0.9, `${score}`);
  }
  assert.deepEqual((await service.ask("facture")).results.map(({ subject }) => subject), [
    "Hosting",
  ]);
});

Deno.test("found_by without a model: words, and identifier where the mail holds one", async () => {
  await using test = await testService({
    parts: { searchIndex: await indexOfTest() },
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (const [subject, text] of mail) {
    await deliver(test, box.email_address, message({ Subject: subject }, text));
  }
  await test.settle();
  const ways = async (query: string) =>
    (await searchFor(test, owner, query)).results.map((
      { subject, found_by },
    ) => [subject, ...found_by]);
  assert.deepEqual(await ways("invoice"), [["Hosting", "words"]]);
  assert.deepEqual(await ways("ZX-4471-B"), [["Workshop", "identifier", "words"]]);
});
