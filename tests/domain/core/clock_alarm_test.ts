import assert from "node:assert/strict";
import { systemClock } from "../../../domain/core/clock.ts";

const minuteMs = 60_000;

/** A machine whose timers and wall clock differ, as after a sleep or when somebody sets the clock. */
class Machine implements Disposable {
  readonly delays: number[] = [];
  private wall = 1_790_000_000_000;
  private running = 0;
  private readonly timers = new Map<number, { at: number; run: () => void }>();
  private serial = 0;
  private readonly real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    now: Date.now,
    elapsed: performance.now,
  };

  constructor() {
    const set = (run: () => void, delay = 0) => {
      this.delays.push(delay);
      this.timers.set(++this.serial, { at: this.running + delay, run });
      return this.serial;
    };
    Object.assign(globalThis, {
      setTimeout: set,
      clearTimeout: (id: number) => void this.timers.delete(id),
    });
    Date.now = () => this.wall;
    performance.now = () => this.running;
  }

  get waiting(): number {
    return this.timers.size;
  }

  /** Both go on. */
  run(ms: number): void {
    const until = this.running + ms;
    for (;;) {
      const [next] = [...this.timers].filter(([, { at }]) => at <= until)
        .sort(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      this.timers.delete(next[0]);
      this.wall += next[1].at - this.running;
      this.running = next[1].at;
      next[1].run();
    }
    this.wall += until - this.running;
    this.running = until;
  }

  /** The wall clock alone moves. */
  jump(ms: number): void {
    this.wall += ms;
  }

  [Symbol.dispose](): void {
    const { now, elapsed, ...timers } = this.real;
    Object.assign(globalThis, timers);
    Date.now = now;
    performance.now = elapsed;
  }
}

Deno.test("no timer of a wake-up is longer than a minute, and it wakes when its time has come", () => {
  using machine = new Machine();
  let woken = 0;
  systemClock.wakeAt(systemClock.now() + 24 * 60 * minuteMs, () => woken++);
  machine.run(24 * 60 * minuteMs - 1);
  assert.equal(woken, 0);
  machine.run(1);
  assert.equal(woken, 1);
  assert.ok(Math.max(...machine.delays) <= minuteMs);
  assert.equal(machine.waiting, 0);
});

Deno.test("a machine that slept, or a clock set forward, is noticed within a minute", () => {
  using machine = new Machine();
  let woken = 0;
  systemClock.wakeAt(systemClock.now() + 8 * 60 * minuteMs, () => woken++);
  machine.run(10 * minuteMs);
  machine.jump(8 * 60 * minuteMs);
  machine.run(minuteMs);
  assert.equal(woken, 1);
});

Deno.test("a clock set back makes a wake-up wait for its time", () => {
  using machine = new Machine();
  let woken = 0;
  systemClock.wakeAt(systemClock.now() + 30 * 1_000, () => woken++);
  machine.jump(-10 * minuteMs);
  machine.run(10 * minuteMs + 29_999);
  assert.equal(woken, 0);
  machine.run(1);
  assert.equal(woken, 1);
});

Deno.test("a wake-up in some time comes after it, also if the clock is set back or the machine slept", () => {
  using machine = new Machine();
  let woken = 0;
  for (const ms of [30_000, 5 * minuteMs]) {
    systemClock.wakeIn(ms, () => woken++);
    machine.jump(-48 * 60 * minuteMs);
    machine.run(ms - 1);
    assert.equal(woken, 0);
    machine.run(1);
    assert.equal(woken, 1);
    woken = 0;
  }
  systemClock.wakeIn(8 * 60 * minuteMs, () => woken++);
  machine.jump(8 * 60 * minuteMs);
  machine.run(minuteMs);
  assert.equal(woken, 1);
  assert.ok(Math.max(...machine.delays) <= minuteMs);
  assert.equal(machine.waiting, 0);
});

Deno.test("a cancelled wake-up never comes, near or far", () => {
  using machine = new Machine();
  let woken = 0;
  for (const ms of [1_000, minuteMs * 90]) {
    systemClock.wakeAt(systemClock.now() + ms, () => woken++)();
    systemClock.wakeIn(ms, () => woken++)();
  }
  machine.run(minuteMs * 120);
  assert.equal(woken, 0);
  assert.equal(machine.waiting, 0);
});

Deno.test("a thousand far wake-ups cost one timer a minute, not one each", () => {
  using machine = new Machine();
  let woken = 0;
  for (let n = 0; n < 1_000; n++) {
    systemClock.wakeAt(systemClock.now() + 60 * minuteMs + n, () => woken++);
  }
  machine.run(58 * minuteMs);
  assert.ok(machine.delays.length < 70, `${machine.delays.length} timers`);
  machine.run(3 * minuteMs);
  assert.equal(woken, 1_000);
});
