import assert from "node:assert/strict";
import { FairTurns } from "../../../../domain/core/work/fair_turns.ts";

/** Turns on a separate clock; `end` ends the oldest running work after `ms` milliseconds. */
function turnsOf(slots: number) {
  let now = 0;
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const turns = new FairTurns(slots, { elapsed: () => now });
  const ask = (owner: string) =>
    void turns.run(owner, () => {
      begun.push(owner);
      return new Promise<void>((end) => ends.push(end));
    });
  const end = async (ms: number) => {
    await new Promise((done) => setTimeout(done));
    now += ms;
    ends.shift()?.();
    await new Promise((done) => setTimeout(done));
  };
  return { ask, end, begun };
}

Deno.test("an owner has one slot at a time, and others the rest", async () => {
  const { ask, end, begun } = turnsOf(2);
  for (const owner of ["a", "a", "a", "b"]) ask(owner);
  await end(0);
  assert.deepEqual(begun, ["a", "b", "a"]);
});

Deno.test("the owner with the least recent work is next, before those who came earlier", async () => {
  const { ask, end, begun } = turnsOf(1);
  for (const owner of ["a", "a", "a"]) ask(owner);
  await end(5_000);
  ask("b");
  await end(5_000);
  ask("c");
  await end(10);
  await end(10);
  assert.deepEqual(begun, ["a", "a", "b", "c", "a"]);
});

Deno.test("work counts less with time: an owner who was busy once does not stay last", async () => {
  const { ask, end, begun } = turnsOf(1);
  ask("a");
  await end(5_000);
  ask("b");
  await end(200_000);
  for (const owner of ["c", "b", "a"]) ask(owner);
  for (let n = 0; n < 3; n++) await end(1_000);
  assert.deepEqual(begun, ["a", "b", "c", "a", "b"]);
});
