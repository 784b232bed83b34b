import assert from "node:assert/strict";
import { followModel } from "../../../domain/indexing/reembed.ts";
import { createOpenAiEmbedder } from "../../../adapters/embeddings/openai.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { reindex } from "../../../domain/indexing/reindex.ts";
import { patience } from "../../nightly.ts";
import { account, deliver, mailbox, message } from "../../service.ts";
import type { EmbeddingFault } from "../../adapters/embeddings/fake_embeddings.ts";
import type { UpstashFault } from "../../adapters/vector_index/fake_upstash.ts";
import { searchFor, semanticService } from "./semantic_service.ts";

for (const vectors of ["embedded", "upstash"] as const) {
  // SPEC: search.meaning, search.identifiers
  Deno.test(`search with ${vectors} vectors finds mail without a word of the query, and exact order numbers`, async () => {
    await using service = await semanticService(vectors);
    const { test } = service;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const mail: [string, string][] = [
      ["Workshop", "The automobile is faulty and needs a new gearbox."],
      ["Choir", "Rehearsal of the mass by Bach on Monday evening."],
      ["Garden", "Tomatoes like sun. Reference ZX-4471-B stands on the label."],
      ["Parcel", "Your parcel was shipped, reference ZX-4472-C."],
    ];
    for (const [subject, text] of mail) {
      await deliver(test, box.email_address, message({ Subject: subject }, text));
    }
    await test.settle();
    const byMeaning = await searchFor(test, owner, "broken vehicle");
    assert.equal(byMeaning.results[0].subject, "Workshop");
    assert.ok(byMeaning.results[0].score >= 0.5, `${byMeaning.results[0].score}`);
    assert.match(byMeaning.results[0].snippet, /automobile is faulty/);
    assert.equal(byMeaning.degraded, undefined);
    assert.equal(byMeaning.pending, 0);

    const byNumber = await searchFor(test, owner, "the order ZX-4471-B was sent");
    assert.equal(byNumber.results[0].subject, "Garden");
    assert.ok(byNumber.results[0].score >= 0.9);
    assert.match(byNumber.results[0].snippet, /ZX-4471-B/);
    for (const { results } of [byMeaning, byNumber]) {
      assert.deepEqual(
        results.map(({ score }) => score),
        results.map(({ score }) => score).toSorted((a, b) => b - a),
      );
    }

    const deleted = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
      method: "DELETE",
      json: { confirm_email_address: box.email_address },
      token: owner.key,
    });
    assert.equal(deleted.status, 200);
    assert.deepEqual((await searchFor(test, owner, "broken vehicle")).results, []);
    await test.settle();
    for (const rows of service.upstash.namespaces.values()) assert.equal(rows.size, 0);
  });
}

const faults: EmbeddingFault[] = ["down", "slow", "429", "short", "nan", "html", "empty"];
for (const fault of faults) {
  // SPEC: search.degraded, search.pending
  Deno.test(`search is lexical while embeddings are: ${fault}, and the backlog drains afterwards`, async () => {
    // Each process learns the length of a vector from the first one.
    const options = fault === "short" ? { instances: 1 } : {};
    await using service = await semanticService("embedded", options);
    const { test, embeddings } = service;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    await deliver(test, box.email_address, message({ Subject: "Before" }, "A sedan for sale."));
    await test.settle();
    embeddings.fault = fault;
    // A test cannot wait 15 s for a slow provider: here only the search uses it.
    if (fault === "slow") {
      // The provider never answers. A search takes 2 s at most; a busy machine gets more.
      const begun = performance.now();
      const answer = await searchFor(test, owner, "sedan");
      assert.ok(performance.now() - begun < 6_000 * patience);
      assert.equal(answer.degraded, true);
      assert.equal(answer.results[0].subject, "Before");
      return;
    }
    for (let n = 0; n < 20; n++) {
      await deliver(test, box.email_address, message({ Subject: `Mail ${n}` }, `Automobile ${n}.`));
    }
    await test.settle();
    const meanwhile = await searchFor(test, owner, "automobile 7");
    assert.equal(meanwhile.degraded, true);
    assert.equal(meanwhile.pending, 20);
    assert.equal(meanwhile.results[0].subject, "Mail 7");
    await test.advance(600_000);
    assert.equal((await searchFor(test, owner, "automobile")).pending, 20);

    embeddings.fault = null;
    await test.advance(20_000);
    const after = await searchFor(test, owner, "vehicle 7");
    assert.equal(after.pending, 0);
    assert.equal(after.degraded, undefined);
    assert.equal(after.results[0].subject, "Mail 7");
    assert.equal(after.total, 21);
  });
}

for (const fault of ["down", "html", "slow"] as UpstashFault[]) {
  // SPEC: search.degraded
  Deno.test(`search is lexical while Upstash is: ${fault}`, async () => {
    await using service = await semanticService("upstash");
    const { test, upstash } = service;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    await deliver(test, box.email_address, message({ Subject: "Boat" }, "A dinghy for sale."));
    await test.settle();
    upstash.fault = fault;
    const begun = performance.now();
    const answer = await searchFor(test, owner, "dinghy");
    assert.ok(performance.now() - begun < 6_000 * patience);
    assert.equal(answer.degraded, true);
    assert.deepEqual(answer.results.map(({ subject }) => subject), ["Boat"]);
    if (fault === "slow") return;
    await deliver(test, box.email_address, message({ Subject: "Late" }, "Another automobile."));
    await test.settle();
    assert.equal((await searchFor(test, owner, "automobile")).pending, 1);
    upstash.fault = null;
    await test.advance(20_000);
    assert.equal((await searchFor(test, owner, "sedan")).results[0].subject, "Late");
  });
}

Deno.test("search shows no mail of another account when Upstash ignores namespace and filter", async () => {
  await using service = await semanticService("upstash");
  const { test, upstash } = service;
  const [ada, bob] = [await account(test), await account(test)];
  for (const [owner, subject] of [[ada, "Ada's"], [bob, "Bob's"]] as const) {
    const box = await mailbox(test, owner);
    await deliver(test, box.email_address, message({ Subject: subject }, "The sedan is faulty."));
  }
  await test.settle();
  upstash.fault = "foreign";
  const answer = await searchFor(test, ada, "broken vehicle");
  assert.deepEqual(answer.results.map(({ subject }) => subject), ["Ada's"]);
  assert.equal(answer.total, 1);
  assert.deepEqual((await searchFor(test, ada, "broken vehicle", { from: "nobody" })).results, []);
});

Deno.test("a change of model gives all mail new vectors while search goes on", async () => {
  await using service = await semanticService("embedded", { model: "fake-1" });
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 40; n++) {
    await deliver(test, box.email_address, message({ Subject: `Mail ${n}` }, `A sedan, ${n}.`));
  }
  await followModel(test.service);
  await test.settle();
  embeddings.dimensions = 64;
  test.service.semantic = new Semantic(
    createOpenAiEmbedder({ baseUrl: embeddings.url, model: "fake-2" }),
    test.service.semantic!.vectors,
  );
  assert.deepEqual(
    (await searchFor(test, owner, "automobile")).results,
    [],
    "no vector of the new model yet, and none of the old is compared",
  );
  assert.equal((await searchFor(test, owner, "sedan 17")).results[0].subject, "Mail 17");
  await followModel(test.service);
  await test.settle();
  const after = await searchFor(test, owner, "automobile");
  assert.equal(after.total, 40);
  await followModel(test.service);
  const asked = embeddings.requests.length;
  await test.settle();
  assert.equal(embeddings.requests.length, asked, "the same model again is no change");
});

Deno.test("a model that gives vectors of another length than before stores none", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "First" }, "A sedan."));
  await test.settle();
  embeddings.dimensions = 32;
  // A new process does not know the old length, but the database does.
  test.service.semantic = new Semantic(
    createOpenAiEmbedder({ baseUrl: embeddings.url, model: "fake-1" }),
    test.service.semantic!.vectors,
  );
  await deliver(test, box.email_address, message({ Subject: "Second" }, "A vehicle."));
  await test.settle();
  assert.equal((await searchFor(test, owner, "vehicle")).pending, 1);
  assert.ok(test.log.some(({ error }) => /32 numbers in place of 96/.test(String(error))));
});

Deno.test("mail that the provider refuses is found by lexical search and delays no other mail", async () => {
  await using service = await semanticService("embedded");
  const { test } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (
    const [subject, text] of [["One", "A sedan."], ["Two", "unembeddable"], ["Three", "A car."]]
  ) {
    await deliver(test, box.email_address, message({ Subject: subject }, text));
  }
  await test.settle();
  const answer = await searchFor(test, owner, "automobile");
  assert.equal(answer.pending, 0);
  assert.deepEqual(answer.results.map(({ subject }) => subject).toSorted(), ["One", "Three"]);
  assert.equal((await searchFor(test, owner, "two")).results[0].subject, "Two");
});

Deno.test("a mail without subject, text and sender is not given to the model, and delays no other mail", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, "X-Other: field\r\n\r\n\r\n");
  await deliver(test, box.email_address, message({ Subject: "One" }, "A sedan."));
  await test.settle();
  const inputs = embeddings.requests.flatMap(({ input }) => input);
  assert.ok(inputs.length > 0 && !inputs.includes(""));
  const answer = await searchFor(test, owner, "automobile");
  assert.equal(answer.pending, 0);
  assert.deepEqual(answer.results.map(({ subject }) => subject), ["One"]);
});

/** A text of twenty passages. */
const manyPassages = (of: (n: number) => string) =>
  Array.from({ length: 20 }, (_, n) => `${of(n)} ${"ab ".repeat(450)}`).join("\n\n");

Deno.test("a mail with one passage that the provider refuses is found by the meaning of the others", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const text = manyPassages((n) => n === 13 ? "unembeddable" : n === 14 ? "A sedan." : "Nothing.");
  await deliver(test, box.email_address, message({ Subject: "Long" }, text));
  await test.settle();
  const answer = await searchFor(test, owner, "automobile");
  assert.equal(answer.pending, 0);
  assert.deepEqual(answer.results.map(({ subject }) => subject), ["Long"]);
  assert.ok(embeddings.requests.length < 30);
});

Deno.test("passages that are too long for the model are cut", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  embeddings.maxChars = 800;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const text = `${"ab ".repeat(450)}\n\n${"ab ".repeat(450)} A sedan.`;
  await deliver(test, box.email_address, message({ Subject: "Long" }, text));
  await test.settle();
  const answer = await searchFor(test, owner, "automobile");
  assert.deepEqual(answer.results.map(({ subject }) => subject), ["Long"]);
});

Deno.test("while the provider refuses every text, mail waits for its vectors", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  embeddings.fault = "400";
  await deliver(test, box.email_address, message({ Subject: "One" }, "A sedan."));
  await deliver(test, box.email_address, message({ Subject: "Two" }, "A car."));
  await test.settle();
  assert.equal((await searchFor(test, owner, "sedan")).pending, 2);
  embeddings.fault = null;
  await test.advance(20_000);
  const answer = await searchFor(test, owner, "automobile");
  assert.equal(answer.pending, 0);
  assert.deepEqual(answer.results.map(({ subject }) => subject).toSorted(), ["One", "Two"]);
});

Deno.test("reindex gives the same results from the database only", async () => {
  // Equal emails of one millisecond are in the order of indexing, which differs with two instances.
  await using service = await semanticService("embedded", { instances: 1 });
  const { test } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 30; n++) {
    await deliver(
      test,
      box.email_address,
      message(
        { Subject: `Note ${n}` },
        `The vehicle number V-${1000 + n} is ${n % 2 ? "red" : "blue"}.`,
      ),
    );
  }
  await test.settle();
  const queries = ["red automobile", "V-1007", "blue number", "note 12"];
  const ask = () => Promise.all(queries.map((query) => searchFor(test, owner, query)));
  const before = await ask();
  assert.equal(await reindex(test.service), 30);
  assert.deepEqual(await ask(), before);
});

Deno.test("reindex while the provider is down rebuilds the full-text index, and the next start the vectors", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Boat" }, "A faulty sedan."));
  await test.settle();
  embeddings.fault = "down";
  assert.equal(await reindex(test.service), 1);
  assert.equal((await searchFor(test, owner, "sedan")).results[0].subject, "Boat");
  embeddings.fault = null;
  assert.deepEqual((await searchFor(test, owner, "broken automobile")).results, []);
  await followModel(test.service);
  await test.settle();
  assert.equal((await searchFor(test, owner, "broken automobile")).results[0].subject, "Boat");
});
