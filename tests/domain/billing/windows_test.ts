import assert from "node:assert/strict";
import fc from "fast-check";
import {
  giveBack,
  type HeldWindows,
  putBack,
  type RequestWindow,
  reserve,
  retryAfterSeconds,
  settle,
  type SharedWindows,
  spans,
  statusOf,
  take,
  unlimited,
  windowStart,
} from "../../../domain/billing/windows.ts";

const at = (text: string) => Date.parse(text);
const free: RequestWindow[] = [
  { id: "minute", span: "minute", limit: 20 },
  { id: "hour", span: "hour", limit: 100 },
  { id: "day", span: "day", limit: 1000 },
];

Deno.test("windowStart() is the start of the minute, hour or day in UTC, before 1970 too", () => {
  const now = at("2026-11-21T13:45:59.999Z");
  assert.equal(windowStart("minute", now), at("2026-11-21T13:45:00.000Z"));
  assert.equal(windowStart("hour", now), at("2026-11-21T13:00:00.000Z"));
  assert.equal(windowStart("day", now), at("2026-11-21T00:00:00.000Z"));
  assert.equal(windowStart("minute", -1), -60_000);
});

Deno.test("exactly the limit passes in each window, and not one more", () => {
  const process = instance({});
  let passed = 0;
  for (let minute = 0; minute < 10; minute++) {
    for (let n = 0; n < 50; n++) {
      if (process.request(free, at("2026-11-21T10:00:00.000Z") + minute * 60_000)) passed++;
    }
    assert.equal(passed, Math.min(20 * (minute + 1), 100));
  }
});

Deno.test("a refused request counts in no window, and the next minute has its full number", () => {
  const process = instance({});
  const now = at("2026-11-21T10:00:00.000Z");
  for (let n = 0; n < 500; n++) process.request(free, now);
  assert.deepEqual(process.status(free, now), {
    limit: 20,
    remaining: 0,
    resetAt: now + 60_000,
    window: "minute",
  });
  const later = now + 60_000;
  assert.ok(process.request(free, later));
  assert.equal(process.status(free, later).remaining, 19);
  assert.equal(process.shared.hour.spent - process.held.hour.held, 21);
  assert.equal(process.shared.day.spent - process.held.day.held, 21);
});

Deno.test("a request is put back into the windows that it was taken from, and into no later one", () => {
  const process = instance({});
  const now = at("2026-11-21T10:59:59.000Z");
  for (let n = 0; n < 20; n++) process.request(free, now);
  const taken = process.held;
  process.held = putBack(process.held, taken, free);
  assert.equal(process.status(free, now).remaining, 1);
  assert.ok(process.request(free, now));
  assert.equal(process.request(free, now), false);
  const later = now + 60_000;
  for (let n = 0; n < 20; n++) process.request(free, later);
  process.held = putBack(process.held, taken, free);
  assert.equal(process.request(free, later), false, "the minute and the hour have changed");
});

Deno.test("the status is that of the window with the least left, of equals the one that ends last", () => {
  const now = at("2026-11-21T10:59:30.000Z");
  const process = instance({ hour: { start: at("2026-11-21T10:00:00.000Z"), spent: 95 } });
  assert.ok(process.request(free, now));
  assert.deepEqual(process.status(free, now), {
    limit: 100,
    remaining: 4,
    resetAt: at("2026-11-21T11:00:00.000Z"),
    window: "hour",
  });
  const even: RequestWindow[] = free.map((window) => ({ ...window, limit: 7 }));
  assert.deepEqual(statusOf(even, {}, now), {
    limit: 7,
    remaining: 7,
    resetAt: at("2026-11-22T00:00:00.000Z"),
    window: "day",
  });
});

Deno.test("without a window the status is unlimited: the largest exact integer, and the end of the minute", () => {
  const now = at("2026-11-21T10:59:30.000Z");
  assert.deepEqual(statusOf([], {}, now), {
    limit: unlimited,
    remaining: unlimited,
    resetAt: at("2026-11-21T11:00:00.000Z"),
    window: "minute",
  });
  assert.equal(unlimited, 9007199254740991);
  assert.deepEqual(take([], {}, now), { kind: "passed", held: {} });
});

Deno.test("retry_after is never too early and never 0", () => {
  const refused = { limit: 20, remaining: 0, resetAt: 60_000, window: "minute" as const };
  assert.equal(retryAfterSeconds(refused, 0), 60);
  assert.equal(retryAfterSeconds(refused, 58_999), 2);
  assert.equal(retryAfterSeconds(refused, 59_001), 1);
  assert.equal(retryAfterSeconds(refused, 60_000), 1);
});

Deno.test("a limit of 0 refuses the first request", () => {
  const none: RequestWindow[] = [{ id: "minute", span: "minute", limit: 0 }];
  assert.equal(instance({}).request(none, 0), false);
});

Deno.test("a clock set back by an hour, or an instance whose clock is ahead, grants nothing twice", () => {
  const window: RequestWindow[] = [{ id: "minute", span: "minute", limit: 20 }];
  const process = instance({});
  const now = at("2026-11-21T10:00:00.000Z");
  for (let n = 0; n < 20; n++) assert.ok(process.request(window, now));
  assert.equal(process.request(window, now - 1), false);
  const other = instance(process.shared);
  assert.equal(other.request(window, now - 1), false);
  assert.ok(other.status(window, now - 1).resetAt > now);
});

Deno.test("a wrong clock an hour ahead does not lock the minute for an hour", () => {
  const window: RequestWindow[] = [{ id: "minute", span: "minute", limit: 1 }];
  const process = instance({ minute: { start: at("2026-11-21T11:00:00.000Z"), spent: 1 } });
  assert.ok(process.request(window, at("2026-11-21T10:00:00.000Z")));
});

Deno.test("a plan changed within a window counts from then on", () => {
  const process = instance({});
  const limited = (limit: number): RequestWindow[] => [{ id: "minute", span: "minute", limit }];
  for (let n = 0; n < 25; n++) assert.equal(process.request(limited(20), 0), n < 20);
  for (let n = 0; n < 90; n++) assert.equal(process.request(limited(100), 0), n < 80);
  assert.equal(process.request(limited(20), 0), false);
});

Deno.test("a stopping process returns what it holds, and only that", () => {
  const first = instance({}), now = 0;
  const window: RequestWindow[] = [{ id: "minute", span: "minute", limit: 20 }];
  first.block = 10;
  for (let n = 0; n < 3; n++) first.request(window, now);
  assert.deepEqual(first.shared, { minute: { start: 0, spent: 10 } });
  const row = giveBack(first.shared, first.held);
  assert.deepEqual(row, { minute: { start: 0, spent: 3 } });
  assert.equal(giveBack(row, {}), row);
  const second = instance(row);
  for (let n = 0; n < 30; n++) assert.equal(second.request(window, now), n < 17);
});

Deno.test("at most the limit passes in a window, with any number of instances and blocks, at any times", () => {
  const request = fc.record({
    instance: fc.nat(2),
    later: fc.integer({ min: 0, max: 20_000 }),
    block: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(fc.property(
    fc.array(request, { maxLength: 400 }),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 60 }),
    (requests, minute, hour) => {
      const windows: RequestWindow[] = [
        { id: "minute", span: "minute", limit: minute },
        { id: "hour", span: "hour", limit: hour },
      ];
      const store: { shared: SharedWindows } = { shared: {} };
      const instances = [instance({}, store), instance({}, store), instance({}, store)];
      const passed = new Map<string, number>();
      let now = 0;
      for (const { instance, later, block } of requests) {
        now += later;
        instances[instance].block = block;
        if (!instances[instance].request(windows, now)) continue;
        for (const { id, span, limit } of windows) {
          const window = `${id} ${windowStart(span, now)}`;
          passed.set(window, (passed.get(window) ?? 0) + 1);
          assert.ok((passed.get(window) ?? 0) <= limit, `${window} of ${limit}`);
        }
      }
    },
  ));
});

Deno.test("in one process exactly as many pass as with an exact counter, for blocks of any size", () => {
  const request = fc.record({
    later: fc.integer({ min: 0, max: 30_000 }),
    block: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(fc.property(
    fc.array(request, { maxLength: 300 }),
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 40 }),
    (requests, minute, hour) => {
      const windows: RequestWindow[] = [
        { id: "minute", span: "minute", limit: minute },
        { id: "hour", span: "hour", limit: hour },
      ];
      const process = instance({}), exact = new Map<string, number>();
      let now = at("2026-11-21T10:30:00.000Z");
      for (const { later, block } of requests) {
        now += later;
        process.block = block;
        const counters = windows.map(({ id, span }) => `${id} ${windowStart(span, now)}`);
        const expected = windows.every(({ limit }, n) => (exact.get(counters[n]) ?? 0) < limit);
        if (expected) counters.forEach((key) => exact.set(key, (exact.get(key) ?? 0) + 1));
        assert.equal(process.request(windows, now), expected);
        const remaining = windows.map(({ limit }, n) => limit - (exact.get(counters[n]) ?? 0));
        assert.equal(process.status(windows, now).remaining, Math.min(...remaining));
      }
    },
  ));
});

Deno.test("requests spent while a block is being reserved stay spent", () => {
  const windows: RequestWindow[] = [{ id: "minute", span: "minute", limit: 20 }];
  const before: HeldWindows = { minute: { start: 0, spent: 2, held: 2 } };
  const { grants } = reserve(windows, { minute: { start: 0, spent: 2 } }, before, 6, 0);
  const meanwhile = take(windows, before, 0);
  assert.ok(meanwhile.kind === "passed");
  assert.deepEqual(settle(meanwhile.held, grants), { minute: { start: 0, spent: 6, held: 5 } });
});

/** A process and its store in memory, which do the same as `rate_limit.ts` without waiting. */
function instance(row: SharedWindows, store: { shared: SharedWindows } = { shared: row }) {
  return {
    held: {} as HeldWindows,
    block: 4,
    get shared() {
      return store.shared;
    },
    request(windows: RequestWindow[], now: number): boolean {
      for (let tries = 0; tries < 3; tries++) {
        const verdict = take(windows, this.held, now);
        if (verdict.kind === "refused") return false;
        if (verdict.kind === "passed") {
          this.held = verdict.held;
          return true;
        }
        const next = reserve(windows, store.shared, this.held, this.block, now);
        store.shared = next.shared;
        this.held = settle(this.held, next.grants);
      }
      throw new Error("reserving did not end");
    },
    status(windows: RequestWindow[], now: number) {
      assert.ok(windows.every(({ span }) => spans[span] > 0));
      return statusOf(windows, this.held, now);
    },
  };
}
