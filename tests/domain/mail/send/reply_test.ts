import assert from "node:assert/strict";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestAccount,
  testService,
} from "../../../service.ts";
import { post, reply, send, shown, storedMail } from "./sending.ts";

// SPEC: emails.reply, reply.headers
Deno.test("a reply between mailboxes of the service is in the thread on both sides", async () => {
  await using test = await testService();
  const [ann, bo] = [await account(test), await account(test)];
  const [annBox, boBox] = [await mailbox(test, ann), await mailbox(test, bo)];
  const first = await send(test, ann, {
    mailbox_id: annBox.mailbox_id,
    to: boBox.email_address,
    subject: "Offer",
    body_text: "10 EUR?",
  });
  await test.settle();
  const [received] = await shown(test, bo, "/v1/api/emails");
  const answer = await reply(test, bo, received.email_id, { body_text: "Yes." });
  await test.settle();
  assert.deepEqual(
    [answer.to, answer.subject, answer.mailbox_id, answer.thread_id],
    [[annBox.email_address], "Re: Offer", boBox.mailbox_id, received.thread_id],
  );
  const { mail } = await storedMail(test, bo, answer.email_id);
  assert.equal(mail.inReplyTo, first.message_id);
  assert.equal(mail.references, first.message_id);

  // Ann replies to the reply.
  const [back] = await shown(test, ann, "/v1/api/emails?direction=inbound");
  assert.deepEqual([back.thread_id, back.from], [first.thread_id, boBox.email_address]);
  const third = await reply(test, ann, back.email_id, { body_text: "Deal." });
  await test.settle();
  assert.equal(third.subject, "Re: Offer");
  for (const [owner, threadId] of [[ann, first.thread_id], [bo, received.thread_id]] as const) {
    const { thread } = await shown(test, owner, `/v1/api/threads/${threadId}`);
    assert.deepEqual(thread.map((one: { subject: string }) => one.subject), [
      "Offer",
      "Re: Offer",
      "Re: Offer",
    ]);
  }
  const last = await storedMail(test, ann, third.email_id);
  assert.equal(last.mail.references, `${first.message_id} ${answer.message_id}`);
});

// SPEC: reply.headers, reply.all, reply.own_mail
Deno.test("a reply to received mail goes to Reply-To, reply-all to everybody but own addresses", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, second] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({
      "Message-ID": "<m1@one.example>",
      References: "<m0@one.example>",
      From: "Ann <ann@one.example>",
      "Reply-To": "desk@one.example",
      To: `${box.email_address}, Bo <bo@two.example>`,
      Cc: `${second.email_address}, cy@three.example`,
      Subject: "AW: Offer",
    }),
  );
  const one = await reply(test, owner, email_id, { body_html: "<p>ok</p>" });
  assert.deepEqual([one.to, one.cc, one.subject], [["desk@one.example"], [], "Re: Offer"]);
  const all = await reply(test, owner, email_id, {
    body_text: "ok",
    reply_all: true,
    bcc: "boss@agents.example",
  });
  assert.deepEqual([all.to, all.cc], [
    ["desk@one.example"],
    ["bo@two.example", "cy@three.example"],
  ]);
  const { mail } = await storedMail(test, owner, all.email_id);
  assert.equal(mail.references, "<m0@one.example> <m1@one.example>");
  assert.equal(mail.inReplyTo, "<m1@one.example>");
  // A reply to sent mail goes to its recipients.
  const more = await reply(test, owner, all.email_id, { body_text: "and", reply_all: true });
  assert.deepEqual([more.to, more.cc, more.thread_id], [all.to, all.cc, one.thread_id]);
});

Deno.test("reply-all leaves out former addresses and deleted mailboxes of the account", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const [box, second] = [await mailbox(test, owner), await mailbox(test, owner)];
  const [foreign, gone] = [await mailbox(test, other), await mailbox(test, other)];
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({
      From: "ann@one.example",
      To: `${box.email_address}, ${second.email_address}`,
      Cc: `bo@two.example, ${foreign.email_address}, ${gone.email_address}`,
    }),
  );
  type Box = typeof box;
  const change = async (who: TestAccount, { mailbox_id }: Box, method: string, json: unknown) => {
    const path = `/api/mailboxes/${mailbox_id}`;
    const answer = await test.request(path, { method, json, token: who.accessToken });
    assert.equal(answer.status, 200);
  };
  const remove = (who: TestAccount, gone: Box) =>
    change(who, gone, "DELETE", { confirm_email_address: gone.email_address });
  await change(owner, box, "PATCH", { local_part: "new-name", domain: "agents.test" });
  await remove(owner, second);
  await remove(other, gone);
  const all = await reply(test, owner, email_id, { body_text: "ok", reply_all: true });
  assert.deepEqual([all.from, all.to, all.cc], [
    "new-name@agents.test",
    ["ann@one.example"],
    ["bo@two.example", foreign.email_address, gone.email_address],
  ]);
});

Deno.test("a reply to mail without Message-ID stays in its thread", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const parent = await shown(test, owner, `/v1/api/emails/${email_id}`);
  const answer = await reply(test, owner, email_id, { body_text: "ok" });
  assert.equal(answer.thread_id, parent.thread_id);
});

// SPEC: emails.get_404
Deno.test("a reply is 404 for an email that is unknown or foreign", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const box = await mailbox(test, other);
  const { email_id } = await deliver(test, box.email_address, message());
  for (const id of [email_id, crypto.randomUUID()]) {
    const { status, body } = await post(test, owner, `/v1/api/emails/${id}/reply`, {
      body_text: "hi",
    });
    assert.deepEqual([status, body.error.code], [404, "NOT_FOUND"]);
  }
});

// SPEC: reply.automatic
Deno.test("a reply to a bounce, and to mail that went through 51 hosts, is refused", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const hops = Array.from({ length: 51 }, (_, n) => `Received: by ${n}.example\r\n`).join("");
  const refused = [
    await deliver(test, box.email_address, message(), { "x-envelope-from": "" }),
    await deliver(
      test,
      box.email_address,
      message({
        "Content-Type": "multipart/report; report-type=delivery-status; boundary=b",
      }),
    ),
    await deliver(test, box.email_address, hops + message()),
  ];
  for (const { email_id } of refused) {
    const { status, body } = await post(test, owner, `/v1/api/emails/${email_id}/reply`, {
      body_text: "hi",
    });
    assert.deepEqual(
      [status, body.error.code, Object.keys(body.error.details)],
      [400, "VALIDATION_ERROR", ["email_id"]],
    );
  }
  assert.deepEqual(await shown(test, owner, "/v1/api/emails?direction=outbound"), []);
});

// SPEC: reply.automatic
Deno.test("a reply to automatic mail is marked as automatic, and allowed once an hour in a thread", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const fields = { "Auto-Submitted": "auto-replied", "Message-ID": "<v1@one.example>" };
  const first = await deliver(test, box.email_address, message(fields));
  const answer = await reply(test, owner, first.email_id, {
    body_text: "hi",
    idempotency_key: "k",
  });
  const { mail } = await storedMail(test, owner, answer.email_id);
  assert.equal(
    mail.headers.find(({ key }) => key === "auto-submitted")?.value,
    "auto-replied",
  );
  const next = await deliver(
    test,
    box.email_address,
    message({
      ...fields,
      "Message-ID": "<v2@one.example>",
      "In-Reply-To": answer.message_id,
    }),
  );
  await test.advance(600_000);
  const path = `/v1/api/emails/${next.email_id}/reply`;
  const loop = await post(test, owner, path, { body_text: "hi" });
  assert.deepEqual([loop.status, loop.headers.get("retry-after"), loop.body.error], [429, "3000", {
    code: "RATE_LIMIT_EXCEEDED",
    message:
      "Automatic mail in this thread was answered less than an hour ago; this may be a loop.",
    details: { limit: 1, window: "hour", retry_after: 3000 },
  }]);
  // The same key still gives the first answer, and mail of a person in the thread can be answered.
  const again = await reply(test, owner, first.email_id, {
    body_text: "hi",
    idempotency_key: "k",
  });
  assert.deepEqual(again, answer);
  const person = await deliver(
    test,
    box.email_address,
    message({ "Message-ID": "<p@one.example>", "In-Reply-To": answer.message_id }),
  );
  await reply(test, owner, person.email_id, { body_text: "hi" });
  await test.advance(3_000_000);
  assert.equal((await post(test, owner, path, { body_text: "hi" })).status, 201);
});

Deno.test("a reply within the second of mail without a Date comes after it in the thread", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.advance(500);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.advance(100);
  const answer = await reply(test, owner, email_id, { body_text: "ok" });
  await test.settle();
  const { thread } = await shown(test, owner, `/v1/api/threads/${answer.thread_id}`);
  assert.deepEqual(
    thread.map((one: { email_id: string }) => one.email_id),
    [email_id, answer.email_id],
  );
});
