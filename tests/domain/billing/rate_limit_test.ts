import { systemClock } from "../../../domain/core/clock.ts";
import assert from "node:assert/strict";
import { RateLimiter } from "../../../domain/billing/rate_limit.ts";
import { createLog } from "../../../domain/core/log.ts";
import { planTable } from "../../../domain/core/plans.ts";
import { Database } from "../../../domain/store/database.ts";

const midday = Date.parse("2026-11-21T12:00:00.000Z");

/** Service instances that share one store; `commits` counts the commits to it. */
async function withInstances(
  count: number,
  limits: { minute: number | null; hour?: number | null; day?: number | null; mcp?: number },
  test: (
    instances: RateLimiter[],
    world: { now: number; commits: () => number; restart(): RateLimiter },
  ) => Promise<void>,
) {
  const kv = await Deno.openKv(":memory:");
  const commits = countCommits(kv);
  const plans = planTable({
    free: {
      requestsPerMinute: limits.minute,
      requestsPerHour: limits.hour ?? null,
      requestsPerDay: limits.day ?? null,
      mcpRequestsPerMinute: limits.mcp ?? null,
    },
  }, 0);
  const world = {
    now: midday,
    commits,
    restart: () =>
      new RateLimiter({
        database: new Database(kv, {
          log: createLog({ level: "error", format: "json" }),
          exclusive: count === 1,
        }),
        clock: { ...systemClock, now: () => world.now, wakeAt: () => () => {} },
        plans,
        settings: { ANONYMOUS_REQUESTS_PER_MINUTE: 60 },
      }),
  };
  try {
    await test(Array.from({ length: count }, () => world.restart()), world);
  } finally {
    kv.close();
  }
}

function countCommits(kv: Deno.Kv): () => number {
  let commits = 0;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => {
      commits++;
      return commit();
    };
    return operation;
  };
  return () => commits;
}

const passedOf = (admissions: { passed: boolean }[]) =>
  admissions.filter(({ passed }) => passed).length;

for (const limit of [20, 100, 500]) {
  Deno.test(`of 1,000 requests at once exactly ${limit} pass at a limit of ${limit}, in a few commits`, () =>
    withInstances(1, { minute: limit }, async ([limiter], world) => {
      const requests = () =>
        Array.from(
          { length: 1000 },
          () => limiter.admitCaller({ userId: "u1", plan: "free" }, false),
        );
      assert.equal(passedOf(await Promise.all(requests())), limit);
      assert.ok(world.commits() <= 3, `${world.commits()} commits`);
      world.now += 60_000;
      assert.equal(passedOf(await Promise.all(requests())), limit);
    }));

  Deno.test(`of 1,000 requests at once over two instances never more than ${limit} pass, and not many fewer`, () =>
    withInstances(2, { minute: limit }, async ([a, b]) => {
      const requests = Array.from(
        { length: 1000 },
        (_, n) => (n % 2 ? a : b).admitCaller({ userId: "u1", plan: "free" }, false),
      );
      const passed = passedOf(await Promise.all(requests));
      assert.ok(passed <= limit && passed >= limit * 0.8, `${passed} of ${limit}`);
    }));
}

Deno.test("requests one after another over two instances: never more than the limit", () =>
  withInstances(2, { minute: 100 }, async (instances) => {
    let passed = 0;
    for (let n = 0; n < 300; n++) {
      if ((await instances[n % 2].admitCaller({ userId: "u1", plan: "free" }, false)).passed) {
        passed++;
      }
    }
    assert.ok(passed <= 100 && passed >= 90, `${passed}`);
  }));

Deno.test("a busy account costs less than one commit per request", () =>
  withInstances(1, { minute: 1000 }, async ([limiter], world) => {
    for (let n = 0; n < 1000; n++) await limiter.admitCaller({ userId: "u1", plan: "free" }, false);
    assert.ok(world.commits() <= 20, `${world.commits()} commits`);
  }));

Deno.test("a refused request does not reach the store", () =>
  withInstances(1, { minute: 20 }, async ([limiter], world) => {
    for (let n = 0; n < 20; n++) await limiter.admitCaller({ userId: "u1", plan: "free" }, false);
    const before = world.commits();
    for (let n = 0; n < 500; n++) {
      assert.equal(
        (await limiter.admitCaller({ userId: "u1", plan: "free" }, false)).passed,
        false,
      );
    }
    assert.equal(world.commits(), before);
  }));

Deno.test("refusals count in no window: the hour counts only what passed", () =>
  withInstances(1, { minute: 20, hour: 100 }, async ([limiter], world) => {
    let passed = 0;
    for (let minute = 0; minute < 8; minute++, world.now += 60_000) {
      const all = Array.from(
        { length: 60 },
        () => limiter.admitCaller({ userId: "u1", plan: "free" }, false),
      );
      passed += passedOf(await Promise.all(all));
    }
    assert.equal(passed, 100);
    const { passed: further, status } = await limiter.admitCaller(
      { userId: "u1", plan: "free" },
      false,
    );
    assert.deepEqual([further, status], [false, {
      limit: 100,
      remaining: 0,
      resetAt: midday + 3_600_000,
      window: "hour",
    }]);
  }));

Deno.test("MCP calls have their own minute and share the account's windows", () =>
  withInstances(1, { minute: 15, mcp: 10 }, async ([limiter]) => {
    for (let n = 0; n < 10; n++) {
      assert.ok((await limiter.admitCaller({ userId: "u1", plan: "free" }, true)).passed);
    }
    const refused = await limiter.admitCaller({ userId: "u1", plan: "free" }, true);
    assert.deepEqual([refused.passed, refused.status.limit], [false, 10]);
    for (let n = 0; n < 5; n++) {
      assert.ok((await limiter.admitCaller({ userId: "u1", plan: "free" }, false)).passed);
    }
    assert.equal((await limiter.admitCaller({ userId: "u1", plan: "free" }, false)).passed, false);
  }));

Deno.test("REST and MCP at once never pass more than the account's minute", () =>
  withInstances(1, { minute: 100, mcp: 60 }, async ([limiter]) => {
    const all = Array.from(
      { length: 400 },
      (_, n) => limiter.admitCaller({ userId: "u1", plan: "free" }, n % 2 === 0),
    );
    const admissions = await Promise.all(all);
    assert.equal(passedOf(admissions), 100);
    assert.ok(passedOf(admissions.filter((_, n) => n % 2 === 0)) <= 60);
  }));

Deno.test("accounts and addresses are counted separately", () =>
  withInstances(1, { minute: 1 }, async ([limiter]) => {
    assert.ok((await limiter.admitCaller({ userId: "u1", plan: "free" }, false)).passed);
    assert.ok((await limiter.admitCaller({ userId: "u2", plan: "free" }, false)).passed);
    assert.ok((await limiter.admitAddress("u1")).passed);
    assert.equal((await limiter.admitCaller({ userId: "u1", plan: "free" }, false)).passed, false);
  }));

Deno.test("reading the status of a limit takes no request, and includes what earlier processes counted", () =>
  withInstances(1, { minute: 20 }, async ([limiter], world) => {
    for (let n = 0; n < 3; n++) await limiter.admitAddress("192.0.2.1");
    await limiter.close();
    const restarted = world.restart();
    for (let n = 0; n < 5; n++) {
      assert.deepEqual(await restarted.statusOfAddress("192.0.2.1"), {
        limit: 60,
        remaining: 57,
        resetAt: midday + 60_000,
        window: "minute",
      });
    }
  }));

Deno.test("a restart in a window neither loses nor adds requests", () =>
  withInstances(1, { minute: 50, hour: 200 }, async ([limiter], world) => {
    for (let n = 0; n < 23; n++) await limiter.admitCaller({ userId: "u1", plan: "free" }, false);
    await limiter.close();
    const restarted = world.restart();
    let passed = 0;
    for (let n = 0; n < 60; n++) {
      if ((await restarted.admitCaller({ userId: "u1", plan: "free" }, false)).passed) passed++;
    }
    assert.equal(passed, 27);
  }));

Deno.test("a killed process costs the account at most a tenth of the window", () =>
  withInstances(1, { minute: 50 }, async ([limiter], world) => {
    for (let n = 0; n < 23; n++) await limiter.admitCaller({ userId: "u1", plan: "free" }, false);
    const restarted = world.restart();
    let passed = 0;
    for (let n = 0; n < 60; n++) {
      if ((await restarted.admitCaller({ userId: "u1", plan: "free" }, false)).passed) passed++;
    }
    assert.ok(passed >= 22 && passed <= 27, `${passed}`);
  }));

Deno.test("an unlimited plan is never refused and touches no store", () =>
  withInstances(1, { minute: null }, async ([limiter], world) => {
    const all = Array.from(
      { length: 1000 },
      () => limiter.admitCaller({ userId: "u1", plan: "free" }, true),
    );
    const admissions = await Promise.all(all);
    assert.equal(passedOf(admissions), 1000);
    assert.equal(admissions[0].status.remaining, 9007199254740991);
    assert.equal(world.commits(), 0);
  }));
