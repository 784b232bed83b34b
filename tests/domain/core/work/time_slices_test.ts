import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../../../domain/core/clock.ts";
import { TimeSlices } from "../../../../domain/core/work/time_slices.ts";

/**
 * Runs `body` with a clock that only it moves. The recent work of the process is measured by the system's clock, which
 * would count what else the machine does.
 */
async function withClock(body: (clock: { elapsed(): number; ms: number }) => Promise<void>) {
  const clock = { ms: systemClock.elapsed(), elapsed: () => clock.ms };
  const { elapsed } = systemClock;
  systemClock.elapsed = clock.elapsed;
  try {
    await body(clock);
  } finally {
    systemClock.elapsed = elapsed;
  }
}

Deno.test("work of many is divided so that one slice runs in a turn of the event loop: owners in turn, their oldest first", () =>
  withClock(async (clock) => {
    let sinceTurn = 0, most = 0, isOver = false;
    const ended: string[] = [];
    const work = async (owner: string, name: string, pieces: number) => {
      const slices = new TimeSlices(clock, owner);
      for (let n = 0; n < pieces; n++) {
        await slices.next();
        clock.ms += 5;
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
  }));

Deno.test("an owner with little work goes on before owners with much: it does not wait for each of them at each slice", () =>
  withClock(async (clock) => {
    let pieces = 0, isOver = false;
    const busy = async (owner: string) => {
      for (const slices = new TimeSlices(clock, owner); !isOver; pieces++) {
        await slices.turn();
        clock.ms += 3;
      }
    };
    const many = ["a", "b", "c", "d"].map((owner) => busy(`busy ${owner}`));
    for (let n = 0; n < 40; n++) await setImmediate();
    const before = pieces;
    const slices = new TimeSlices(clock, "little");
    for (let n = 0; n < 20; n++) await slices.turn();
    isOver = true;
    await Promise.all(many);
    assert(pieces - before <= 20, `${pieces - before} slices of others`);
  }));
