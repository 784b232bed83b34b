import assert from "node:assert/strict";
import { ArrivalLoad } from "../../../../domain/mail/inbound/arrival_load.ts";

/** Whether the promise is settled once the event loop has had a few turns. */
async function settled(promise: Promise<void>, ms = 60): Promise<boolean> {
  let done = false;
  promise.then(() => done = true);
  await new Promise((turn) => setTimeout(turn, ms));
  return done;
}

Deno.test("work that can wait does not wait for a few arrivals, and waits while there are many", async () => {
  const traffic = new ArrivalLoad();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const few = Array.from({ length: 3 }, () => traffic.during(() => held));
  assert.equal(await settled(traffic.idle(), 5), true);
  const fourth = traffic.during(() => held);
  const quiet = traffic.idle();
  assert.equal(await settled(quiet), false);
  release();
  await Promise.all([...few, fourth]);
  await quiet;
});
