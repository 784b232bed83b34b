import assert from "node:assert/strict";
import { ArrivalLoad } from "../../../../domain/mail/receive/arrival_load.ts";

/** Time that moves only by `advance`. */
function handClock() {
  let time = 0;
  const alarms: { at: number; run: () => void }[] = [];
  return {
    elapsed: () => time,
    after(delayMs: number, run: () => void) {
      alarms.push({ at: time + delayMs, run });
      return () => {};
    },
    async advance(ms: number) {
      for (const until = time + ms; time < until;) {
        time++;
        for (const { at, run } of alarms) if (at === time) run();
        await Promise.resolve();
      }
      await new Promise((turn) => setTimeout(turn, 0));
    },
  };
}

function watched(promise: Promise<void>): { done: boolean } {
  const state = { done: false };
  promise.then(() => state.done = true);
  return state;
}

Deno.test("idle() resolves at once without arrivals, and for one at a time 10 ms after the last has ended", async () => {
  const clock = handClock();
  const load = new ArrivalLoad(clock);
  const atOnce = watched(load.idle());
  await clock.advance(0);
  assert.equal(atOnce.done, true);
  await load.during(() => Promise.resolve());
  const first = watched(load.idle());
  await clock.advance(9);
  assert.equal(first.done, false);
  await clock.advance(2);
  assert.equal(first.done, true);
});

Deno.test("while a sender waits for each answer, idle() resolves for one of its callers about every 500 ms", async () => {
  const clock = handClock();
  const load = new ArrivalLoad(clock);
  load.during(() => new Promise(() => {}));
  const callers = [watched(load.idle()), watched(load.idle())];
  const done = () => callers.filter((each) => each.done).length;
  await clock.advance(499);
  assert.equal(done(), 0);
  await clock.advance(12);
  assert.equal(done(), 1);
  await clock.advance(512);
  assert.equal(done(), 2);
});

Deno.test("idle() resolves for four arrivals 25 ms after they have ended", async () => {
  const clock = handClock();
  const load = new ArrivalLoad(clock);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const three = Array.from({ length: 3 }, () => load.during(() => held));
  const fourth = load.during(() => held);
  const later = watched(load.idle());
  await clock.advance(1_000);
  assert.equal(later.done, false);
  release();
  await Promise.all([...three, fourth]);
  await clock.advance(24);
  assert.equal(later.done, false);
  await clock.advance(26);
  assert.equal(later.done, true);
});

Deno.test("idle() resolves after 5 s under a stream that does not end", async () => {
  const clock = handClock();
  const load = new ArrivalLoad(clock);
  for (let n = 0; n < 4; n++) load.during(() => new Promise(() => {}));
  const deferred = watched(load.idle());
  await clock.advance(4_900);
  assert.equal(deferred.done, false);
  await clock.advance(200);
  assert.equal(deferred.done, true);
});

Deno.test("work that has waited 5 s waits no longer, whether many senders or one keep sending", async () => {
  for (const senders of [1, 4]) {
    const clock = handClock();
    const load = new ArrivalLoad(clock);
    for (let n = 0; n < senders; n++) load.during(() => new Promise(() => {}));
    const old = watched(load.idle(5_000));
    const young = watched(load.idle(4_700));
    await clock.advance(0);
    assert.deepEqual([old.done, young.done], [true, false]);
    await clock.advance(330);
    assert.equal(young.done, true);
  }
});
