import assert from "node:assert/strict";
import { indexOfTest } from "../../idle_index.ts";
import { type Embedder, EmbeddingsError } from "../../../domain/ports/embeddings.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { type SearchAnswer, searchFor } from "./semantic_service.ts";

// SPEC: search.encoders_asleep
Deno.test("a question waits for encoders that load as long as they say, and then words answer, degraded", async () => {
  const waited: number[] = [];
  const embedder: Embedder = {
    model: "asleep",
    inBackground: true,
    questionMs: 1_500,
    passages: { tokens: 128, ofEmail: 4 },
    embed(_texts, { timeoutMs, userId }) {
      if (userId) waited.push(timeoutMs);
      return Promise.reject(new EmbeddingsError(`took longer than ${timeoutMs} ms`));
    },
  };
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Garage" }, "The car is ready."));
  await test.settle();
  const found: SearchAnswer & { pending_vectors?: number } = await searchFor(test, owner, "garage");
  assert.deepEqual(found.results.map(({ subject }) => subject), ["Garage"]);
  assert.equal(found.degraded, true);
  assert.equal(found.pending_vectors, 1);
  assert.deepEqual(waited, [1_500]);
});

// SPEC: search.encoders_failure
Deno.test("encoders that fail leave the words, and the metrics and the overview say how much waits", async () => {
  const embedder: Embedder = {
    model: "broken",
    inBackground: true,
    passages: { tokens: 128, ofEmail: 4 },
    embed: () => Promise.reject(new EmbeddingsError("models/a.onnx: damaged or missing")),
  };
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Garage" }, "The car is ready."));
  await test.settle();
  assert.equal((await searchFor(test, owner, "garage")).results.length, 1);
  const errors = test.log.filter(({ event }) => event === "search.embedding_failed");
  assert.match(String(errors[0].error), /models\/a.onnx: damaged or missing/);
  const page = await test.request("/operator/metrics", {
    headers: { authorization: `Bearer ${test.service.settings.OPERATOR_TOKEN}` },
  });
  assert.match(await page.text(), /^letterbox_embedding_waiting_emails 1$/m);
  const overview = await test.request("/api/attention", { headers: { cookie: owner.cookie } });
  assert.equal((await overview.json()).data.pending_vectors, 1);
});
