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

Deno.test("a cold slot is used only after a turn has waited for the one at work, and a warm one is used again", async () => {
  const warm = new Set<number>();
  const timers: (() => void)[] = [];
  const after = (ms: number, run: () => void) => {
    assert.equal(ms, 200);
    timers.push(run);
    return () => void timers.splice(timers.indexOf(run), 1);
  };
  const turns = new FairTurns(2, { elapsed: () => 0 }, {
    isCold: (slot) => !warm.has(slot),
    waitMs: 200,
    clock: { after },
  });
  const begun: [string, number][] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: string) =>
    void turns.run(owner, (slot) => {
      warm.add(slot);
      begun.push([owner, slot]);
      return new Promise<void>((end) => ends.set(owner, end));
    });
  const settle = () => new Promise((done) => setTimeout(done));

  for (const owner of ["a", "b", "c"]) ask(owner);
  await settle();
  assert.deepEqual(begun.splice(0), [["a", 1]]);
  ends.get("a")!();
  await settle();
  assert.deepEqual(begun.splice(0), [["b", 1]]);
  timers[0]();
  await settle();
  assert.deepEqual(begun, [["c", 0]]);
  assert.equal(timers.length, 0);
});
