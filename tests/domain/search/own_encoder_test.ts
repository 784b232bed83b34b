import assert from "node:assert/strict";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { folderEncoder } from "../../../adapters/embeddings/encoders/folder.ts";
import { indexOfTest } from "../../idle_index.ts";
import type { Job } from "../../../domain/store/jobs.ts";
import * as keys from "../../../domain/store/keys.ts";
import type { Embedder } from "../../../domain/ports/embeddings.ts";
import { followModel } from "../../../domain/indexing/reembed.ts";
import { reindex } from "../../../domain/indexing/reindex.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import { writeTinyEncoder } from "../../adapters/embeddings/tiny_encoder.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { type SearchAnswer, searchFor } from "./semantic_service.ts";
import { topics } from "./topics.ts";
import { patientClock } from "../../adapters/embeddings/patient_clock.ts";

interface Answer extends SearchAnswer {
  pending_vectors: number;
}

// SPEC: search.own_encoders
Deno.test("with an encoder in a folder mail is found by its meaning, also mail that was there before", async () => {
  const folder = await Deno.makeTempDir();
  await writeTinyEncoder(folder, {
    words: topics("car vehicle automobile", "soup spoon kitchen"),
  });
  const embedder = createLocalEmbedder(await folderEncoder(folder), { clock: patientClock });
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const send = (subject: string, text: string) =>
    deliver(test, box.email_address, message({ Subject: subject }, text));
  await send("Kitchen", "spoon");
  await send("Garage", "car");
  await test.settle();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const ask = async (query: string) => await searchFor(test, owner, query) as Answer;
  assert.equal((await ask("vehicle")).pending_vectors, 2);
  await followModel(test.service);
  for (let n = 0; n < 5; n++) await test.advance(60_000);
  const found = await ask("vehicle");
  assert.equal(found.pending_vectors, 0);
  assert.equal(found.results[0]?.subject, "Garage");
  await send("Second garage", "automobile");
  await test.settle();
  assert.equal((await ask("vehicle")).results.length, 2);
  embedder.close();
  await Deno.remove(folder, { recursive: true });
});

/** A model of this machine that writes down what it embeds. */
function noting() {
  const texts: string[] = [];
  const state = { fails: false, takesMs: 0 };
  const embedder: Embedder = {
    model: "noting",
    inBackground: true,
    passages: { tokens: 128, ofEmail: 4 },
    async embed(asked, { timeoutMs }) {
      if (state.fails) throw new Error("a.onnx is damaged");
      if (timeoutMs > 15_000) texts.push(...asked);
      await new Promise((done) => setTimeout(done, state.takesMs));
      return asked.map(() => Float32Array.of(1, 0));
    },
  };
  return { embedder, texts, state };
}

async function withOldMail(accounts: number, mails: number) {
  const searchIndex = await indexOfTest();
  const test = await testService({ parts: { searchIndex }, instances: 1 });
  const owners = [];
  for (let n = 0; n < accounts; n++) {
    const owner = await account(test);
    const box = await mailbox(test, owner);
    for (let k = 0; k < mails; k++) {
      await deliver(test, box.email_address, message({ Subject: `${n}-${k}` }, "Text."));
      await test.settle();
    }
    owners.push({ ...owner, box });
  }
  return { test, searchIndex, owners };
}

// SPEC: search.backlog
Deno.test("mail that was there before is embedded newest first in each account, and accounts take turns", async () => {
  const { test, searchIndex } = await withOldMail(2, 3);
  await using _ = test;
  const { embedder, texts } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  await followModel(test.service);
  for (let n = 0; n < 10; n++) await test.advance(60_000);
  const subjects = texts.map((text) => text.split("\n")[0]);
  const [first, second] = subjects[0] === "0-2" ? ["0", "1"] : ["1", "0"];
  assert.deepEqual(subjects, [2, 1, 0].flatMap((n) => [`${first}-${n}`, `${second}-${n}`]));
});

// SPEC: search.encoders_quiet
Deno.test("mail that was there before takes at most a quarter of a core: the encoder rests three times as long as it worked", async () => {
  const { test, searchIndex } = await withOldMail(1, 4);
  await using _ = test;
  const { embedder, state } = noting();
  state.takesMs = 200;
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  await followModel(test.service);
  await test.settle();
  for (let n = 0; n < 4; n++) {
    const jobs = await test.service.database.collect<Job>({ prefix: keys.jobsDue() });
    const [job] = jobs.filter(({ value }) => value.kind === "reembed");
    const rest = job.value.runAt - test.clock.now();
    assert.ok(rest >= 3 * 200, `it rests ${rest} ms`);
    await test.advance(rest);
  }
});

// SPEC: search.pending
Deno.test("pending_vectors is at most 10,000", async () => {
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const lacking = { ...searchIndex.vectors.lacking!, count: () => Promise.resolve(12_345) };
  test.service.semantic = new Semantic(noting().embedder, { ...searchIndex.vectors, lacking });
  const owner = await account(test);
  assert.equal((await searchFor(test, owner, "anything") as Answer).pending_vectors, 10_000);
});

// SPEC: search.backlog
Deno.test("the log says how much mail has no vectors, a failure is named there, and the mail gets them afterwards", async () => {
  const { test, searchIndex, owners: [owner] } = await withOldMail(1, 3);
  await using _ = test;
  const { embedder, state } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  state.fails = true;
  await followModel(test.service);
  await test.settle();
  const of = (event: string) => test.log.filter((line) => line.event === event);
  assert.equal(of("search.vectors_missing")[0].emails, 2, "beside the one at work");
  assert.match(String(of("search.embedding_failed")[0].error), /a.onnx is damaged/);
  state.fails = false;
  for (let n = 0; n < 10; n++) await test.advance(60_000);
  assert.equal((await searchFor(test, owner, "Text") as Answer).pending_vectors, 0);
});

// SPEC: search.backlog
Deno.test("reindex leaves the vectors of an encoder of this machine to the running service, which goes on where it was", async () => {
  const { test, searchIndex, owners: [owner] } = await withOldMail(1, 3);
  await using _ = test;
  const { embedder, texts } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  await reindex(test.service);
  assert.deepEqual(texts, []);
  const waiting = async () => (await searchFor(test, owner, "Text") as Answer).pending_vectors;
  assert.equal(await waiting(), 3);
  await followModel(test.service);
  for (let n = 0; n < 10; n++) await test.advance(60_000);
  assert.equal(await waiting(), 0);
  assert.equal(texts.length, 3);
  // Another start finds nothing to do.
  await followModel(test.service);
  await test.advance(60_000);
  assert.equal(texts.length, 3);
});

Deno.test("mail gets its vectors again after the texts of its files came into the index", async () => {
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const { embedder } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const type = "multipart/mixed; boundary=b";
  const body = "--b\r\nContent-Type: text/plain\r\n\r\nSee the letter.\r\n" +
    "--b\r\nContent-Type: message/rfc822; name=a.eml\r\nContent-Disposition: attachment; filename=a.eml\r\n" +
    "\r\nFrom: a@example.net\r\nSubject: Inner\r\n\r\nzeppelin hangar\r\n--b--\r\n";
  await deliver(
    test,
    box.email_address,
    message({ Subject: "Letter", "MIME-Version": "1.0", "Content-Type": type }, body),
  );
  await test.settle();
  await test.advance(60_000);
  const found = await searchFor(test, owner, "zeppelin") as Answer;
  assert.equal(found.results[0].subject, "Letter");
  assert.equal(found.pending_vectors, 0);
});

// SPEC: search.passages
Deno.test("a subject of a thousand letters leaves room for the text in what the encoder reads", async () => {
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const { embedder, texts } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "long ".repeat(180) }, "The car."));
  await test.settle();
  assert.equal(texts.length, 1);
  assert.ok(texts[0].length < 300 && texts[0].endsWith("The car."), texts[0]);
});

Deno.test("mail without subject, text and sender waits for nothing", async () => {
  const searchIndex = await indexOfTest();
  await using test = await testService({ parts: { searchIndex }, instances: 1 });
  const { embedder } = noting();
  test.service.semantic = new Semantic(embedder, searchIndex.vectors);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, "To: a@agents.test\r\n\r\n");
  await test.settle();
  assert.equal((await searchFor(test, owner, "anything") as Answer).pending_vectors, 0);
});
