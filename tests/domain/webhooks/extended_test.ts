import assert from "node:assert/strict";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { account, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

const url = "https://hook.example.com/in";
const second = 1_000, minute = 60 * second, hour = 60 * minute;
const laterDelaysMs = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  8 * hour,
  24 * hour,
];

/** An account with a mailbox, a webhook, and a receiver that answers `status`. */
async function world(fields: Record<string, unknown>, status = 500) {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  target.reply = () => status;
  const call = async (method: string, at: string, json?: unknown) => {
    const answer = await test.request(`/v1/api/webhooks${at}`, { method, token: owner.key, json });
    return { status: answer.status, body: await answer.json() };
  };
  const made = await call("POST", "", { url, events: ["email.received"], ...fields });
  const { webhook_id, secret } = made.body.data;
  return {
    test,
    clock,
    target,
    owner,
    secret,
    call: (method: string, at: string, json?: unknown) => call(method, `/${webhook_id}${at}`, json),
    webhookId: webhook_id as string,
    rows: async () => (await call("GET", `/${webhook_id}/deliveries`)).body.data,
    async receive(): Promise<string> {
      const { email_id } = await deliver(test, box.email_address, message());
      await test.settle();
      return email_id;
    },
    /** Moves the clock to the next attempt, at the latest after `withinMs`; returns how long that took. */
    async next(withinMs: number): Promise<number> {
      const before = target.posts.length, from = target.posts[before - 1].at;
      await test.advance(withinMs * 0.9 - 1);
      assert.equal(target.posts.length, before, "earlier than a tenth before its time");
      await test.advance(withinMs * 0.2 + 2);
      assert.equal(target.posts.length, before + 1, "later than a tenth after its time");
      return target.posts[before].at - from;
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: event.retries_extended
Deno.test("extended: ten attempts with one id and one body, each signed at its own time; the row is pending until the last has failed", async () => {
  await using it = await world({ retry: "extended" });
  const emailId = await it.receive();
  await it.test.advance(500);
  await it.test.advance(1_000);
  assert.equal(it.target.posts.length, 3);
  const waits: number[] = [];
  for (const delayMs of laterDelaysMs) {
    const [{ status }] = await it.rows();
    assert.equal(status, "pending");
    waits.push(await it.next(delayMs));
  }
  const [row, ...others] = await it.rows();
  assert.deepEqual(others, []);
  assert.deepEqual([row.status, row.email_id, row.attempts.length], ["failed", emailId, 10]);
  assert.equal((await it.call("GET", "")).body.data.active, true);
  await it.test.advance(72 * hour);
  const posts = it.target.posts;
  assert.equal(posts.length, 10);
  // Random: the chance that all seven are exact is less than one in a billion.
  assert.notDeepEqual(waits, laterDelaysMs);
  assert.equal(new Set(posts.map(({ body }) => body)).size, 1);
  assert.equal(new Set(posts.map(({ headers }) => headers["webhook-id"])).size, 1);
  for (const [i, { headers, body, at }] of posts.entries()) {
    assert.equal(headers["x-service-attempt"], String(i + 1));
    assert.equal(headers["webhook-timestamp"], String(Math.floor(at / 1_000)));
    const signed = new StandardWebhook(it.secret).sign(headers["webhook-id"], new Date(at), body);
    assert.equal(headers["webhook-signature"], signed);
  }
  assert.equal(new Set(posts.map(({ headers }) => headers["webhook-signature"])).size, 9);
});

Deno.test("extended: a receiver that does not answer for three hours gets the event", async () => {
  await using it = await world({ retry: "extended" });
  await it.receive();
  const [{ at: from }] = it.target.posts;
  it.target.reply = () => it.clock.now() - from < 3 * hour ? "connection" : 204;
  await it.test.advance(500);
  await it.test.advance(1_000);
  for (const delayMs of laterDelaysMs.slice(0, 6)) await it.next(delayMs);
  const [{ status, attempts }] = await it.rows();
  assert.deepEqual([status, attempts.length], ["delivered", 9]);
});

Deno.test("a change of retry applies from the next failure on", async () => {
  await using it = await world({ retry: "extended" });
  await it.receive();
  await it.test.advance(500);
  await it.test.advance(1_000);
  assert.equal((await it.call("PATCH", "", { retry: "standard" })).body.data.retry, "standard");
  await it.next(5 * second);
  assert.equal((await it.rows())[0].status, "failed");
  assert.equal((await it.call("PATCH", "", { retry: "extended" })).body.data.retry, "extended");
  await it.call("POST", "/test");
  await it.test.settle();
  await it.test.advance(500);
  await it.test.advance(1_000);
  assert.equal((await it.rows())[0].status, "pending");
});

Deno.test("extended: a webhook that is switched off gets no later attempt, and its row has failed then", async () => {
  await using it = await world({ retry: "extended" });
  await it.receive();
  await it.test.advance(500);
  await it.test.advance(1_000);
  await it.call("PATCH", "", { active: false });
  await it.test.advance(6_000);
  assert.equal(it.target.posts.length, 3);
  assert.equal((await it.rows())[0].status, "failed");
});

Deno.test("extended: a replay on the last day of the log has all its attempts", async () => {
  await using it = await world({ retry: "extended" }, 200);
  await it.receive();
  await it.test.advance(30 * 24 * hour - minute);
  const [{ delivery_id }] = await it.rows();
  it.target.reply = () => 500;
  await it.call("POST", `/deliveries/${delivery_id}/replay`);
  await it.test.settle();
  for (let n = 0; n < 100; n++) await it.test.advance(hour / 2);
  assert.equal(it.target.posts.length, 11);
});
