import assert from "node:assert/strict";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

const path = "/v1/api/webhooks";
const hook = { url: "https://hook.example.com/in", events: ["email.received"] };

// SPEC: webhooks.mailboxes
Deno.test("mailbox_ids: only events of these; [] is 400, a foreign id 404; a limited key sees its own alone, in the log too", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test), stranger = await account(test);
  const one = await mailbox(test, owner), two = await mailbox(test, owner);
  const foreign = await mailbox(test, stranger);
  const json = { name: "limited", mailboxIds: [one.mailbox_id] };
  const limited = (await data(test.request("/v1/api/keys", { token: owner.key, json }))).apiKey;
  const call = async (method: string, at: string, json?: unknown, token = owner.key) => {
    const answer = await test.request(`${path}${at}`, { method, token, json });
    const body = await answer.json();
    return { status: answer.status, code: body.error?.code, data: body.data };
  };
  const made = await call("POST", "", { ...hook, mailbox_ids: [one.mailbox_id, two.mailbox_id] });
  const at = `/${made.data.webhook_id}`;
  assert.deepEqual(made.data.mailbox_ids, [one.mailbox_id, two.mailbox_id]);
  assert.equal((await call("GET", at, undefined, limited)).status, 404);
  for (
    const [method, to, token] of [["POST", "", owner.key], ["PATCH", at, owner.key], [
      "POST",
      "",
      limited,
    ]]
  ) {
    const ask = async (mailbox_ids: string[]) => {
      const json = method === "POST" ? { ...hook, mailbox_ids } : { mailbox_ids };
      const { status, code } = await call(method, to, json, token);
      return [status, code];
    };
    assert.deepEqual(await ask([]), [400, "VALIDATION_ERROR"]);
    assert.deepEqual(await ask([one.mailbox_id, foreign.mailbox_id]), [404, "NOT_FOUND"]);
    if (token === limited) assert.deepEqual(await ask([two.mailbox_id]), [404, "NOT_FOUND"]);
  }
  const receive = async (box: { email_address: string }) => {
    target.posts.length = 0;
    const { email_id } = await deliver(
      test,
      box.email_address,
      message({ Subject: crypto.randomUUID() }),
    );
    await test.settle();
    return [email_id, target.posts.length];
  };
  target.reply = () => 500;
  const [hidden, posts] = await receive(two);
  assert.equal(posts, 1);
  const [{ delivery_id }] = (await call("GET", `${at}/deliveries`)).data;
  const narrowed = await call("PATCH", at, { mailbox_ids: [one.mailbox_id] });
  assert.deepEqual(narrowed.data.mailbox_ids, [one.mailbox_id]);
  // A pending delivery for the other mailbox is given up, and a limited key does not see it.
  await test.advance(500);
  await test.advance(1_000);
  assert.equal(target.posts.length, 1);
  const delivery = `${at}/deliveries/${delivery_id}`;
  const whole = (await call("GET", delivery)).data;
  assert.deepEqual([whole.status, whole.email_id, whole.attempts.length], ["failed", hidden, 1]);
  assert.deepEqual((await call("GET", `${at}/deliveries`, undefined, limited)).data, []);
  assert.equal((await call("GET", delivery, undefined, limited)).status, 404);
  assert.equal((await call("POST", `${delivery}/replay`, undefined, limited)).status, 404);
  assert.equal((await receive(two))[1], 0);
  target.reply = () => 200;
  const [seen, sent] = await receive(one);
  assert.equal(sent, 1);
  const ofLimited = (await call("GET", `${at}/deliveries`, undefined, limited)).data;
  assert.deepEqual(ofLimited.map((each: { email_id: string }) => each.email_id), [seen]);
  const own = await call("POST", "", hook, limited);
  assert.deepEqual(own.data.mailbox_ids, [one.mailbox_id]);
  // By status; another status is 400; a test event is about no email and says that it is a test.
  const ids = async (status: string) =>
    (await call("GET", `${at}/deliveries?status=${status}`)).data.map((
      each: { email_id: string },
    ) => each.email_id);
  assert.deepEqual([await ids("failed"), await ids("delivered"), await ids("pending")], [[hidden], [
    seen,
  ], []]);
  assert.equal((await call("GET", `${at}/deliveries?status=done`)).status, 400);
  target.posts.length = 0;
  assert.equal((await call("POST", `${at}/test`)).data.email_id, null);
  await test.settle();
  assert.equal(JSON.parse(target.posts[0].body).data.test, true);
  assert.deepEqual((await call("PATCH", at, { mailbox_ids: null })).data.mailbox_ids, null);
  assert.equal((await receive(two))[1], 1);
});
