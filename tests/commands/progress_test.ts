import assert from "node:assert/strict";
import { progressLine } from "../../commands/progress.ts";

// SPEC: files.progress
Deno.test("the progress shows how far it is, the rate and the time that is left", () => {
  const half = {
    unit: "bytes",
    total: 2 ** 21,
    position: 2 ** 20,
    note: "12 new",
    ms: 2_000,
  } as const;
  const bar = `${"█".repeat(15)}${"░".repeat(15)}`;
  assert.equal(progressLine(half), `${bar} 50 %  1.0/2.0 MiB  0.5 MiB/s  12 new  2 s left`);
  const messages = { ...half, unit: "messages", total: null, position: 90 } as const;
  assert.equal(progressLine(messages), "90 messages  45 messages/s  12 new");
  assert.match(progressLine({ ...half, total: 0, position: 0 }), /100 %/);
});
