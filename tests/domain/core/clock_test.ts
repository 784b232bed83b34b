import assert from "node:assert/strict";
import process from "node:process";
import { isoTime, isRecent, systemClock } from "../../../domain/core/clock.ts";

Deno.test("isoTime() equals the result of Date, for any time and after any earlier calls", () => {
  const edges = [
    0,
    -1,
    1,
    86_399_999,
    86_400_000,
    -86_400_000,
    253_402_300_800_000,
    8.64e15,
    -8.64e15,
  ];
  const spread = Array.from({ length: 2_000 }, (_, n) => Math.round(n * 7_777_777_777.7 - 4e12));
  for (const ms of [...edges, ...spread, ...edges.toReversed(), 1_790_000_000_123.7]) {
    assert.equal(isoTime(ms), new Date(ms).toISOString());
  }
  for (const ms of [NaN, Infinity, 8.64e15 + 1]) assert.throws(() => isoTime(ms), RangeError);
});

Deno.test("after() with a time that is over runs at once, without a warning of the runtime", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on("warning", note);
  await new Promise<void>((done) => void systemClock.after(-2.5, done));
  await new Promise((done) => setTimeout(done, 0));
  process.off("warning", note);
  assert.deepEqual(warnings, []);
});

Deno.test("what a clock ahead has written is not recent, except by as much as clocks differ", () => {
  const now = 1_000_000_000, hourMs = 3_600_000;
  const at = [now - hourMs, now - hourMs + 1, now, now + 60_000, now + 60_001];
  assert.deepEqual(at.map((each) => isRecent(each, now, hourMs)), [false, true, true, true, false]);
});
