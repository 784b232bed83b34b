import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../domain/ports/search_index/embedded.ts";
import { indexedEmail, searchIndexSuite } from "./search_index_suite.ts";

searchIndexSuite("embedded", () => Promise.resolve(openEmbeddedIndex({ path: null })));

Deno.test("embedded index keeps what it resolved when it is opened again", async () => {
  const path = await Deno.makeTempDir();
  try {
    const first = openEmbeddedIndex({ path: `${path}/index.sqlite` });
    await first.add([indexedEmail("kept", { text: "a periwinkle" })]);
    await first.close();
    const second = openEmbeddedIndex({ path: `${path}/index.sqlite` });
    const { hits } = await second.search({
      userId: "user-1",
      text: "periwinkle",
      filters: {},
      window: 10,
    });
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["kept"]);
    await second.close();
  } finally {
    await Deno.remove(path, { recursive: true });
  }
});

Deno.test("embedded index says what is wrong when its file cannot be used", async () => {
  const index = openEmbeddedIndex({ path: "/dev/null/index.sqlite" });
  await assert.rejects(() => index.add([indexedEmail("e")]), /cannot be opened/);
  await assert.rejects(() => index.check(), /cannot be opened/);
  await index.close();
});

Deno.test("embedded index says how it is at once, whatever waits before it", async () => {
  const index = openEmbeddedIndex({ path: null });
  const text = Array.from({ length: 2_000 }, (_, n) => `word${n}`).join(" ");
  let ended = 0;
  const work = Array.from(
    { length: 50 },
    (_, n) => index.add([indexedEmail(`e${n}`, { text })]).then(() => ended++),
  );
  for (let n = 0; n < 100; n++) await index.check();
  assert.equal(ended, 0, "no check waited for the thread");
  await Promise.all(work);
  await index.check();
  await index.close();
  await assert.rejects(() => index.check(), /is closed/);
});
