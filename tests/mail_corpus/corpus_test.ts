import assert from "node:assert/strict";
import { account, testService } from "../service.ts";
import { corpusMails, judge } from "./corpus.ts";

Deno.test("each mail of the corpus gives what its JSON file expects", async () => {
  await using test = await testService();
  const owner = await account(test);
  const wrong: string[] = [];
  for (const mail of corpusMails()) {
    for (const each of await judge(test, owner, mail)) {
      wrong.push(`${mail.kind}/${mail.name}: ${each}`);
    }
  }
  assert.deepEqual(wrong, []);
});
