import assert from "node:assert/strict";
import { RecentWork } from "../../domain/core/work/recent_work.ts";
import { CallQueue } from "../../fulltext/call_queue.ts";

Deno.test("accounts that search take turns: a flood of one delays no other, and all come before writes", async () => {
  let now = 0;
  const answered: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = new CallQueue<string>({
    work: new RecentWork({ elapsed: () => now }),
    elapsed: () => now,
    accountOf: (call) => call === "write" ? null : call[0],
    answer(call) {
      answered.push(call);
      now += 400;
      if (answered.length === 2) queue.push("b1");
    },
    rest: () => (resolve(), false),
  });
  for (const call of ["write", "a1", "a2", "a3", "a4"]) queue.push(call);
  await promise;
  assert.deepEqual(answered, ["a1", "a2", "b1", "a3", "a4", "write"]);
});
