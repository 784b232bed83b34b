import assert from "node:assert/strict";
import type { PlanOverrides } from "../../../domain/core/plans.ts";
import { listenSmtp } from "../../../routes/inbound/smtp/listen_smtp.ts";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import { SmtpTalk } from "./smtp_talk.ts";

async function setup(plans: PlanOverrides = {}) {
  const test = await testService({ plans });
  const listener = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
  const talk = await SmtpTalk.connect(listener.port);
  await talk.say("EHLO client.example.net");
  /** The codes of the replies to RCPT, and, if any recipient was taken, the one after DATA. */
  const send = async (
    recipients: string[],
    { text = message(), from = "ada@example.net", size = 0, meanwhile = async () => {} } = {},
  ) => {
    await talk.say(`MAIL FROM:<${from}>${size ? ` SIZE=${size}` : ""}`);
    const replies: string[] = [];
    for (const each of recipients) replies.push(await talk.say(`RCPT TO:<${each}>`));
    await meanwhile();
    if (replies.some((each) => each.startsWith("250"))) {
      await talk.say("DATA");
      replies.push(await talk.say(`${text}\r\n.`));
    } else if (!replies.at(-1)!.startsWith("421")) await talk.say("RSET");
    return replies.map((each) => /^\d{3} \d\.\d\.\d|^\d{3}/.exec(each)![0]);
  };
  return {
    test,
    send,
    async [Symbol.asyncDispose]() {
      talk[Symbol.dispose]();
      await listener.close();
      await test[Symbol.asyncDispose]();
    },
  };
}

async function subjects(test: TestService, owner: TestAccount): Promise<string[]> {
  const answer = await test.request("/v1/api/emails?limit=100", { token: owner.key });
  return (await answer.json()).data.map((each: { subject: string }) => each.subject);
}

async function setPolicy(test: TestService, owner: TestAccount, mailboxId: string, json: object) {
  const path = `/v1/api/mailboxes/${mailboxId}/policy`;
  const { status } = await test.request(path, { method: "PUT", token: owner.accessToken, json });
  assert.equal(status, 200);
}

// SPEC: inbound.smtp_agreed
Deno.test("recipients whose plans take other sizes are for separate transactions, unless the declared size fits all", async () => {
  await using talk = await setup({ free: { maxEmailBytes: 5_000 } });
  const { test, send } = talk;
  const [free, pro] = [await account(test, "free"), await account(test, "pro")];
  const [small, large] = [await mailbox(test, free), await mailbox(test, pro)]
    .map((each) => each.email_address);
  const text = message({ Subject: "large" }, "x".repeat(9_000));
  assert.deepEqual(await send([large, small], { text }), ["250", "452 4.5.3", "250 2.0.0"]);
  assert.deepEqual(await send([small], { text }), ["250", "552 5.3.4"]);
  assert.deepEqual(await send([small, large], { size: 300 }), ["250", "250", "250 2.0.0"]);
  // Who declares less than it sends reaches nobody, and hears it.
  const lie = message({ Subject: "lie" }, "y".repeat(9_000));
  assert.deepEqual(await send([large, small], { text: lie, size: 300 }), [
    ...["250", "250", "552 5.3.4"],
  ]);
  assert.deepEqual([await subjects(test, free), await subjects(test, pro)], [["Hello"], [
    "Hello",
    "large",
  ]]);
});

Deno.test("recipients with other sender lists are for separate transactions, so that From decides for all", async () => {
  await using talk = await setup();
  const { test, send } = talk;
  const owner = await account(test);
  const [open, one, two] = [
    await mailbox(test, owner),
    await mailbox(test, owner),
    await mailbox(test, owner),
  ];
  for (const { mailbox_id } of [one, two]) {
    await setPolicy(test, owner, mailbox_id, { allow_senders: ["@bank.example"] });
  }
  const all = [open, one, two].map((each) => each.email_address);
  assert.deepEqual(await send(all), ["250", "452 4.5.3", "452 4.5.3", "250 2.0.0"]);
  assert.deepEqual(await send(all.slice(1)), ["250", "250", "550 5.7.1"]);
  const text = message({ From: "news@bank.example", Subject: "News" });
  assert.deepEqual(await send(all.slice(1), { text }), ["250", "250", "250 2.0.0"]);
  assert.deepEqual(await subjects(test, owner), ["News", "News", "Hello"]);
});

Deno.test("an account with room for one more email is alone in a transaction", async () => {
  await using talk = await setup({ free: { emailsPerDay: 2 } });
  const { test, send } = talk;
  const [free, other] = [await account(test, "free"), await account(test, "free")];
  const [one, two] = [await mailbox(test, free), await mailbox(test, free)]
    .map((each) => each.email_address);
  const third = (await mailbox(test, other)).email_address;
  assert.equal((await deliver(test, one, "first")).disposition, "accepted");
  assert.deepEqual(await send([third, one, two, one]), [
    "250",
    "250",
    "452 4.5.3",
    "250",
    "250 2.0.0",
  ]);
  assert.deepEqual(await send([two, third]), ["552 5.2.2", "250", "250 2.0.0"]);
  assert.deepEqual(await subjects(test, other), ["Hello"]);
});

Deno.test("without a declared size an account whose storage may not take the message is alone", async () => {
  await using talk = await setup({ free: { storageBytes: 3_000, maxEmailBytes: 2_000 } });
  const { test, send } = talk;
  const [full, other] = [await account(test, "free"), await account(test, "free")];
  const [one, two] = [await mailbox(test, full), await mailbox(test, other)]
    .map((each) => each.email_address);
  await deliver(test, one, message({}, "x".repeat(1_500)));
  const text = message({ Subject: "large" }, "x".repeat(1_700));
  assert.deepEqual(await send([two, one], { text }), ["250", "452 4.5.3", "250 2.0.0"]);
  assert.deepEqual(await send([one, two], { text }), ["250", "452 4.5.3", "552 5.2.2"]);
  assert.deepEqual(await send([one]), ["250", "250 2.0.0"]);
  assert.deepEqual(await subjects(test, other), ["large"]);
});

// SPEC: inbound.smtp_mixed
Deno.test("if a recipient cannot take it any more after RCPT, the reply is 451, and the next try tells which", async () => {
  await using talk = await setup({ free: { emailsPerDay: 1 } });
  const { test, send } = talk;
  const [owner, free] = [await account(test), await account(test, "free")];
  const [kept, gone] = [await mailbox(test, owner), await mailbox(test, owner)];
  const quota = await mailbox(test, free);
  const [a, b, c] = [kept, gone, quota].map((each) => each.email_address);
  const meanwhile = async () => {
    const { status } = await test.request(`/v1/api/mailboxes/${gone.mailbox_id}`, {
      ...{ method: "DELETE", token: owner.key },
      json: { confirm_email_address: b },
    });
    assert.equal(status, 200);
    await deliver(test, c, "another");
  };
  const size = 300;
  assert.deepEqual(await send([a, b, c], { meanwhile, size }), ["250", "250", "250", "451 4.2.0"]);
  assert.deepEqual(await send([a, b, c], { size }), [
    ...["250", "550 5.1.1", "552 5.2.2", "250 2.0.0"],
  ]);
  assert.deepEqual(await subjects(test, owner), ["Hello"]);
});

Deno.test("after 1,000 refused recipients of any kind a connection ends with 421", async () => {
  await using talk = await setup();
  const { test, send } = talk;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await setPolicy(test, owner, box.mailbox_id, { block_senders: ["@spam.example"] });
  const replies = await send(Array(1_001).fill(box.email_address), { from: "x@spam.example" });
  assert.deepEqual(replies, [...Array(1_000).fill("550 5.7.1"), "421 4.7.0"]);
  const answer = await test.request("/v1/api/arrivals?limit=100", { token: owner.key });
  const rows: { count: number }[] = (await answer.json()).data;
  assert.equal(Math.max(...rows.map(({ count }) => count)), 901);
});
