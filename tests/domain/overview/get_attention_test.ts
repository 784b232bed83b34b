import assert from "node:assert/strict";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";

// SPEC: dashboard.attention
Deno.test("GET /api/attention: refused mail, quotas from 80 %, failed deliveries; quiet accounts have none", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  target.reply = () => 500;
  await using test = await testService({
    plans: { free: { mailboxes: 5, maxEmailBytes: 1_000 } },
    parts: { clock, webhookTarget: target },
  });
  const owner = await account(test, "free"), quiet = await account(test);
  const ask = async ({ cookie } = owner) =>
    await data(test.request("/api/attention", { headers: { cookie } }));
  const nothing = {
    failed_deliveries: [],
    refused: { count: 0, last: null },
    failed_sends: 0,
    loops: [],
    pending: 0,
    pending_vectors: 0,
    quotas: [],
  };
  assert.deepEqual(await ask(), nothing);
  const boxes = [];
  for (let n = 0; n < 4; n++) boxes.push(await mailbox(test, owner));
  assert.deepEqual((await ask()).quotas, [{ what: "mailboxes", used: 4, limit: 5 }]);
  const large = message({}, "x".repeat(2_000));
  const refusal = await deliver(test, boxes[0].email_address, large);
  assert.equal(refusal.disposition, "rejected");
  const url = "https://hooks.example.com/mail";
  const hook = await data(test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url, events: ["email.received"] },
  }));
  await test.request(`/v1/api/webhooks/${hook.webhook_id}/test`, {
    method: "POST",
    token: owner.key,
  });
  await test.settle();
  assert.deepEqual((await ask()).failed_deliveries, [], "it is tried again");
  for (let n = 0; n < 4; n++) await test.advance(600_000);
  const found = await ask();
  const [{ at, ...failed }] = found.failed_deliveries;
  assert.deepEqual(failed, {
    webhook_id: hook.webhook_id,
    url,
    count: 1,
    last_error: "The receiver answered 500.",
  });
  assert.ok(at > "2026-11-20T10:00:00.000Z");
  assert.equal(found.refused.count, 1);
  assert.equal(found.refused.last.recipient, boxes[0].email_address);
  assert.deepEqual(await ask(quiet), nothing, "another account's");
  await test.advance(25 * 3_600_000);
  assert.deepEqual((await ask()).refused, { count: 0, last: null }, "after 24 hours");
  assert.deepEqual((await ask()).failed_deliveries, []);
});

Deno.test("a reply loop that was stopped is shown for a day, with the recipient and its end", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner);
  const loopsOf = async ({ cookie } = owner) =>
    (await data(test.request("/api/attention", { headers: { cookie } }))).loops;
  const first = await deliver(test, box.email_address, message({ From: "robot@example.net" }));
  await test.settle();
  const reply = async () => {
    const path = `/v1/api/emails/${first.email_id}/reply`;
    const answer = await test.request(path, { token: owner.key, json: { body_text: "Again." } });
    return { status: answer.status, body: await answer.json() };
  };
  for (let n = 0; n < 11; n++) assert.equal((await reply()).status, 201);
  assert.deepEqual(await loopsOf(), []);
  const twelfth = await reply();
  assert.equal(twelfth.status, 201);
  const { data: { thread_id, mailbox_id, created_at } } = twelfth.body;
  const loops = [{
    ...{ thread_id, mailbox_id, recipient: "robot@example.net", at: created_at },
    until: new Date(test.clock.now() + 600_000).toISOString(),
  }];
  assert.deepEqual(await loopsOf(), loops);
  assert.equal((await reply()).status, 429);
  assert.deepEqual(await loopsOf(), loops, "a refused send changes nothing");
  assert.deepEqual(await loopsOf(other), []);
  await test.advance(25 * 3_600_000);
  assert.deepEqual(await loopsOf(), []);
});
