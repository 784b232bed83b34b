import assert from "node:assert/strict";
import { NotTried, Steps } from "./steps.ts";

/** Whether a check with these steps holds, when it must try everything and otherwise; and what it printed. */
async function checked(...works: (() => unknown)[]) {
  const lines: string[] = [];
  const print = console.log;
  console.log = (line: string) => lines.push(line);
  try {
    const steps = new Steps();
    for (const [n, work] of works.entries()) await steps.step(`step ${n}`, work);
    return { strict: steps.report(true), loose: steps.report(false), text: lines.join("\n") };
  } finally {
    console.log = print;
  }
}

const passes = () => "seen";
const fails = () => assert.fail("one is not two");
const cannot = () => {
  throw new NotTried("there is no engine");
};

Deno.test("a step that fails fails the check, and the steps after it are still done", async () => {
  const { strict, loose, text } = await checked(fails, passes);
  assert.deepEqual([strict, loose], [false, false]);
  assert.ok(text.includes("| step 0 | FAILED    | one is not two\n| step 1 | passed    | seen\n"));
  assert.match(text, /1 passed, 1 failed, 0 could not be tried/);
});

Deno.test("a step that could not be tried is named with its reason, and fails the check on CI alone", async () => {
  const { strict, loose, text } = await checked(passes, cannot);
  assert.deepEqual([strict, loose], [false, true]);
  assert.match(text, /\| step 1 \| not tried \| there is no engine/);
  assert.equal((await checked(passes)).strict, true);
});
