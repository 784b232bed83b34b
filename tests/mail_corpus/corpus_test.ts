import assert from "node:assert/strict";
import { account, testService } from "../service.ts";
import { corpusDir, corpusMails, judge } from "./corpus.ts";

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

Deno.test("the program that prints the table runs without options", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `${corpusDir}/table.ts`, `--dir=${dir}`],
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(dir);
  }
});
