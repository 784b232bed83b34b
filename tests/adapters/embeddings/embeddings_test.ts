import assert from "node:assert/strict";
import { createOpenAiEmbedder } from "../../../adapters/embeddings/openai.ts";
import { EmbeddingsError } from "../../../domain/ports/embeddings.ts";
import { type EmbeddingFault, startFakeEmbeddings } from "./fake_embeddings.ts";

Deno.test("openai embedder gives one vector for each text, in batches, and asks for plain numbers", async () => {
  const fake = startFakeEmbeddings();
  const embedder = createOpenAiEmbedder({ baseUrl: fake.url, model: "fake", dimensions: 96 });
  const texts = Array.from({ length: 130 }, (_, n) => `text number ${n}`);
  const vectors = await embedder.embed(texts, { timeoutMs: 5000 });
  assert.equal(vectors.length, 130);
  assert.deepEqual(vectors[129], (await embedder.embed([texts[129]], { timeoutMs: 5000 }))[0]);
  assert.deepEqual(fake.requests.map(({ input }) => input.length), [32, 32, 32, 32, 2, 1]);
  for (const { model, dimensions, encoding } of fake.requests) {
    assert.deepEqual({ model, dimensions, encoding }, {
      model: "fake",
      dimensions: 96,
      encoding: "float",
    });
  }
  await fake.close();
});

const faults: [EmbeddingFault, RegExp, number | null][] = [
  ["down", /answered 500/, null],
  ["429", /answered 429/, 3000],
  ["slow", /no answer within 200 ms/, null],
  ["short", /95 numbers in place of 96/, null],
  ["nan", /a value that is not a number/, null],
  ["html", /not an answer/, null],
  ["empty", /not an answer with 1 vectors/, null],
  ["huge", /./, null],
];
for (const [fault, message, retryAfterMs] of faults) {
  Deno.test(`openai embedder gives an error and no vector when the service is: ${fault}`, async () => {
    const fake = startFakeEmbeddings();
    const embedder = createOpenAiEmbedder({ baseUrl: fake.url, model: "fake" });
    await embedder.embed(["well"], { timeoutMs: 5000 });
    fake.fault = fault;
    await assert.rejects(
      () => embedder.embed(["well"], { timeoutMs: fault === "slow" ? 200 : 5000 }),
      (error: unknown) => {
        assert.ok(error instanceof EmbeddingsError, String(error));
        assert.match(error.message, message);
        assert.equal(error.retryAfterMs, retryAfterMs);
        return true;
      },
    );
    await fake.close();
  });
}

Deno.test("openai embedder gives an error when nobody listens", async () => {
  const embedder = createOpenAiEmbedder({ baseUrl: "http://127.0.0.1:1/v1", model: "fake" });
  await assert.rejects(() => embedder.embed(["well"], { timeoutMs: 1000 }), EmbeddingsError);
});
