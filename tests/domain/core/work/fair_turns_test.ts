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
    cold: { isCold: (slot) => !warm.has(slot), waitMs: 200, clock: { after } },
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

/** Turns on a clock with timers that `pass` moves; each work lasts until its signal is aborted or `end` is called. */
function longTurns(slots: number, options: ConstructorParameters<typeof FairTurns>[2] = {}) {
  let now = 0;
  const timers = new Map<symbol, { at: number; run: () => void }>();
  const after = (ms: number, run: () => void) => {
    const id = Symbol();
    timers.set(id, { at: now + ms, run });
    return () => void timers.delete(id);
  };
  const turns = new FairTurns(slots, { elapsed: () => now }, {
    slotsOfOwner: Infinity,
    givesWay: { afterMs: 1_000, clock: { after } },
    ...options,
  });
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => new Promise((done) => setTimeout(done));
  return {
    log,
    settle,
    ask: (name: string, owner: string | string[] = name, given?: AbortSignal) =>
      turns.run(owner, (_, signal) => {
        log.push(name);
        return new Promise<void>((end) => {
          ends.set(name, end);
          signal.addEventListener("abort", () => (log.push(`-${name}`), end()));
        });
      }, given).catch((error) => void log.push(`${name}: ${error.message}`)),
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= until)
          .sort(([, a], [, b]) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = due[1].at;
        due[1].run();
        await settle();
      }
      now = until;
    },
  };
}

Deno.test("accounts take turns, and within each the narrower groups", async () => {
  const it = longTurns(1);
  const names = ["a/x1", "a/x2", "a/y1", "b/x1"];
  for (const name of names) void it.ask(name, [name[0], name.slice(0, 3)]);
  for (let n = 0; n < names.length; n++) {
    await it.settle();
    await it.pass(100);
    await it.end(it.log.at(-1)!);
  }
  assert.deepEqual(it.log, ["a/x1", "b/x1", "a/y1", "a/x2"]);
});

Deno.test("if all slots are taken, the longest at work of the owner with the most work ends for one with less", async () => {
  const it = longTurns(3);
  for (const name of ["a1", "a2", "b1"]) void it.ask(name, name[0]);
  void it.ask("a3", "a");
  await it.pass(5_000);
  assert.deepEqual(it.log, ["a1", "a2", "b1"], "its own work does not give way");
  void it.ask("c1", "c");
  await it.pass(200);
  assert.deepEqual(it.log.slice(3), ["-a1", "c1"]);
});

Deno.test("work that began less than a second ago does not give way", async () => {
  const it = longTurns(1);
  void it.ask("a");
  await it.pass(500);
  void it.ask("b");
  await it.pass(400);
  assert.deepEqual(it.log, ["a"]);
  await it.pass(300);
  assert.deepEqual(it.log, ["a", "-a", "b"]);
});

Deno.test("a turn that is given up leaves the queue, or its work ends", async () => {
  const it = longTurns(1);
  const [first, second] = [new AbortController(), new AbortController()];
  void it.ask("a", "a", first.signal);
  void it.ask("b", "b", second.signal);
  void it.ask("c");
  second.abort(new Error("given up"));
  await it.settle();
  assert.deepEqual(it.log, ["a", "b: given up"]);
  first.abort();
  await it.settle();
  assert.deepEqual(it.log.slice(2), ["-a", "c"]);
});

Deno.test("if too many wait, the newest of the groups with the most is refused", async () => {
  const room = { ofOwner: 3, all: 5, refusal: () => new Error("full") };
  const it = longTurns(1, { room, givesWay: undefined });
  const names = ["x", "n1a", "n1b", "n1c", "n2a", "n3a", "n3a", "n1d", "n3a", "n3a"];
  for (const name of names) void it.ask(name, [name.slice(0, 2), name]);
  await it.settle();
  // The sixth that waits: of the network with the most. Then the fourth of one owner.
  assert.deepEqual(it.log, ["x", "n1c: full", "n1d: full", "n3a: full", "n3a: full"]);
});
