import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import { PassageThread } from "../../../adapters/search_index/passages.ts";
import { indexedEmail } from "./search_index_suite.ts";

const query = { userId: "user-1", text: "overdue invoices of Acme" };
const filler = "Nothing of this is asked for. ".repeat(200);

/** A file with one email, and the weights of the query's words. */
async function filledFile() {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  const index = openEmbeddedIndex({ path });
  const text = `${filler}The invoice of Acme is overdue.${filler}`;
  await index.add([indexedEmail("a", { subject: "Acme", text })]);
  return { path, index };
}

/** Reads until the thread itself answers. */
async function untilFromThread(thread: PassageThread, fromIndex: () => number): Promise<string[]> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    const before = fromIndex();
    const passages = await thread.read({ ...query, emailIds: ["a", "unknown"] });
    if (fromIndex() === before) return passages;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error("the thread has not answered for 30 s");
}

Deno.test("passages of the second thread equal those of the index, and include every commit", async () => {
  const { path, index } = await filledFile();
  let asked = 0;
  const thread = new PassageThread(path, (passages) => {
    asked++;
    return index.passages(passages);
  });
  const stems = await weightsOf(path);
  thread.remember(query, stems);
  const [passage, unknown] = await untilFromThread(thread, () => asked);
  assert.match(passage, /The invoice of Acme is overdue\./);
  assert.equal(unknown, "");
  assert.deepEqual([passage, ""], await index.passages({ ...query, emailIds: ["a", "unknown"] }));
  await index.add([
    indexedEmail("a", { subject: "Acme", text: "Acme: invoices, overdue since May." }),
  ]);
  const before = asked;
  assert.deepEqual(await thread.read({ ...query, emailIds: ["a"] }), [
    "Acme: invoices, overdue since May.",
  ]);
  await index.remove(query.userId, ["a"]);
  assert.deepEqual(await thread.read({ ...query, emailIds: ["a"] }), [""]);
  assert.equal(asked, before, "the index was not asked");
  thread.stop();
  await index.close();
  await Deno.remove(path);
});

Deno.test("a second thread that cannot read leaves the passages to the index", async () => {
  let asked = 0;
  const thread = new PassageThread("/nonexistent/index.sqlite", ({ emailIds }) => {
    asked++;
    return Promise.resolve(emailIds.map(() => "from the index"));
  });
  thread.remember(query, []);
  for (let n = 1; n <= 100; n++) {
    assert.deepEqual(await thread.read({ ...query, emailIds: ["a"] }), ["from the index"]);
    assert.equal(asked, n);
    if (n % 10 === 0) await new Promise((done) => setTimeout(done, 20));
  }
  const unasked = { ...query, text: "never searched" };
  assert.deepEqual(await thread.read({ ...unasked, emailIds: ["a"] }), ["from the index"]);
  thread.stop();
});

/** The weights of a search, from the engine: the index does not return them. */
async function weightsOf(path: string) {
  const { IndexEngine } = await import("../../../fulltext/index/engine.ts");
  const engine = new IndexEngine(path, () => 0, (numbers) => crypto.getRandomValues(numbers));
  const { weights } = engine.search({ ...query, filters: {}, window: 10 });
  engine.close();
  assert.ok(weights.length >= 3);
  return weights;
}
