import assert from "node:assert/strict";
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
