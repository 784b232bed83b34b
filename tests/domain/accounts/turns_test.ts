import assert from "node:assert/strict";
import { Turns } from "../../../domain/accounts/turns.ts";
import { ServiceError } from "../../../domain/core/errors.ts";
import { account, testService } from "../../service.ts";

/** Work that ends when the test releases it, and the order in which pieces began. */
function bench() {
  const turns = new Turns();
  const begun: string[] = [];
  const open: (() => void)[] = [];
  return {
    begun,
    take: (from: string, name = from) =>
      turns.take(from, () => {
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

Deno.test("a turn ends also if its work fails", async () => {
  const turns = new Turns();
  await assert.rejects(turns.take("a", () => Promise.reject(new Error("no"))), /no/);
  assert.equal(await turns.take("a", () => Promise.resolve(1)), 1);
});

Deno.test("a right login from a quiet address is answered within 2 s while 20 addresses guess and register", async () => {
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
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
