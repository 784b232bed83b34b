import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";

/** One mailbox, mail into it, sends from it, and the thread of each. */
async function inbox() {
  const test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const token = owner.key;
  return {
    test,
    owner,
    box,
    async take(from: string, fields: Record<string, string> = {}, to = box.email_address) {
      const taken = await deliver(
        test,
        to,
        message({ From: from, To: to, ...fields }, `${Math.random()}\n`),
      );
      assert.equal(taken.disposition, "accepted");
      return taken.email_id as string;
    },
    async send(fields: Record<string, unknown>) {
      const body = { mailbox_id: box.mailbox_id, subject: "Offer", body_text: "Hello", ...fields };
      return await data(test.request("/v1/api/emails/send", { token, json: body }));
    },
    async threadOf(emailId: string): Promise<string> {
      return (await data(test.request(`/v1/api/emails/${emailId}`, { token }))).thread_id;
    },
    async thread(threadId: string): Promise<string[]> {
      const { thread } = await data(test.request(`/v1/api/threads/${threadId}`, { token }));
      return thread.map((each: { email_id: string }) => each.email_id);
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const [bob, carol, eve] = ["bob@example.com", "carol@example.com", "eve@example.net"];

Deno.test("a stranger who knows a Message-ID does not join its thread", async () => {
  await using it = await inbox();
  const parent = await it.take(bob, { "Message-ID": "<p@x>" });
  const forged = [
    await it.take(eve, { References: "<p@x>", "Message-ID": "<e1@x>" }),
    await it.take(eve, { "In-Reply-To": "<p@x>", "Message-ID": "<e2@x>" }),
    await it.take("mallory@example.net", { "Message-ID": "<p@x>" }),
  ];
  const reply = await it.take(bob, { References: "<p@x>" });
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, reply]);
  // The stranger's mails are a separate thread: both name the same id.
  assert.equal(await it.threadOf(forged[0]), await it.threadOf(forged[1]));
  assert.notEqual(await it.threadOf(forged[0]), await it.threadOf(forged[2]));
});

Deno.test("a stranger who names two threads merges them neither with each other nor with her own", async () => {
  await using it = await inbox();
  const one = await it.take(bob, { "Message-ID": "<1@x>" });
  const two = await it.take(carol, { "Message-ID": "<2@x>" });
  await it.take(eve, { References: "<1@x> <2@x>" });
  await it.take(bob, { References: "<1@x> <2@x>" });
  await it.test.settle();
  assert.notEqual(await it.threadOf(one), await it.threadOf(two));
  assert.deepEqual(await it.thread(await it.threadOf(two)), [two]);
});

Deno.test("a message that names the threads of two of its participants merges these and no third", async () => {
  await using it = await inbox();
  const one = await it.take(bob, { "Message-ID": "<1@x>" });
  const two = await it.take(carol, { "Message-ID": "<2@x>" });
  const third = await it.take("dave@example.com", { "Message-ID": "<3@x>" });
  const both = await it.take(bob, { Cc: carol, References: "<1@x> <3@x> <2@x>" });
  await it.test.settle();
  const threadId = await it.threadOf(one);
  for (const each of [two, both]) assert.equal(await it.threadOf(each), threadId);
  assert.notEqual(await it.threadOf(third), threadId);
});

Deno.test("anybody who answers mail of the account joins its thread, and this merges nothing", async () => {
  await using it = await inbox();
  const sent = await it.send({ to: bob });
  const other = await it.take(carol, { "Message-ID": "<c@x>" });
  const forwarded = await it.take("assistant@example.org", {
    References: `<c@x> ${sent.message_id}`,
  });
  assert.equal(await it.threadOf(forwarded), sent.thread_id);
  assert.notEqual(await it.threadOf(other), sent.thread_id);
});

Deno.test("if a stranger used an id first, the mail of its owner still has its thread", async () => {
  await using it = await inbox();
  for (let n = 0; n < 9; n++) {
    await it.take(`eve${n}@example.net`, {
      "Message-ID": n % 2 ? "<p@x>" : "<e@x>",
      References: "<p@x>",
    });
  }
  const parent = await it.take(bob, { "Message-ID": "<p@x>" });
  const reply = await it.take(bob, { References: "<p@x>", "Message-ID": "<r@x>" });
  const next = await it.take(bob, { References: "<p@x> <r@x>" });
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, reply, next]);
});

for (const early of [0, 1, 4, 9]) {
  Deno.test(`an id that ${early} strangers foresaw and 6 named later still leads to its message`, async () => {
    await using it = await inbox();
    const id = "<owner/repo/issues/5@github.com>";
    const strangers = async (name: string, count: number) => {
      for (let n = 0; n < count; n++) {
        await it.take(`${name}${n}@example.net`, { References: id });
      }
    };
    await strangers("early", early);
    const parent = await it.take(bob, { Cc: carol, "Message-ID": id });
    await strangers("late", 6);
    const reply = await it.take(carol, { "In-Reply-To": id });
    assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, reply]);
  });
}

Deno.test("an id that a reply named before its message leads to that message after strangers named it", async () => {
  await using it = await inbox();
  for (let n = 0; n < 3; n++) await it.take(`early${n}@example.net`, { References: "<p@x>" });
  const reply = await it.take(bob, { Cc: carol, References: "<p@x>" });
  const parent = await it.take(carol, { "Message-ID": "<p@x>" });
  for (let n = 0; n < 6; n++) await it.take(`late${n}@example.net`, { References: "<p@x>" });
  const next = await it.take(carol, { References: "<p@x>" });
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [reply, parent, next]);
});

Deno.test("a parent that arrives after a stranger's reply is a separate thread", async () => {
  await using it = await inbox();
  const early = await it.take(eve, { References: "<p@x>" });
  const reply = await it.take(carol, { Cc: bob, References: "<p@x>" });
  const parent = await it.take(bob, { "Message-ID": "<p@x>" });
  assert.equal(await it.threadOf(reply), await it.threadOf(parent));
  assert.notEqual(await it.threadOf(early), await it.threadOf(parent));
});

Deno.test("the account's own mailboxes do not count as common participants", async () => {
  await using it = await inbox();
  const second = await mailbox(it.test, it.owner);
  const both = { To: `${it.box.email_address}, ${second.email_address}` };
  const parent = await it.take(bob, { ...both, "Message-ID": "<p@x>" });
  const other = await it.take(eve, { ...both, References: "<p@x>" });
  assert.notEqual(await it.threadOf(other), await it.threadOf(parent));
});

Deno.test("by its subject, too, a message joins no thread with which it shares only an own mailbox", async () => {
  await using it = await inbox();
  const second = await mailbox(it.test, it.owner);
  const both = { To: `${it.box.email_address}, ${second.email_address}`, Subject: "offer" };
  const parent = await it.take(bob, both);
  const other = await it.take(eve, { ...both, Subject: "Re: offer" });
  const reply = await it.take(bob, { ...both, Subject: "Re: offer" });
  assert.notEqual(await it.threadOf(other), await it.threadOf(parent));
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, reply]);
});

Deno.test("Reply-To and Cc are participants, in any letter case and with a tag", async () => {
  await using it = await inbox();
  const parent = await it.take("robot@shop.example", {
    "Reply-To": "Help@Shop.example",
    Cc: carol,
    "Message-ID": "<p@x>",
  });
  const help = await it.take("help+42@shop.example", { References: "<p@x>" });
  const copied = await it.take(carol, { References: "<p@x>" });
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, help, copied]);
});

Deno.test("a later participant of a conversation takes part in it, under every id of it", async () => {
  await using it = await inbox();
  const parent = await it.take(bob, { "Message-ID": "<p@x>" });
  const crowd = Array.from({ length: 40 }, (_, n) => `p${n}@example.org`);
  const invited = await it.take(bob, { Cc: crowd.join(",\r\n "), References: "<p@x>" });
  const last = await it.take("p39@example.org", { References: "<p@x>" });
  assert.deepEqual(await it.thread(await it.threadOf(parent)), [parent, invited, last]);
});

Deno.test("a reply of the account is in the thread of the email that it answers, for any References", async () => {
  await using it = await inbox();
  const [token, json] = [it.owner.key, { body_text: "Yes" }];
  const one = await it.take(bob, { "Message-ID": "<1@x>" });
  const strange = await it.take(eve, { "Message-ID": "<1@x>", References: "<1@x> <0@x>" });
  const alone = await it.take(it.box.email_address, { "Reply-To": it.box.email_address });
  for (const parent of [strange, alone]) {
    const path = `/v1/api/emails/${parent}/reply`;
    const reply = await data(it.test.request(path, { token, json }));
    assert.equal(reply.thread_id, await it.threadOf(parent));
  }
  assert.deepEqual(await it.thread(await it.threadOf(one)), [one]);
});
