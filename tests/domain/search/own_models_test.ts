import assert from "node:assert/strict";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { folderEncoder } from "../../../adapters/embeddings/encoders/folder.ts";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import { followModel } from "../../../domain/indexing/reembed.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { writeTinyEncoder } from "../../adapters/embeddings/tiny_encoder.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { type SearchAnswer, searchFor } from "./semantic_service.ts";
import { topics } from "./topics.ts";
import { patientClock } from "../../adapters/embeddings/patient_clock.ts";

type Answer = SearchAnswer & { pending_vectors?: number };

/** A service whose encoder is one in a folder, or none, as after a start with other settings. */
async function withEncoders() {
  const searchIndex = openEmbeddedIndex({ path: null });
  const test = await testService({ parts: { searchIndex }, instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const folder = await Deno.makeTempDir();
  const open = new Set<{ close(): void }>();
  return {
    test,
    send: (subject: string, text: string) =>
      deliver(test, box.email_address, message({ Subject: subject }, text)),
    ask: async (query: string) => await searchFor(test, owner, query) as Answer,
    /** Searches by words alone from now on. */
    off() {
      test.service.semantic = null;
    },
    /** Uses an encoder from now on; `meant` are words with the same meaning. */
    async use(meant: string) {
      await writeTinyEncoder(folder, { words: topics(meant) });
      const embedder = createLocalEmbedder(await folderEncoder(folder), { clock: patientClock });
      open.add(embedder);
      test.service.semantic = new Semantic(embedder, searchIndex.vectors);
    },
    /** What a start does, and then so many minutes of work. */
    async start(minutes: number) {
      await followModel(test.service);
      for (let n = 0; n < minutes; n++) await test.advance(60_000);
    },
    async [Symbol.asyncDispose]() {
      for (const embedder of open) embedder.close();
      await test[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

// SPEC: search.encoders_model
Deno.test("vectors of two models are never compared: after a change mail is found by words until it is embedded again", async () => {
  await using service = await withEncoders();
  await service.use("car vehicle");
  await service.send("Garage", "Car.");
  await service.test.settle();
  assert.equal((await service.ask("vehicle")).results.length, 1);
  await service.use("car automobile");
  const changed = await service.ask("automobile");
  assert.deepEqual([changed.results, changed.pending_vectors], [[], 1]);
  assert.deepEqual((await service.ask("car")).results[0].found_by, ["words"]);
  await service.start(3);
  const { results, pending_vectors } = await service.ask("automobile");
  assert.deepEqual(results.map(({ found_by }) => found_by), [["meaning"]]);
  assert.equal(pending_vectors, 0);
  assert.deepEqual((await service.ask("vehicle")).results, []);
});

// SPEC: search.backlog
Deno.test("after EMBEDDINGS=off the next start with encoders embeds what came meanwhile, and a restart goes on", async () => {
  await using service = await withEncoders();
  await service.use("car vehicle");
  await service.send("Garage", "Car.");
  await service.test.settle();
  service.off();
  for (let n = 0; n < 6; n++) await service.send(`Meanwhile ${n}`, "Another car.");
  await service.test.settle();
  assert.equal((await service.ask("vehicle")).pending_vectors, undefined);
  await service.use("car vehicle");
  const left: (number | undefined)[] = [(await service.ask("vehicle")).pending_vectors];
  // Each start has time for some of it: an email a minute of this clock, because the job is put off after each.
  while (left.at(-1) && left.length < 10) {
    await service.start(1);
    left.push((await service.ask("vehicle")).pending_vectors);
  }
  assert.equal(left[0], 6, "those that came before stay embedded");
  assert.ok(left.every((count, n) => n === 0 || count! < left[n - 1]!), left.join());
  assert.equal(left.at(-1), 0);
  assert.equal((await service.ask("vehicle")).results.length, 7);
});

// SPEC: search.encoders_failure
Deno.test("a mail without a word that the encoder knows is found by its words and delays no other mail", async () => {
  await using service = await withEncoders();
  await service.use("car vehicle mail");
  await service.send("Zzz", "Qqq xxx.");
  await service.send("Garage", "Car.");
  await service.test.settle();
  await service.test.advance(60_000);
  const { results, pending_vectors } = await service.ask("vehicle");
  assert.deepEqual(results.map(({ subject }) => subject), ["Garage"]);
  assert.equal(pending_vectors, 0);
  assert.equal((await service.ask("qqq")).results[0].subject, "Zzz");
});
