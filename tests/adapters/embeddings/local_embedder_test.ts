import assert from "node:assert/strict";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import { EmbeddingsError } from "../../../domain/ports/embeddings.ts";

/**
 * Answers each text after 20 ms with the number of texts that it has had and its length; dies of "die",
 * fails for "no", cannot read "ღ", has no encoders after "unloaded".
 */
const module = new URL("./counting_model/model.ts", import.meta.url);
const set = { model: "counting", sources: [] };

/** A clock whose alarms ring when the time is set. */
function handClock() {
  let now = 0;
  const alarms = new Set<{ at: number; run: () => void }>();
  return {
    elapsed: () => now,
    after(delayMs: number, run: () => void) {
      const alarm = { at: now + delayMs, run };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    set(time: number) {
      now = time;
      for (const alarm of [...alarms]) {
        if (alarm.at <= now && alarms.delete(alarm)) alarm.run();
      }
    },
  };
}

function embedderOf(options: Partial<Parameters<typeof createLocalEmbedder>[1]> = {}) {
  return createLocalEmbedder(set, { clock: systemClock, module, ...options });
}

Deno.test("a query is embedded before the rest of the mail, and answers keep the order of their texts", async () => {
  const embedder = embedderOf();
  const mail = embedder.embed(["a", "bb", "ccc", "dddd"], { timeoutMs: 60_000 });
  const [query] = await embedder.embed(["what is asked"], { timeoutMs: 30_000 });
  assert.equal(query[0], 2, "after one text of the mail");
  assert.deepEqual((await mail).map(([, length]) => length), [1, 2, 3, 4]);
  assert.deepEqual(await embedder.embed([], { timeoutMs: 1 }), []);
  embedder.close();
});

Deno.test("accounts that search take turns: a flood of one account delays the query of another by one text", async () => {
  const embedder = embedderOf();
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
  const failures: string[] = [];
  const embedder = embedderOf({ failed: (why) => failures.push(why) });
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
  assert.equal(failures.length, 2, failures.join());
  embedder.close();
});

// SPEC: search.encoders_failure
Deno.test("encoders that cannot be loaded are tried again after a minute, not by each question", async () => {
  const clock = handClock();
  const failures: string[] = [];
  const embedder = embedderOf({ clock, failed: (why) => failures.push(why) });
  const ask = (text: string) => embedder.embed([text], { userId: "a", timeoutMs: 1_500 });
  await assert.rejects(() => ask("unloaded"), /a.onnx is damaged/);
  clock.set(59_000);
  await assert.rejects(() => ask("fine"), /just failed/);
  assert.deepEqual(failures, ["a.onnx is damaged"]);
  clock.set(61_000);
  assert.equal((await ask("fine")).length, 1);
  embedder.close();
});

// SPEC: search.encoders_asleep
Deno.test("the thread ends a minute after mail and fifteen minutes after a question, and starts with the next text", async () => {
  const clock = handClock();
  const embedder = embedderOf({ clock });
  /** How many texts the thread has had, this one included. */
  const count = async (userId?: string) =>
    (await embedder.embed(["text"], { userId, timeoutMs: 1e9 }))[0][0];
  assert.equal(await count(), 1);
  clock.set(59_000);
  assert.equal(await count(), 2, "awake");
  clock.set(59_000 + 60_001);
  assert.equal(await count("a"), 1, "a new thread");
  clock.set(119_001 + 14 * 60_000);
  assert.equal(await count(), 2, "awake after a question");
  clock.set(119_001 + 15 * 60_000 + 1);
  assert.equal(await count(), 1, "mail kept it no longer than the question did");
  embedder.close();
});

// SPEC: search.encoders_failure
Deno.test("a thread that fails for ten texts in a row is started again, one text that fails is refused", async () => {
  const clock = handClock();
  const failures: string[] = [];
  const embedder = embedderOf({ clock, failed: (why) => failures.push(why) });
  const ask = async (text: string) => (await embedder.embed([text], { timeoutMs: 1e9 }))[0][0];
  const refused = (text: string) =>
    assert.rejects(() => ask(text), (error) => error instanceof EmbeddingsError && error.refused);
  for (let n = 0; n < 9; n++) await refused("no");
  assert.equal(await ask("fine"), 10, "the same thread");
  for (let n = 0; n < 9; n++) await refused("no");
  // What no encoder reads is no fault of the thread.
  for (let n = 0; n < 9; n++) await refused("ღ");
  await assert.rejects(() => ask("no"), (error) => !(error as EmbeddingsError).refused);
  await assert.rejects(() => ask("fine"), /just failed/);
  clock.set(10_001);
  assert.equal(await ask("fine"), 1, "a new thread");
  assert.equal(failures.length, 19);
  embedder.close();
});

// SPEC: search.encoders_asleep
Deno.test("a question waits for encoders at most 1.5 s, and they go on loading", async () => {
  const embedder = createLocalEmbedder(set, { clock: systemClock, module });
  assert.equal(embedder.questionMs, 1_500);
  const question = (text: string, timeoutMs: number) =>
    embedder.embed([text], { userId: "a", timeoutMs });
  await assert.rejects(() => question("what", 5), /longer than 5 ms/);
  assert.equal((await question("again", 15_000))[0][0], 2, "the thread had the first text too");
  embedder.close();
});

Deno.test("the time that texts take is counted", async () => {
  let worked = 0;
  const embedder = embedderOf({ worked: (ms) => worked += ms });
  await embedder.embed(["a", "b"], { timeoutMs: 60_000 });
  assert.equal(worked, 40);
  embedder.close();
});
