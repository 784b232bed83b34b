import assert from "node:assert/strict";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

const url = "https://hook.example.com/in";
const elsewhere = "https://elsewhere.example.net/in";
const mail = { events: ["email.received"] };
const noMail = { events: ["api_key.created"] };
const unread = { required_scope: "emails:read" };

/** A webhook for mail with one delivery, which its receiver answered with `status`; a key that may not read mail. */
async function world(status: number) {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const json = { name: "agent", scopes: ["webhooks:write"] };
  const blind: string =
    (await data(test.request("/v1/api/keys", { token: owner.key, json }))).apiKey;
  const made = { token: owner.key, json: { url, ...mail } };
  const { webhook_id } = await data(test.request("/v1/api/webhooks", made));
  const path = `/v1/api/webhooks/${webhook_id}`;
  target.reply = () => status;
  await deliver(test, box.email_address, message());
  await test.settle();
  const [{ delivery_id }] = await data(test.request(`${path}/deliveries`, { token: owner.key }));
  const call = async (token: string, method: string, at: string, json?: unknown) => {
    const answer = await test.request(`${path}${at}`, { token, method, json });
    const { error } = await answer.json();
    return { status: answer.status, details: error?.details };
  };
  return {
    test,
    owner: owner.key,
    blind,
    call,
    change: (token: string, json: unknown) => call(token, "PATCH", "", json),
    replay: (token: string) => call(token, "POST", `/deliveries/${delivery_id}/replay`),
    /** What was posted to a URL, after all retries. */
    async postsTo(to: string) {
      for (let n = 0; n < 3; n++) await test.advance(1_000);
      return target.posts.filter((each) => each.url === to).length;
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a key without emails:read cannot change a webhook that has events of mail before or after the change", async () => {
  await using it = await world(200);
  const secret = "chosen-by-the-key";
  for (const one of [noMail, { url: elsewhere, ...noMail }, { secret }, { active: true }]) {
    assert.deepEqual(await it.change(it.blind, one), { status: 403, details: unread });
  }
  assert.equal((await it.change(it.owner, noMail)).status, 200);
  assert.deepEqual(await it.change(it.blind, mail), { status: 403, details: unread });
  assert.equal((await it.change(it.blind, { url: elsewhere })).status, 200);
});

Deno.test("a key without emails:read replays no delivery of mail", async () => {
  await using it = await world(200);
  await it.change(it.owner, noMail);
  await it.change(it.blind, { url: elsewhere });
  assert.deepEqual(await it.replay(it.blind), { status: 403, details: unread });
  assert.equal(await it.postsTo(elsewhere), 0);
  // Other events need no such scope.
  assert.equal((await it.call(it.blind, "POST", "/test")).status, 200);
  assert.equal(await it.postsTo(elsewhere), 1);
});

Deno.test("a retry of mail is not sent to a webhook that no longer wants mail", async () => {
  await using it = await world(500);
  await it.change(it.owner, noMail);
  assert.equal((await it.change(it.blind, { url: elsewhere })).status, 200);
  assert.equal(await it.postsTo(elsewhere), 0);
  assert.equal(await it.postsTo(url), 1);
});

Deno.test("a replay goes to the URL that the webhook had at the request", async () => {
  await using it = await world(500);
  assert.equal(await it.postsTo(url), 3);
  await it.change(it.owner, noMail);
  assert.equal((await it.replay(it.owner)).status, 200);
  await it.test.settle();
  await it.change(it.blind, { url: elsewhere });
  assert.equal(await it.postsTo(elsewhere), 0);
  assert.equal(await it.postsTo(url), 4);
});

Deno.test("a retry of mail follows a webhook to its new URL", async () => {
  await using it = await world(500);
  await it.change(it.owner, { url: elsewhere });
  assert.equal(await it.postsTo(elsewhere), 2);
});
