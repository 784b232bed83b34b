import assert from "node:assert/strict";
import { importByToken, importMail } from "../../../imports.ts";
import { bounceTo, relayedService, report, returnOf, send, shown } from "../send/sending.ts";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestOptions,
  testService,
} from "../../../service.ts";
import { ScriptedTarget } from "../../webhooks/scripted_target.ts";

const year = { "received-at": "2020-01-01T00:00:00Z" };
const code = (n: number) =>
  message(
    { From: "Acme <no-reply@acme.example>", Subject: "Your sign-in code" },
    `Your verification code is ${n}.\n`,
  );

async function setup(options: TestOptions = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const get = (path: string) => data(test.request(path, { token: owner.key }));
  const post = (path: string, json: object) => data(test.request(path, { token: owner.key, json }));
  const bring = async (raw: string, state: Record<string, string> = year) => {
    const result = await importMail(test, owner.key, box, raw, state);
    assert.equal(result.disposition, "accepted", JSON.stringify(result));
    return result.email_id;
  };
  return { test, owner, box, get, post, bring };
}

// SPEC: import.events
Deno.test("an import has email.imported as change and event, with the fields of email.received, and no other", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const w = await setup({ parts: { clock, webhookTarget: target } });
  await using test = w.test;
  const events = ["email.received", "email.imported", "email.processed", "email.sent"];
  await w.post("/v1/api/webhooks", { url: "https://hook.example.com/in", events });
  const start = (await test.request("/v1/api/changes?after=now", { token: w.owner.key })).json();
  const after = (await start).meta.next_cursor;
  const file = "--b\r\nContent-Type: text/plain\r\n\r\nHello quixotry\r\n--b\r\n" +
    "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n";
  const fields = {
    "Content-Type": "multipart/mixed; boundary=b",
    Date: "Wed, 01 Jan 2020 00:00:00 +0000",
  };
  const ids = [
    await w.bring(message({ ...fields, Subject: "small" }, `${file}1,2\r\n--b--\r\n`)),
    await w.bring(
      message({ ...fields, Subject: "large" }, `${file}${"1,2\n".repeat(60_000)}\r\n--b--\r\n`),
    ),
    await w.bring(message({ Subject: "sent" }), { ...year, direction: "outbound" }),
  ];
  await test.advance(60_000);
  const changes = await w.get(`/v1/api/changes?after=${after}`);
  assert.deepEqual(
    changes.map(({ event, email_id }: { event: string; email_id: string }) => [event, email_id]),
    ids.map((id) => ["email.imported", id]),
  );
  const posted = target.posts.map(({ body }) => JSON.parse(body as unknown as string));
  assert.deepEqual(
    posted.map(({ event, data }) => [event, data.email_id, data.has_attachments]).sort(),
    ids.map((id, n) => ["email.imported", id, n < 2]).sort(),
  );
  const live = await deliver(test, w.box.email_address, message({ Subject: "live" }));
  await test.advance(60_000);
  const received = target.posts.map(({ body }) => JSON.parse(body as unknown as string))
    .find(({ event }) => event === "email.received");
  assert.equal(received.data.email_id, live.email_id);
  assert.deepEqual(Object.keys(posted[0].data), Object.keys(received.data));
  // It is processed all the same.
  for (const id of ids) {
    const [{ processed }] = (await w.get("/v1/api/emails?limit=100"))
      .filter((each: { email_id: string }) => each.email_id === id);
    assert.equal(processed, true);
  }
  const found = await test.request("/v1/api/search", {
    token: w.owner.key,
    json: { query: "quixotry" },
  });
  assert.equal((await found.json()).results.length, 2);
});

// SPEC: import.work
Deno.test("an import meets no wait and no expectation: both go on to the mail that arrives", async () => {
  const w = await setup();
  await using test = w.test;
  const { mailbox_id, email_address } = w.box;
  const since = new Date(test.clock.now()).toISOString();
  const { expectation_id } = await w.post("/v1/api/expectations", {
    ...{ mailbox_id, from_domain: "acme.example", kind: "code" },
  });
  await test.advance(1_000);
  const wait = w.get(`/v1/api/emails/wait?mailbox_id=${mailbox_id}&require=code`);
  await test.waiting(1);
  await w.bring(code(111111));
  // Its time may be now, too.
  const future = await w.bring(code(222222), { "received-at": "2100-01-01T00:00:00Z" });
  await test.settle();
  await test.waiting(1);
  const once = await w.get(`/v1/api/emails/wait?since=${since}&timeout_seconds=0`);
  assert.deepEqual(once, { email: null, timed_out: true });
  const before = await w.get(`/v1/api/expectations/${expectation_id}`);
  assert.deepEqual([before.status, before.code], ["waiting", null]);
  const { email_id } = await deliver(test, email_address, code(482913));
  await test.settle();
  const found = await wait;
  assert.deepEqual([found.email.email_id, found.verification.best_code], [email_id, "482913"]);
  assert.equal((await w.get(`/v1/api/expectations/${expectation_id}`)).code, "482913");
  const byAfter = await w.get(`/v1/api/emails/wait?after=${future}&timeout_seconds=0`);
  assert.equal(byAfter.email.email_id, email_id);
});

// SPEC: import.work
Deno.test("an import is never claimed, whether it comes before, between or after the mail of the workers", async () => {
  const w = await setup({ instances: 1 });
  await using test = w.test;
  const claim = () => w.post(`/v1/api/mailboxes/${w.box.mailbox_id}/claims`, { limit: 50 });
  const arrive = async (n: number) =>
    (await deliver(test, w.box.email_address, message({ Subject: `live ${n}` }))).email_id;
  const now = { "received-at": "2100-01-01T00:00:00Z" };
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    await test.advance(120_000);
    await w.bring(message({ Subject: `old ${n}` }));
    await w.bring(message({ Subject: `now ${n}` }), now);
    ids.push(await arrive(n));
    await w.bring(message({ Subject: `now again ${n}` }), now);
    const claims = await claim();
    assert.deepEqual(claims.map(({ email }: { email: { email_id: string } }) => email.email_id), [
      ids[n],
    ]);
    await w.post(`/v1/api/claims/${claims[0].claim_id}/ack`, {});
    assert.deepEqual(await claim(), []);
  }
  // The mark moves past imports, so that no claim reads them again.
  await test.advance(120_000);
  assert.deepEqual(await claim(), []);
  const [mark] = await Array.fromAsync(test.kv.list<string>({ prefix: ["claim_marks"] }));
  assert.ok(mark.value >= ids[3], mark.value);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["claims"] })), []);
});

// SPEC: import.automatic
Deno.test("an import proves nothing about its author: an answer to it waits for a person, and no list refuses it", async () => {
  const w = await setup();
  await using test = w.test;
  const path = `/v1/api/mailboxes/${w.box.mailbox_id}/policy`;
  const json = { approval: "new_recipients", block_senders: ["ada@example.net"] };
  await data(test.request(path, { method: "PUT", token: w.owner.accessToken, json }));
  const email_id = await w.bring(message({ Subject: "forged" }));
  await test.settle();
  const email = await w.get(`/v1/api/emails/${email_id}`);
  assert.deepEqual([email.automated, email.auth_verdict], [false, "none"]);
  const reply = await test.request(`/v1/api/emails/${email_id}/reply`, {
    token: w.owner.key,
    json: { body_text: "Yes" },
  });
  const body = await reply.json();
  assert.equal(body.error?.code ?? body.data.status, "pending_approval", JSON.stringify(body));
});

// SPEC: import.automatic
Deno.test("a delivery report in an archive is mail: no send fails by it, and a return path takes no import", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const to = "ann@one.example";
  const sent = await send(test, owner, { mailbox_id: box.mailbox_id, to, body_text: "hi" });
  await test.settle();
  const path = returnOf(relay, to), text = report(sent.message_id, to);
  const atPath = await importByToken(test, path, text);
  assert.deepEqual([atPath.status, atPath.code], [422, "UNKNOWN_RECIPIENT"]);
  const { email_id } = await importMail(test, owner.key, box, text);
  await test.settle();
  const { direction, automated } = await shown(test, owner, `/v1/api/emails/${email_id}`);
  assert.deepEqual([direction, automated], ["inbound", true]);
  const { status, delivery } = await shown(test, owner, `/v1/api/emails/${sent.email_id}`);
  assert.deepEqual([status, delivery[0].status], ["sent", "sent"]);
  assert.deepEqual(await shown(test, owner, "/v1/api/suppressions"), []);
  await bounceTo(test, path, report(sent.message_id, to, "failed", 1));
  await test.settle();
  assert.equal((await shown(test, owner, `/v1/api/emails/${sent.email_id}`)).status, "failed");
});
