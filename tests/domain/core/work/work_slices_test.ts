import assert from "node:assert/strict";
import { WorkSlices } from "../../../../domain/core/work/work_slices.ts";

/** Pieces of work with given milliseconds, on a clock that only they move. */
function slices() {
  let now = 0;
  const made = new WorkSlices({ elapsed: () => now });
  return (ms: number, done: () => void = () => {}) =>
    made.run(() => {
      now += ms;
      done();
    });
}

Deno.test("work of more than 2 ms ends a slice: other work of the process comes before the next", async () => {
  const work = slices();
  const order: string[] = [];
  const timer = new Promise<void>((done) => setTimeout(() => (order.push("other"), done()), 0));
  const pieces = Array.from(
    { length: 400 },
    (_, n) => work(0.5, () => order.push(n < 4 ? "first" : "later")),
  );
  await Promise.resolve();
  assert.deepEqual(order, ["first", "first", "first", "first"]);
  await Promise.all([...pieces, timer]);
  assert.equal(order.length, 401);
  assert.ok(order.indexOf("other") < 400, "everything ran in one turn");
});

Deno.test("work keeps its order, its result and its error, and an error does not end the others", async () => {
  const work = new WorkSlices({ elapsed: () => performance.now() });
  const fails = assert.rejects(
    work.run(() => {
      throw new Error("odd");
    }),
    /odd/,
  );
  assert.equal(await work.run(() => 1), 1);
  await fails;
});
