import assert from "node:assert/strict";
import { BlobWriter, chunkBytes, readBlob } from "../../../domain/store/blobs.ts";
import { testService } from "../../service.ts";

Deno.test("reads of ranges take turns by account: a hundred of one account do not delay another's", async () => {
  await using test = await testService();
  const { database } = test.service;
  const ended: string[] = [];
  const read = async (owner: string) => {
    await database.collect({ prefix: ["things", owner] });
    ended.push(owner);
  };
  await Promise.all([...Array.from({ length: 100 }, () => read("many")), read("one")]);
  assert(ended.indexOf("one") <= 2, `after ${ended.indexOf("one")}`);
});

Deno.test("chunks of blobs are read in turns too: a hundred downloads do not delay the ranges of an account", async () => {
  await using test = await testService();
  const { database } = test.service;
  const ended: string[] = [];
  const writer = new BlobWriter(test.service);
  await writer.write(new Uint8Array(12 * chunkBytes));
  const { ref } = await writer.finish();
  const download = async () => {
    await readBlob(database, ref, 10).next();
    ended.push("many");
  };
  const read = async () => {
    await database.collect({ prefix: ["things", "one"] });
    ended.push("one");
  };
  await Promise.all([...Array.from({ length: 100 }, download), read()]);
  assert(ended.indexOf("one") <= 2, `after ${ended.indexOf("one")}`);
});

Deno.test("lists take turns too: a hundred of one account do not delay another's", async () => {
  await using test = await testService();
  const { database } = test.service;
  const ended: string[] = [];
  const list = async (owner: string) => {
    await Array.fromAsync(database.list({ prefix: ["things", owner] }));
    ended.push(owner);
  };
  await Promise.all([...Array.from({ length: 100 }, () => list("many")), list("one")]);
  assert(ended.indexOf("one") <= 2, `after ${ended.indexOf("one")}`);
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
