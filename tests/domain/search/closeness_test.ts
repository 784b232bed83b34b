import assert from "node:assert/strict";
import { createOpenAiEmbedder } from "../../../adapters/embeddings/openai.ts";
import type { Embedder } from "../../../domain/ports/embeddings.ts";
import { closenessOf, cosine, knownPairs, ModelScale } from "../../../domain/search/closeness.ts";
import { startFakeEmbeddings } from "../../adapters/embeddings/fake_embeddings.ts";

const bands = { same: [0.75, 1], related: [0.4, 0.8], unrelated: [0, 0.4] } as const;

/** The same vectors with one more dimension in common, so that all cosines are high. */
function crowded(embedder: Embedder, share: number): Embedder {
  return {
    model: `${embedder.model} crowded`,
    async embed(texts, options) {
      return (await embedder.embed(texts, options)).map((vector) => {
        const norm = Math.hypot(...vector);
        return Float32Array.from([...vector.map((value) => value / norm), share]);
      });
    },
  };
}

Deno.test("a model's scale puts pairs of known closeness into their bands, whatever its cosines are", async () => {
  const fake = startFakeEmbeddings();
  const plain = createOpenAiEmbedder({ baseUrl: fake.url, model: "plain" });
  for (const embedder of [plain, crowded(plain, 1), crowded(plain, 3)]) {
    const { closeness, weight, places } = await new ModelScale(embedder).measure(1000);
    assert.deepEqual({ weight, places }, { weight: 0.4, places: 2 });
    for (const [kind, [from, to]] of Object.entries(bands)) {
      const pairs = knownPairs[kind as keyof typeof knownPairs];
      const vectors = await embedder.embed(pairs.flat(), { timeoutMs: 1000 });
      let mean = 0;
      for (let n = 0; n < pairs.length; n++) {
        mean += closeness(cosine(vectors[2 * n], vectors[2 * n + 1])) / pairs.length;
      }
      assert.ok(mean >= from && mean <= to, `${embedder.model}: ${kind} ${mean}`);
    }
    assert.equal(closeness(1), 1);
  }
  await fake.close();
});

// SPEC: search.trust
Deno.test("a model of random vectors has no weight, a model that separates the pairs has the full weight", async () => {
  let state = 7;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 - 0.5;
  };
  const vectorOf = () => Float32Array.from({ length: 256 }, random);
  const trustIn = (embed: (texts: string[]) => Float32Array[]) =>
    new ModelScale({ model: "made", embed: (texts) => Promise.resolve(embed(texts)) })
      .measure(1000);
  let counted = 0;
  for (let n = 0; n < 300; n++) {
    const { weight, places } = await trustIn((texts) => texts.map(vectorOf));
    if (weight > 0) counted++;
    assert.ok(weight < 0.1 && places === 0, `${weight} ${places}`);
  }
  assert.ok(counted <= 3, `${counted} of 300`);
  const same = await trustIn((texts) => texts.map(() => new Float32Array(256).fill(1)));
  assert.deepEqual([same.weight, same.places], [0, 0]);
  const rows = knownPairs.same.map((pair) => [pair, vectorOf()] as const);
  const oracle = (text: string) =>
    rows.find(([pair]) => (pair as readonly string[]).includes(text))?.[1] ?? vectorOf();
  const good = await trustIn((texts) => texts.map(oracle));
  assert.deepEqual([good.weight, good.places], [0.4, 2]);
});

Deno.test("a model whose cosines are known is not measured, and counts more than one that shows the same", async () => {
  const { weight, places, closeness, relevance } = await new ModelScale({
    model: "known",
    cosines: { same: 0.6, related: 0.3, unrelated: 0, answer: 0.5 },
    embed: () => Promise.reject(new Error("asked")),
  }).measure(1000);
  assert.deepEqual([weight, places], [0.55, 3]);
  assert.deepEqual([0.6, 0.3, 0].map(closeness), [0.9, 0.6, 0.2]);
  assert.deepEqual(
    [0.5, 0.3, 0].map(relevance),
    [0.9, 0.6, 0.2],
    "a question is shorter than mail",
  );
});

Deno.test("a scale asks its model once, and again only after a failure", async () => {
  const fake = startFakeEmbeddings();
  const embedder = createOpenAiEmbedder({ baseUrl: fake.url, model: "plain" });
  const scale = new ModelScale(embedder);
  fake.fault = "down";
  await assert.rejects(() => scale.measure(1000));
  fake.fault = null;
  await scale.measure(1000);
  await scale.measure(1000);
  assert.equal(fake.requests.length, 2);
  await fake.close();
});

Deno.test("closenessOf() never falls, stays within 0..1 and gives the three marks their scores", () => {
  for (
    const mean of [
      { same: 0.8, related: 0.4, unrelated: 0.1 },
      { same: 0.95, related: 0.9, unrelated: 0.85 },
      { same: 0.2, related: 0.3, unrelated: 0.4 },
      { same: 1, related: 1, unrelated: 1 },
      { same: -1, related: -1, unrelated: -1 },
    ]
  ) {
    const closeness = closenessOf(mean);
    let last = 0;
    for (let cosine = -1; cosine <= 1.0001; cosine += 0.01) {
      const score = closeness(cosine);
      assert.ok(score >= last && score <= 1, `${JSON.stringify(mean)} ${cosine} ${score}`);
      last = score;
    }
    assert.equal(closeness(NaN), 0);
  }
  const closeness = closenessOf({ same: 0.8, related: 0.4, unrelated: 0.1 });
  for (const [cosine, score] of [[0.8, 0.9], [0.4, 0.6], [0.1, 0.2], [1, 1], [-1, 0]]) {
    assert.ok(Math.abs(closeness(cosine) - score) < 1e-9);
  }
});
