import assert from "node:assert/strict";
import { LoginGuard } from "../../../domain/accounts/login_guard.ts";
import { limitSubject } from "../../../domain/core/client_address.ts";
import type { Clock } from "../../../domain/core/clock.ts";
import { ServiceError } from "../../../domain/core/errors.ts";
import { account, testService } from "../../service.ts";
import { nightly } from "../../nightly.ts";

/** Work that ends when the test releases it, and the order in which pieces began. */
function bench() {
  const clock = { elapsed: () => 0 } as Clock;
  const guard = new LoginGuard({ database: null as never, clock });
  const begun: string[] = [];
  const open: (() => void)[] = [];
  return {
    begun,
    take: (from: string, name = from) =>
      guard.inTurn(from, () => {
        begun.push(name);
        return new Promise<void>((done) => open.push(done));
      }).then(() => "done", (error: ServiceError) => error.code),
    async letGo(count: number) {
      await new Promise((done) => setTimeout(done, 0));
      for (let n = 0; n < count; n++) {
        open.shift()?.();
        await new Promise((done) => setTimeout(done, 0));
      }
    },
  };
}

Deno.test("a quiet address is next however many requests of others wait, and those take turns", async () => {
  const it = bench();
  const all = ["a", "b"].flatMap((from) => [1, 2, 3].map((n) => it.take(from, `${from}${n}`)));
  await it.letGo(2);
  all.push(it.take("quiet"));
  await it.letGo(6);
  assert.deepEqual(it.begun, ["a1", "b1", "a2", "quiet", "b2", "a3", "b3"]);
  assert.deepEqual(new Set(await Promise.all(all)), new Set(["done"]));
});

Deno.test("at most 32 logins of an address wait; if too many wait in all, the address with the most loses its newest", async () => {
  const it = bench();
  const busy = Array.from(
    { length: 9 },
    (_, n) => Array.from({ length: 40 }, () => it.take(`busy${n}`)),
  );
  const quiet = it.take("quiet");
  await it.letGo(400);
  const outcomes = await Promise.all(busy.map((each) => Promise.all(each)));
  assert.equal(await quiet, "done");
  for (const each of outcomes) {
    const served = each.filter((one) => one === "done").length;
    assert.ok(served >= 27 && served <= 33, `${served} served`);
    assert.deepEqual(new Set(each), new Set(["done", "SERVICE_UNAVAILABLE"]));
  }
});

Deno.test("the addresses of a network take turns as one: a login from another network is next", async () => {
  for (const addressOf of [(n: number) => `2001:db9:1:${n}::1`, (n: number) => `203.0.113.${n}`]) {
    const it = bench();
    const from = (n: number) => limitSubject(addressOf(n));
    const all = Array.from({ length: 20 }, (_, n) => it.take(from(n), `${n}`));
    all.push(it.take("198.51.100.7", "other"));
    await it.letGo(2);
    assert.deepEqual(it.begun, ["0", "other", "1"]);
    await it.letGo(20);
    await Promise.all(all);
  }
});

Deno.test("a login from an address that logged in before waits for at most two others, however many fresh addresses log in", async () => {
  await using test = await testService({ instances: 1 });
  const { loginGuard } = test.service;
  const right = () => Promise.resolve(true);
  await loginGuard.attempt("Owner@example.org", "198.51.100.7", right);
  // 50 days later, after a restart.
  await test.advance(50 * 86_400_000);
  const guard = new LoginGuard(test.service);
  const ends: (() => void)[] = [];
  let ended = 0;
  const lanes = Array.from(
    { length: 250 },
    (_, n) =>
      guard.attempt(`${n}@example.org`, `10.${n}.0.1`, async () => {
        await new Promise<void>((end) => ends.push(end));
        ended++;
        return false;
      }),
  );
  const owner = guard.attempt("owner@example.org", "198.51.100.7", right);
  let isIn = false;
  owner.then(() => isIn = true);
  const letGo = async (until: () => boolean) => {
    for (let n = 0; n < 5_000 && !until(); n++) {
      await new Promise((done) => setTimeout(done, 1));
      // Not before all wait.
      if (n > 200) ends.shift()?.();
    }
  };
  await letGo(() => isIn);
  assert.ok(isIn && ended <= 2, `${ended} came first`);
  await letGo(() => ended === 250);
  await Promise.all(lanes);
});

Deno.test("the address of one account is not known to another", async () => {
  await using test = await testService({ instances: 1 });
  const known = [["a@example.org", "10.0.0.1"], ["b@example.org", "10.0.0.2"]];
  for (const [email, from] of known) {
    await test.service.loginGuard.attempt(email, from, () => Promise.resolve(true));
  }
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = test.service.loginGuard.inTurn("10.0.9.9", () => promise);
  const logins = [["a@example.org", "10.0.0.2"], ["b@example.org", "10.0.0.2"]]
    .map(([email, from]) =>
      test.service.loginGuard.attempt(email, from, () => {
        order.push(email[0]);
        return Promise.resolve(true);
      })
    );
  // Both have read their rows, and wait.
  await new Promise((done) => setTimeout(done, 200));
  resolve();
  await Promise.all([first, ...logins]);
  assert.deepEqual(order, ["b", "a"]);
});

Deno.test("400 wrong passwords from one IPv6 /48 refuse logins from all of it, and from no other", async () => {
  await using test = await testService({ instances: 1 });
  const attempt = (n: number, from: string) =>
    test.service.loginGuard.attempt(`${n}@example.org`, from, () => Promise.resolve(false))
      .then(() => "wrong", (error: ServiceError) => error.code);
  for (let n = 0; n < 400; n++) {
    assert.equal(await attempt(n, limitSubject(`2001:db9:1:${n}::1`)), "wrong");
  }
  assert.equal(await attempt(1, limitSubject("2001:db9:1:ffff::1")), "RATE_LIMIT_EXCEEDED");
  assert.equal(await attempt(1, limitSubject("2001:db9:2:1::1")), "wrong");
});

Deno.test("a turn ends also if its work fails", async () => {
  const guard = new LoginGuard({ database: null as never, clock: { elapsed: () => 0 } as Clock });
  await assert.rejects(guard.inTurn("a", () => Promise.reject(new Error("no"))), /no/);
  assert.equal(await guard.inTurn("a", () => Promise.resolve(1)), 1);
});

nightly(
  "a right login from a quiet address is answered within 2 s while 20 addresses guess and register",
  async () => {
    // Each instance has its own thread and turns.
    await using test = await testService({ env: { TRUSTED_PROXIES: "192.0.2.1" }, instances: 1 });
    const { email, password } = await account(test);
    const post = async (path: string, json: object, from: string) => {
      const headers = { "x-forwarded-for": from };
      const answer = await test.request(`/api/auth/${path}`, { json, headers });
      await answer.body?.cancel();
      return answer.status;
    };
    const right = async (from: string) =>
      assert.equal(await post("login", { email, password }, from), 200);
    const aloneMs = await timed(() => right("198.51.100.8"));
    let guessed = 0;
    const guesses = Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`).flatMap((from, n) => [
      ...[1, 2].map(() => post("login", { email: `${n}${email}`, password: "wrong" }, from)),
      post("register", { email: `new${n}@example.org`, password, name: "New" }, from),
    ]).map((each) => each.finally(() => guessed++));
    await Promise.race(guesses);
    const before = guessed;
    const tookMs = await timed(() => right("198.51.100.7"));
    // On a machine busy with other tests one password takes a second.
    assert.ok(tookMs < Math.max(2_000, 8 * aloneMs), `${tookMs} ms, alone ${aloneMs} ms`);
    assert.ok(guessed - before <= 3, `${guessed - before} came first`);
    assert.deepEqual(new Set(await Promise.all(guesses)), new Set([401, 201]));
  },
);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
