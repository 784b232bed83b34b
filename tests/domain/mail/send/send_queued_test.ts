import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import type { Mailer } from "../../../../domain/ports/mailer.ts";
import { sendQueued } from "../../../../domain/mail/send/send_queued.ts";
import type { Job } from "../../../../domain/store/jobs.ts";
import * as keys from "../../../../domain/store/keys.ts";
import {
  account,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import { relayedService, send, shown } from "./sending.ts";
import { eventually } from "../../../eventually.ts";

async function statusOf(test: TestService, owner: TestAccount, emailId: string) {
  const { status, delivery } = await shown(test, owner, `/v1/api/emails/${emailId}`);
  return { status, delivery };
}

/** A new account, and the answer to the mail that it has sent to ann@one.example. Its first attempt has ended. */
async function sentToAnn(test: TestService) {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const sent = await send(test, owner, {
    mailbox_id: box.mailbox_id,
    to: "ann@one.example",
    body_text: "hi",
  });
  await test.settle();
  return { owner, sent };
}

// SPEC: send.local
Deno.test("the relay gets the stored bytes and the envelope, without Bcc and without mailboxes of the service", async () => {
  await using it = await relayedService();
  const { test, relay } = it;
  const owner = await account(test);
  const [box, own] = [await mailbox(test, owner), await mailbox(test, owner)];
  const sent = await send(test, owner, {
    mailbox_id: box.mailbox_id,
    to: ["Ann <ann@one.example>", own.email_address],
    bcc: "bo@two.example",
    subject: "Grüße",
    body_text: "Grüße\n.\n",
  });
  assert.equal(sent.status, "queued");
  await test.settle();
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "sent");
  const [taken] = relay.taken;
  assert.deepEqual(relay.taken.flatMap(({ to }) => to).sort(), [
    "ann@one.example",
    "bo@two.example",
  ]);
  const raw = await test.request(`/v1/api/emails/${sent.email_id}/raw`, { token: owner.key });
  assert.deepEqual(new Uint8Array(await raw.arrayBuffer()), taken.raw);
  const mail = await PostalMime.parse(taken.raw);
  assert.deepEqual([mail.subject, mail.messageId, mail.bcc], [
    "Grüße",
    sent.message_id,
    undefined,
  ]);
  const inbox = await shown(test, owner, `/v1/api/emails?mailbox_id=${own.mailbox_id}`);
  assert.equal(inbox.length, 1);
});

// SPEC: send.retries
Deno.test("4xx then 250 is sent once, at the time of the schedule", async () => {
  const answers: (number | "take")[] = [451, 421, "take"];
  await using it = await relayedService({ data: () => answers.shift() ?? "take" });
  const { test, relay } = it;
  const { owner, sent } = await sentToAnn(test);
  const waiting = await statusOf(test, owner, sent.email_id);
  assert.equal(waiting.status, "queued");
  assert.match(waiting.delivery[0].response, /^451 /);
  await test.advance(4_999);
  assert.equal(answers.length, 2);
  await test.advance(1);
  assert.equal(answers.length, 1);
  await test.advance(29_999);
  assert.equal(relay.taken.length, 0);
  await test.advance(1);
  assert.equal(relay.taken.length, 1);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "sent");
  await test.advance(86_400_000);
  assert.equal(relay.taken.length, 1);
});

Deno.test("5xx is failed at once and not tried again", async () => {
  let times = 0;
  await using it = await relayedService({
    data: () => {
      times++;
      return 554;
    },
  });
  const { test } = it;
  const { owner, sent } = await sentToAnn(test);
  const { status, delivery } = await statusOf(test, owner, sent.email_id);
  assert.equal(status, "failed");
  assert.match(delivery[0].response, /^554 /);
  await test.advance(86_400_000);
  assert.equal(times, 1);
});

Deno.test("a connection cut in DATA is tried again, and the message arrives", async () => {
  const answers: ("cut" | "take")[] = ["cut", "take"];
  await using it = await relayedService({ data: () => answers.shift() ?? "take" });
  const { test, relay } = it;
  const { owner, sent } = await sentToAnn(test);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "queued");
  await test.advance(5_000);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "sent");
  assert.equal(relay.taken.length, 1);
});

// SPEC: send.relay
Deno.test("recipients are tried again one by one: none gets the message twice", async () => {
  let busy = true;
  await using it = await relayedService({
    rcptTo: (address) =>
      address === "bo@two.example" && busy ? 450 : address === "cy@three.example" ? 550 : "take",
  });
  const { test, relay } = it;
  const owner = await account(test);
  const [box, own] = [await mailbox(test, owner), await mailbox(test, owner)];
  const sent = await send(test, owner, {
    mailbox_id: box.mailbox_id,
    to: ["ann@one.example", "bo@two.example", "cy@three.example", own.email_address],
    body_text: "hi",
  });
  await test.settle();
  const states = async () => {
    const { status, delivery } = await statusOf(test, owner, sent.email_id);
    return [status, ...delivery.map((one: { status: string }) => one.status)];
  };
  assert.deepEqual(await states(), ["queued", "sent", "queued", "failed", "sent"]);
  busy = false;
  await test.advance(5_000);
  assert.deepEqual(await states(), ["partial", "sent", "sent", "failed", "sent"]);
  assert.deepEqual(relay.taken.map(({ to }) => to), [["ann@one.example"], ["bo@two.example"]]);
  assert.equal((await shown(test, owner, `/v1/api/emails?mailbox_id=${own.mailbox_id}`)).length, 1);
});

// SPEC: send.retries
Deno.test("a relay that stays down is tried for 24 hours, then the email is failed", async () => {
  const attempts: number[] = [];
  const mailer: Mailer = {
    isOutbox: false,
    send: ({ envelopes }) => {
      attempts.push(test.clock.now());
      return Promise.resolve({
        recipients: envelopes.map(({ to }) => ({
          recipient: to,
          outcome: "temporary" as const,
          response: "connect ECONNREFUSED",
        })),
      });
    },
    check: () => Promise.resolve(false),
    close: () => {},
  };
  await using test = await testService({ parts: { mailer } });
  const start = test.clock.now();
  const { owner, sent } = await sentToAnn(test);
  for (let hour = 0; hour < 30; hour++) {
    // A retry is on time only if the one before has ended.
    for (const ms of [5_000, 30_000, 120_000, 600_000, 2_845_000]) await test.advance(ms);
  }
  assert.deepEqual(
    attempts.slice(0, 6).map((at) => (at - start) / 1_000),
    [0, 5, 35, 155, 755, 4_355],
  );
  assert.equal(attempts.length, 28);
  assert.deepEqual(await statusOf(test, owner, sent.email_id), {
    status: "failed",
    delivery: [{
      recipient: "ann@one.example",
      status: "failed",
      response: "connect ECONNREFUSED",
    }],
  });
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: keys.jobsDue() })), []);
});

Deno.test("an answer of the relay that could not be recorded is recorded later, without a second send", async () => {
  let times = 0;
  const mailer: Mailer = {
    isOutbox: false,
    send: ({ envelopes }) => {
      times++;
      // The database fails between the relay's 250 and the record of it.
      failing = 1;
      return Promise.resolve({
        recipients: envelopes.map(({ to }) => ({
          recipient: to,
          outcome: "sent" as const,
          response: "250 ok",
        })),
      });
    },
    check: () => Promise.resolve(true),
    close: () => {},
  };
  let failing = 0;
  await using test = await testService({ parts: { mailer } });
  const { database } = test.service;
  const transact = database.transact.bind(database);
  database.transact = (body, options) =>
    failing-- > 0 ? Promise.reject(new Error("database is locked")) : transact(body, options);
  const { owner, sent } = await sentToAnn(test);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "queued");
  await test.advance(60_000);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "sent");
  assert.equal(times, 1);
});

Deno.test("email that a stopped process left queued is sent by the next one, to mailboxes of the service once", async () => {
  const kv = await Deno.openKv(":memory:");
  let stuck = true;
  const handedOver: string[][] = [];
  const mailer: Mailer = {
    isOutbox: false,
    send: ({ envelopes }) => {
      if (stuck) return new Promise(() => {});
      handedOver.push(envelopes.map(({ to }) => to));
      return Promise.resolve({
        recipients: envelopes.map(({ to }) => ({
          recipient: to,
          outcome: "sent" as const,
          response: "250 ok",
        })),
      });
    },
    check: () => Promise.resolve(true),
    close: () => {},
  };
  // This process delivers to its own mailbox and is killed before the relay has answered.
  const killed = await testService({ kv, parts: { mailer } });
  const owner = await account(killed);
  const [box, own] = [await mailbox(killed, owner), await mailbox(killed, owner)];
  const sent = await send(killed, owner, {
    mailbox_id: box.mailbox_id,
    to: [own.email_address, "ann@one.example"],
    body_text: "hi",
  });
  const received = "/v1/api/emails?direction=inbound";
  await eventually(
    "the mail is delivered",
    async () => (await shown(killed, owner, received)).length > 0,
    killed.log,
  );
  stuck = false;
  await using test = await testService({ kv, parts: { mailer, clock: killed.clock } });
  await test.settle();
  assert.deepEqual(handedOver, [["ann@one.example"]]);
  assert.equal((await statusOf(test, owner, sent.email_id)).status, "sent");
  assert.equal((await shown(test, owner, "/v1/api/emails?direction=inbound")).length, 1);
  await killed.service.searchIndex.close();
  killed.service.jobs.listen(null);
  await test.service.database.settled();
  kv.close();
});

Deno.test("a relay that hangs delays no mail between mailboxes of the service", async () => {
  let asked = 0;
  const mailer: Mailer = {
    isOutbox: false,
    send: () => {
      asked++;
      return new Promise(() => {});
    },
    check: () => Promise.resolve(false),
    close: () => {},
  };
  const test = await testService({ parts: { mailer } });
  const owner = await account(test);
  const [box, own] = [await mailbox(test, owner), await mailbox(test, owner)];
  for (let n = 0; n < 40; n++) {
    await send(test, owner, { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "hi" });
  }
  await send(test, owner, {
    mailbox_id: box.mailbox_id,
    to: own.email_address,
    body_text: "hi",
  });
  const inbox = `/v1/api/emails?mailbox_id=${own.mailbox_id}`;
  await eventually(
    "the mail is delivered",
    async () => (await shown(test, owner, inbox)).length > 0,
    test.log,
  );
  assert.ok(asked > 0 && asked < 40, `${asked} asked`);
  // The hanging jobs never end, so this service is left like a killed one.
  await test.service.database.settled();
  await test.service.searchIndex.close();
  test.service.jobs.listen(null);
  test.kv.close();
});

Deno.test("a mailbox whose domain is no longer verified is an outside recipient: the relay gets its mail", async () => {
  await using it = await relayedService();
  const { test, relay } = it;
  const owner = await account(test);
  const [box, own] = [await mailbox(test, owner), await mailbox(test, owner)];
  await test.service.database.transact((tx) => {
    const { userId } = owner;
    tx.set(keys.mailboxByAddress("agent@shop.example"), { userId, mailboxId: own.mailbox_id });
    tx.set(keys.customDomainVerified("shop.example"), { userId, domainId: "h1" });
  });
  const sent = () =>
    send(test, owner, {
      mailbox_id: box.mailbox_id,
      to: "agent@shop.example",
      body_text: "hi",
    });
  await sent();
  await test.settle();
  const inbox = () => shown(test, owner, `/v1/api/emails?mailbox_id=${own.mailbox_id}`);
  assert.deepEqual([(await inbox()).length, relay.taken.length], [1, 0]);
  await test.service.database.transact((tx) =>
    tx.delete(keys.customDomainVerified("shop.example"))
  );
  await sent();
  await test.settle();
  assert.deepEqual([(await inbox()).length, relay.taken.length], [1, 1]);
});

Deno.test("an instance that stood still while another one sent its mail records and sends nothing", async () => {
  await using it = await relayedService();
  const { test, relay } = it;
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example", body_text: "hi" };
  const { email_id } = await send(test, owner, mail);
  await test.settle();
  const before = await shown(test, owner, "/v1/api/changes");
  const late: Job<"send_email"> = {
    jobId: "late",
    kind: "send_email",
    payload: { userId: owner.userId, emailId: email_id },
    ...{ runAt: 0, dueAt: 0, createdAt: 0, attempts: 0 },
  };
  await sendQueued(test.service, late);
  await test.settle();
  assert.deepEqual(await shown(test, owner, "/v1/api/changes"), before);
  assert.equal(relay.taken.length, 1);
});

Deno.test("an account with twenty mails that the relay does not answer leaves places for another's mail", async () => {
  const held: (() => void)[] = [];
  const taken: string[] = [];
  const mailer: Mailer = {
    isOutbox: false,
    send: async ({ owner, envelopes }) => {
      if (owner === slow.userId) await new Promise<void>((done) => held.push(done));
      taken.push(owner);
      return {
        recipients: envelopes.map(({ to }) => ({
          ...{ recipient: to, outcome: "sent", response: "250 ok" },
        })),
      };
    },
    check: () => Promise.resolve(true),
    close: () => {},
  };
  await using test = await testService({ instances: 1, parts: { mailer } });
  const slow = await account(test), other = await account(test);
  const box = await mailbox(test, slow), foreign = await mailbox(test, other);
  const mail = { to: "ann@one.example", body_text: "hi" };
  for (let n = 0; n < 20; n++) await send(test, slow, { ...mail, mailbox_id: box.mailbox_id });
  const sent = await send(test, other, { ...mail, mailbox_id: foreign.mailbox_id });
  await eventually(
    "the other account's mail is sent",
    async () => (await statusOf(test, other, sent.email_id)).status === "sent",
    test.log,
  );
  assert.deepEqual(taken, [other.userId]);
  while (taken.length < 21) {
    held.splice(0).forEach((end) => end());
    await new Promise((done) => setTimeout(done, 1));
  }
});
