import assert from "node:assert/strict";
import { BlobWriter, chunkBytes, readBlob } from "../../../domain/store/blobs.ts";
import { type TestService, testService } from "../../service.ts";

/** The owner of each range in the order in which the database was asked: two run at once, so any may end first. */
function begunReads({ kv }: TestService): unknown[] {
  const begun: unknown[] = [];
  const list = kv.list.bind(kv);
  kv.list = (selector, options) => {
    const [table, owner] = "prefix" in selector ? selector.prefix : selector.start;
    if (table === "things" || table === "blob_chunks") begun.push(owner);
    return list(selector, options);
  };
  return begun;
}

Deno.test("reads of ranges take turns by account: a hundred of one account do not delay another's", async () => {
  await using test = await testService();
  const { database } = test.service;
  const begun = begunReads(test);
  const read = (owner: string) => database.collect({ prefix: ["things", owner] });
  await Promise.all([...Array.from({ length: 100 }, () => read("many")), read("one")]);
  assert.equal(begun.length, 101);
  assert.ok(begun.indexOf("one") <= 1, `after ${begun.indexOf("one")}`);
});

Deno.test("chunks of blobs are read in turns too: a hundred downloads do not delay the ranges of an account", async () => {
  await using test = await testService();
  const { database } = test.service;
  const writer = new BlobWriter(test.service);
  await writer.write(new Uint8Array(12 * chunkBytes));
  const { ref } = await writer.finish();
  const begun = begunReads(test);
  const download = () => readBlob(database, ref, 10).next();
  const read = () => database.collect({ prefix: ["things", "one"] });
  await Promise.all([...Array.from({ length: 100 }, download), read()]);
  assert.ok(begun.indexOf("one") <= 1, `after ${begun.indexOf("one")}`);
});

Deno.test("lists take turns too: a hundred of one account do not delay another's", async () => {
  await using test = await testService();
  const { database } = test.service;
  const begun = begunReads(test);
  const list = (owner: string) => Array.fromAsync(database.list({ prefix: ["things", owner] }));
  await Promise.all([...Array.from({ length: 100 }, () => list("many")), list("one")]);
  assert.equal(begun.length, 101);
  assert.ok(begun.indexOf("one") <= 1, `after ${begun.indexOf("one")}`);
});

Deno.test("a list is read page by page, up to its limit, in both directions", async () => {
  await using test = await testService();
  const { database } = test.service;
  await database.transact((tx) => {
    for (let n = 0; n < 30; n++) tx.set(["things", "many", n], n);
  });
  for (const [limit, batchSize] of [[25, 10], [30, 10], [31, 10], [undefined, 7], [5, 10]]) {
    for (const reverse of [false, true]) {
      const options = { reverse, limit, batchSize };
      const rows = await database.collect<number>({ prefix: ["things", "many"] }, options);
      const all = Array.from({ length: 30 }, (_, n) => reverse ? 29 - n : n);
      assert.deepEqual(rows.map(({ value }) => value), all.slice(0, limit));
    }
  }
});
