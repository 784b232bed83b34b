import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import type { SearchIndex } from "../../../domain/ports/search_index.ts";
import * as keys from "../../../domain/store/keys.ts";
import { createKvIndex } from "../../../adapters/search_index/kv_postings.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { indexedEmail } from "../../adapters/search_index/search_index_suite.ts";
import { searchFor, semanticService } from "./semantic_service.ts";

/** Degrees of closeness of a question and an email, with the scores of docs/specification.md "Search". */
const bands = {
  same: [0.9, 1],
  close: [0.7, 1],
  related: [0.3, 0.7],
  unrelated: [0, 0.3],
  /** The cosine of unrelated texts varies with the model. */
  weak: [0, 0.49],
} as const;

/** Three emails written by hand, and questions about them. */
const order = ["Your order", "The order number is ZX-48213. It ships on Monday."];
const invoice = [
  "Invoice 114",
  "Please find attached our invoice for hosting in May, 120 EUR, due on 14 June. Acme Hosting",
];
const password = [
  "Password reset",
  "Somebody asked for a new password for your account. Use the link below within an hour.",
];
const pairs: [string[], keyof typeof bands, string][] = [
  [order, "same", "The order number is ZX-48213. It ships on Monday."],
  [order, "same", "when does my order ship?"],
  [order, "same", "has the order been shipped already"],
  [order, "same", "ZX-48213"],
  [order, "related", "can I return an order?"],
  [order, "unrelated", "where do whales sleep at night"],
  [order, "unrelated", "the volcano is on the island, is it not?"],
  [invoice, "same", "invoice from acme"],
  [invoice, "same", "find the email about the hosting invoice"],
  [invoice, "close", "how much do we owe acme for hosting"],
  [invoice, "related", "hosting in Germany"],
  [invoice, "unrelated", "giraffe feeding times"],
  [password, "same", "how do I reset my password"],
  [password, "related", "I forgot my password"],
  [password, "unrelated", "photographs of the holidays in Crete"],
];

/** Mail about other topics, of usual size and vocabulary. */
function background(count: number) {
  const people = "Ben Carla Dmitri Elif Femi Greta Hana Ivan Jun Karim".split(" ");
  const matters = "roof lunch tennis choir train garden budget printer kitchen museum".split(" ");
  const verbs = "discuss postpone paint repair visit plan cancel measure praise move".split(" ");
  return Array.from({ length: count }, (_, n) => {
    const [who, what, verb] = [people, matters, verbs].map((list, k) =>
      list[(n * (k + 3) + Math.floor(n / 10)) % 10]
    );
    return indexedEmail(`background-${n}`, {
      subject: `${what} ${n}`,
      text:
        `Hello ${who}, when do we ${verb} the ${what}? It is on our list, and my idea is that ` +
        `you do it with ${people[n % 7]} after the ${matters[n % 9]}.`,
      arrivedMs: n,
    });
  });
}

async function scoreOf(index: SearchIndex, text: string, emailId: string): Promise<number> {
  const query = { userId: "user-1", text, filters: {}, window: 1000 };
  return (await index.search(query)).hits.find((hit) => hit.emailId === emailId)?.score ?? 0;
}

async function assertBands(index: SearchIndex, size: string) {
  for (const [[subject, text], kind, query] of pairs) {
    await index.add([indexedEmail("asked", { subject, text })]);
    const [from, to] = bands[kind];
    const score = await scoreOf(index, query, "asked");
    assert.ok(score >= from && score <= to, `${size}, ${kind}: ${query}: ${score}`);
  }
}

for (const size of [1, 5, 100, 10_000]) {
  // SPEC: mcp.search_ranked
  Deno.test(`scores of the embedded index are in the bands of the specification in an account of ${size} emails`, async () => {
    const index = openEmbeddedIndex({ path: null });
    await index.add(background(size - 1));
    await assertBands(index, `${size}`);
    await index.close();
  });
}

Deno.test("scores of postings in the database are in the bands of the specification", async () => {
  await using test = await testService();
  const index = createKvIndex(test.service.database, keys);
  await assertBands(index, "alone");
  await index.add(background(100));
  await assertBands(index, "101");
});

// SPEC: mcp.search_ranked, search.meaning
Deno.test("scores with an embedding provider are in the bands of the specification, lexical, semantic and both", async () => {
  await using service = await semanticService("embedded");
  const { test } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const mails = [order, invoice, password, ["Workshop", "The automobile is faulty."]];
  for (const [subject, text] of mails) {
    await deliver(test, box.email_address, message({ Subject: subject }, text));
  }
  await test.settle();
  const asked: [string, keyof typeof bands, string][] = [
    ["Your order", "close", "when does my order ship?"],
    ["Your order", "same", "ZX-48213"],
    ["Workshop", "close", "broken vehicle"],
    ["Your order", "weak", "where do whales sleep at night"],
    ["Password reset", "weak", "photographs of the holidays in Crete"],
  ];
  for (const [subject, kind, query] of asked) {
    const { results } = await searchFor(test, owner, query);
    const score = results.find((hit) => hit.subject === subject)?.score ?? 0;
    const [from, to] = bands[kind];
    assert.ok(score >= from && score <= to, `${kind}: ${query}: ${score}`);
  }
});
