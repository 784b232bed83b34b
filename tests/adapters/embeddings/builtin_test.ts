import assert from "node:assert/strict";
import { createBuiltinEmbedder } from "../../../adapters/embeddings/builtin.ts";
import { EmbeddingsError } from "../../../domain/ports/embeddings.ts";
import { cosine, ModelScale } from "../../../domain/search/closeness.ts";

/**
 * Answers each text after 20 ms with the number of texts that it has had and its length; dies of "die",
 * refuses "no".
 */
const counting = new URL("./counting_model/model.ts", import.meta.url);
/** The built-in model where WebAssembly starts 2 s late. */
const late = new URL("./late_wasm/model.ts", import.meta.url);

Deno.test("the built-in model recognises the same meaning, counts as much as words, and gives 512 numbers", async () => {
  const embedder = createBuiltinEmbedder();
  const { weight, closeness } = await new ModelScale(embedder).measure(300_000);
  assert.equal(weight, 0.5);
  const [car, vehicle, soup] = await embedder.embed(
    ["My car has broken down.", "The vehicle is out of order.", "This soup wants more salt."],
    { timeoutMs: 60_000 },
  );
  assert.equal(car.length, 512);
  assert.ok(closeness(cosine(car, vehicle)) > closeness(cosine(car, soup)) + 0.2);
  embedder.close();
});

Deno.test("the built-in model waits for WebAssembly, however slowly it starts", async () => {
  const embedder = createBuiltinEmbedder(late);
  const [vector] = await embedder.embed(["A dinghy for sale."], { timeoutMs: 300_000 });
  assert.equal(vector.length, 512);
  embedder.close();
});

Deno.test("a query is embedded before the rest of the mail, and answers keep the order of their texts", async () => {
  const embedder = createBuiltinEmbedder(counting);
  const mail = embedder.embed(["a", "bb", "ccc", "dddd"], { timeoutMs: 60_000 });
  const [query] = await embedder.embed(["what is asked"], { timeoutMs: 30_000 });
  assert.equal(query[0], 2, "after one text of the mail");
  assert.deepEqual((await mail).map(([, length]) => length), [1, 2, 3, 4]);
  assert.deepEqual(await embedder.embed([], { timeoutMs: 1 }), []);
  embedder.close();
});

Deno.test("accounts that search take turns: a flood of one account delays the query of another by one text", async () => {
  const embedder = createBuiltinEmbedder(counting);
  const query = (userId: string) => embedder.embed(["asked"], { userId, timeoutMs: 30_000 });
  const mail = embedder.embed(["a", "bb"], { timeoutMs: 1_000_000 });
  const flood = Array.from({ length: 20 }, () => query("a"));
  await flood[0];
  const before = (await flood[1])[0][0];
  const [[other]] = await Promise.all([query("b"), ...flood, mail]);
  assert.ok(other[0] <= before + 2, `${other[0] - before - 1} came first`);
  embedder.close();
});

Deno.test("a text that is refused, a deadline that passes and a thread that dies are errors of the provider", async () => {
  const embedder = createBuiltinEmbedder(counting);
  const wrong = (texts: string[], timeoutMs: number, message: RegExp) =>
    assert.rejects(
      () => embedder.embed(texts, { timeoutMs }),
      (error) => error instanceof EmbeddingsError && message.test(error.message),
    );
  await wrong(["fine", "no"], 15_000, /not this one/);
  await wrong(new Array(500).fill("slow"), 200, /longer than 200 ms/);
  assert.equal((await embedder.embed(["fine"], { timeoutMs: 15_000 })).length, 1);
  await wrong(["die"], 15_000, /died by a test/);
  await wrong(["fine"], 15_000, /just failed/);
  embedder.close();
});
