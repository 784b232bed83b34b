import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { createKvIndex } from "../../../adapters/search_index/kv_postings.ts";
import { account, deliver, mailbox, message } from "../../service.ts";
import { searchFor, semanticService } from "./semantic_service.ts";

/** A service without a disk: postings in the database, vectors in an Upstash index of either kind. */
async function withoutDisk(hybrid: boolean) {
  const service = await semanticService("upstash", {
    ownParts: ({ database }) => ({ searchIndex: createKvIndex(database, keys) }),
  });
  const { test, upstash } = service;
  upstash.hybrid = hybrid;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  // More different words than get a posting; the rare one comes late.
  const many = Array.from(
    { length: 400 },
    (_, n) => `word${String.fromCharCode(97 + n % 26)}${"x".repeat(n / 26)}`,
  );
  const mails = [
    ["Long", `${many.join(" ")}\n\nAt last the trombone is mentioned.`],
    ["Order", "Your order ZX-4471-B is on its way."],
    ["Lunch", "At noon?"],
  ];
  for (const [subject, text] of mails) {
    await deliver(test, box.email_address, message({ Subject: subject }, text));
  }
  await test.settle();
  const subjects = async (query: string, more = {}) =>
    (await searchFor(test, owner, query, more)).results.map(({ subject }) => subject);
  return { ...service, owner, subjects };
}

// SPEC: search.identifiers
Deno.test("search without a disk finds any word of any mail by the sparse half of a hybrid Upstash index", async () => {
  await using service = await withoutDisk(true);
  const { test, owner, subjects, upstash, embeddings } = service;
  const answer = await searchFor(test, owner, "what of the trombones?");
  assert.equal(answer.results[0].subject, "Long");
  assert.ok(answer.results[0].score >= 0.75, `${answer.results[0].score}`);
  assert.match(answer.results[0].snippet, /trombone/);
  assert.equal((await subjects("order ZX-4471-B"))[0], "Order");
  assert.deepEqual(await subjects("trombone", { from: "nobody" }), []);
  // Lexical search needs no embedding.
  embeddings.fault = "down";
  const meanwhile = await searchFor(test, owner, "trombone");
  assert.deepEqual(meanwhile.results.map(({ subject }) => subject), ["Long"]);
  assert.equal(meanwhile.degraded, true);
  upstash.fault = "down";
  assert.deepEqual(await subjects("trombone"), []);
  assert.deepEqual(await subjects("order ZX-4471-B"), ["Order"]);
  // Hits of all accounts are read again under the caller's account.
  embeddings.fault = null;
  upstash.fault = "foreign";
  const stranger = await account(test);
  await mailbox(test, stranger);
  assert.deepEqual((await searchFor(test, stranger, "trombone")).results, []);
});

Deno.test("search without a disk searches a dense Upstash index only by vectors", async () => {
  await using service = await withoutDisk(false);
  const { subjects, upstash } = service;
  assert.equal((await subjects("order ZX-4471-B"))[0], "Order");
  assert.equal((await subjects("parcel"))[0], "Order");
  assert.deepEqual(upstash.sparseQueries, []);
});

Deno.test("search with a disk does not use the sparse half of a hybrid Upstash index", async () => {
  await using service = await semanticService("upstash");
  const { test, upstash } = service;
  upstash.hybrid = true;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Boat" }, "A dinghy for sale."));
  await test.settle();
  assert.equal((await searchFor(test, owner, "dinghy")).results[0].subject, "Boat");
  assert.deepEqual(upstash.sparseQueries, []);
});
