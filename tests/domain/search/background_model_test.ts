import assert from "node:assert/strict";
import { indexOfTest } from "../../idle_index.ts";
import type { Embedder } from "../../../domain/ports/embeddings.ts";
import { knownPairs } from "../../../domain/search/closeness.ts";
import { followModel } from "../../../domain/indexing/reembed.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { searchFor } from "./semantic_service.ts";

const knownTexts = new Set(Object.values(knownPairs).flat(2)).size;

/** A model that knows that a car is a vehicle, and embeds mail only when the test allows it. */
function slowModel() {
  const rows = knownPairs.same.map((pair) => pair as readonly string[]);
  const topicOf = (text: string) => {
    const row = rows.findIndex((pair) => pair.includes(text));
    return row >= 0
      ? row
      : /car|vehicle/.test(text)
      ? 4
      : 5 + [...text].reduce((sum, c) => sum + c.charCodeAt(0), 0) % 59;
  };
  const vectorOf = (text: string) =>
    Float32Array.from({ length: 64 }, (_, n) => n === topicOf(text) ? 1 : 0);
  const open = Promise.withResolvers<void>();
  /** The most texts of mail in one call. */
  let most = 0;
  const embedder: Embedder = {
    model: "slow",
    inBackground: true,
    passages: { tokens: 128, ofEmail: 1 },
    async embed(texts, { timeoutMs }) {
      if (timeoutMs > 1_000 && texts.length !== knownTexts) {
        most = Math.max(most, texts.length);
        await open.promise;
      }
      return texts.map(vectorOf);
    },
  };
  return { embedder, open: () => open.resolve(), most: () => most };
}

// SPEC: search.pending
Deno.test("mail is processed before a model of this process has read it, and found by meaning afterwards", async () => {
  const model = slowModel();
  const searchIndex = await indexOfTest();
  await using test = await testService({
    parts: { searchIndex },
    ownParts: () => ({ semantic: new Semantic(model.embedder, searchIndex.vectors) }),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Garage" }, "Your car is ready."));
  const ask = async (query: string) =>
    await searchFor(test, owner, query) as Awaited<ReturnType<typeof searchFor>> & {
      pending_vectors?: number;
    };
  const until = Date.now() + 30_000;
  while ((await ask("garage")).pending > 0 && Date.now() < until) {
    await new Promise((done) => setTimeout(done, 20));
  }
  const before = await ask("garage");
  assert.equal(before.pending, 0);
  assert.equal(before.pending_vectors, 1);
  assert.equal(before.degraded, undefined);
  assert.deepEqual(before.results.map(({ subject }) => subject), ["Garage"]);
  assert.deepEqual((await ask("vehicle")).results, []);
  model.open();
  await test.settle();
  const after = await ask("vehicle");
  assert.equal(after.pending_vectors, 0);
  assert.deepEqual(after.results.map(({ subject }) => subject), ["Garage"]);
});

Deno.test("mail of a mailbox that is deleted waits for no vectors", async () => {
  const model = slowModel();
  const searchIndex = await indexOfTest();
  await using test = await testService({
    parts: { searchIndex },
    ownParts: () => ({ semantic: new Semantic(model.embedder, searchIndex.vectors) }),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Garage" }, "Your car is ready."));
  const gone = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    method: "DELETE",
    json: { confirm_email_address: box.email_address },
    token: owner.key,
  });
  await gone.arrayBuffer();
  assert.equal(gone.status, 200);
  model.open();
  await test.settle();
  const answer = await searchFor(test, owner, "vehicle") as { pending_vectors?: number };
  assert.equal(answer.pending_vectors, 0);
});

Deno.test("mail that was there before the model is embedded one email at a time", async () => {
  const model = slowModel();
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 5; n++) {
    await deliver(test, box.email_address, message({ Subject: `Car ${n}` }, `A car, ${n}.`));
  }
  await test.settle();
  test.service.semantic = new Semantic(model.embedder, searchIndex.vectors);
  model.open();
  await followModel(test.service);
  // It rests three times as long as it has worked; by this clock no time passes meanwhile.
  for (let n = 0; n < 10; n++) await test.advance(10_000);
  assert.equal((await searchFor(test, owner, "vehicle")).results.length, 5);
  assert.equal(model.most(), 1);
});
