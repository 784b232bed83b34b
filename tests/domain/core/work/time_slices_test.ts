import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { TimeSlices } from "../../../../domain/core/work/time_slices.ts";

Deno.test("work of many is divided so that one slice runs in a turn of the event loop: owners in turn, their oldest first", async () => {
  let now = 0, sinceTurn = 0, most = 0, isOver = false;
  const clock = { elapsed: () => now };
  const ended: string[] = [];
  const work = async (owner: string, name: string, pieces: number) => {
    const slices = new TimeSlices(clock, owner);
    for (let n = 0; n < pieces; n++) {
      await slices.next();
      now += 5;
      if (n > 0) most = Math.max(most, ++sinceTurn);
    }
    ended.push(name);
  };
  const turns = (async () => {
    for (; !isOver; await setImmediate()) sinceTurn = 0;
  })();
  const many = Array.from({ length: 20 }, (_, n) => work("many", `m${n}`, 4));
  await Promise.all([...many, work("one", "one", 4)]);
  isOver = true;
  await turns;
  assert(most <= 2, `${most} slices in one turn`);
  assert(ended.indexOf("one") <= 2, ended.join());
  assert.deepEqual(ended.filter((name) => name !== "one"), many.map((_, n) => `m${n}`));
});
