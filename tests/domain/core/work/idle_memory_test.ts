import assert from "node:assert/strict";
import { IdleMemory, leastWork } from "../../../../domain/core/work/idle_memory.ts";

function thread() {
  const alarms: (() => void)[] = [];
  const state = { collections: 0, waits: () => alarms.length };
  const memory = new IdleMemory(
    (_delayMs, run) => void alarms.push(run),
    () => void state.collections++,
  );
  return { memory, state, tick: () => alarms.shift()?.() };
}

Deno.test("memory is collected once, when an interval after much work had nearly none", () => {
  const { memory, state, tick } = thread();
  memory.note(leastWork);
  memory.note(11);
  tick();
  assert.equal(state.collections, 0, "work came during the interval");
  memory.note(10);
  tick();
  assert.equal(state.collections, 1);
  assert.equal(state.waits(), 0, "no timer is left");
  memory.note(leastWork - 1);
  assert.equal(state.waits(), 0, "little work waits for no collection");
  memory.note();
  tick();
  assert.equal(state.collections, 2);
});

Deno.test("without V8's gc there are no timers", () => {
  const alarms: unknown[] = [];
  const memory = new IdleMemory((_delayMs, run) => void alarms.push(run), undefined);
  assert.equal("gc" in globalThis, false, "tests run without --expose-gc");
  memory.note(leastWork);
  assert.equal(alarms.length, 0);
});
