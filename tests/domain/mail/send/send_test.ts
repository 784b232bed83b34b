import assert from "node:assert/strict";
import { createDkimKey } from "../../../../mime/compose/dkim.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { dkimVerdict } from "../../../mime/compose/dkim_verdict.ts";
import { post, send, shown, storedMail } from "./sending.ts";

// SPEC: emails.send, send.answer
Deno.test("send answers 201 with the record, and the mail is listed, readable and counted", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { status, body } = await post(test, owner, "/v1/api/emails/send", {
    mailbox_id: box.mailbox_id,
    to: ["Ann <ann@one.example>", "bo@two.example"],
    cc: "cy@three.example",
    bcc: "di@four.example",
    reply_to: "desk@one.example",
    subject: "Angebot über 5 €",
    body_text: "Guten Tag",
    attachments: [{ filename: "a.txt", content_type: "text/plain", content: "aGk=" }],
  });
  assert.equal(status, 201);
  const { email_id, thread_id } = body.data;
  assert.deepEqual(body, {
    success: true,
    data: {
      email_id,
      message_id: `<${email_id}@agents.test>`,
      thread_id,
      mailbox_id: box.mailbox_id,
      status: "stored",
      from: box.email_address,
      to: ["ann@one.example", "bo@two.example"],
      cc: ["cy@three.example"],
      subject: "Angebot über 5 €",
      created_at: "2026-11-20T10:00:00.000Z",
    },
  });
  await test.settle();
  const email = await shown(test, owner, `/v1/api/emails/${email_id}`);
  assert.equal(email.direction, "outbound");
  assert.equal(email.status, "stored");
  assert.equal(email.body_text.trim(), "Guten Tag");
  assert.deepEqual(email.bcc, ["di@four.example"]);
  assert.deepEqual(email.reply_to, ["desk@one.example"]);
  assert.equal(email.has_attachments, true);
  assert.deepEqual(
    email.delivery.map((one: { recipient: string; status: string }) => [one.recipient, one.status]),
    [
      ["ann@one.example", "stored"],
      ["bo@two.example", "stored"],
      ["cy@three.example", "stored"],
      ["di@four.example", "stored"],
    ],
  );
  const list = await shown(test, owner, "/v1/api/emails?direction=outbound");
  assert.deepEqual(list.map((row: { email_id: string }) => row.email_id), [email_id]);
  const { raw, mail } = await storedMail(test, owner, email_id);
  assert.equal(mail.subject, "Angebot über 5 €");
  assert.equal(mail.messageId, `<${email_id}@agents.test>`);
  assert.doesNotMatch(new TextDecoder().decode(raw), /di@four/);
  assert.equal(await test.service.database.get(keys.storage(owner.userId)), raw.length);
});

Deno.test("a send from an own address goes out from its mailbox, with the given name", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const sent = await send(test, owner, {
    from: `Shop Agent <${box.email_address.toUpperCase()}>`,
    to: "ann@one.example",
    body_text: "hi",
  });
  assert.equal(sent.mailbox_id, box.mailbox_id);
  const { mail } = await storedMail(test, owner, sent.email_id);
  assert.deepEqual(mail.from, { name: "Shop Agent", address: box.email_address });
});

Deno.test("a send from an unknown, foreign or deleted mailbox is 404, named by id or by address", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const [own, foreign] = [await mailbox(test, owner), await mailbox(test, other)];
  for (
    const sender of [
      { mailbox_id: foreign.mailbox_id },
      { mailbox_id: crypto.randomUUID() },
      { from: foreign.email_address },
      { from: "nobody@agents.test" },
      { from: "someone@elsewhere.example" },
      { mailbox_id: foreign.mailbox_id, from: own.email_address },
    ]
  ) {
    const { status, body } = await post(test, owner, "/v1/api/emails/send", {
      ...sender,
      to: "ann@one.example",
      body_text: "hi",
    });
    assert.deepEqual([status, body.error.code], [404, "NOT_FOUND"], JSON.stringify(sender));
  }
  const contradiction = await post(test, owner, "/v1/api/emails/send", {
    mailbox_id: own.mailbox_id,
    from: foreign.email_address,
    to: "ann@one.example",
    body_text: "hi",
  });
  assert.deepEqual(contradiction.body.error, {
    code: "VALIDATION_ERROR",
    message: "from is not the address of mailbox_id",
    details: { from: "from is not the address of mailbox_id" },
  });
  assert.deepEqual(await shown(test, owner, "/v1/api/emails"), []);
});

// SPEC: send.local, mailbox.plus_tag
Deno.test("a send to mailboxes of the service delivers to each once, tags and hidden copies included", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const [from, to, hidden] = [
    await mailbox(test, owner),
    await mailbox(test, owner),
    await mailbox(test, other),
  ];
  const [local, domain] = to.email_address.split("@");
  const sent = await send(test, owner, {
    mailbox_id: from.mailbox_id,
    to: [`${local}+orders@${domain}`, "ann@one.example"],
    bcc: hidden.email_address,
    subject: "Hello",
    body_text: "hi",
  });
  assert.equal(sent.status, "queued");
  await test.settle();
  assert.equal((await shown(test, owner, `/v1/api/emails/${sent.email_id}`)).status, "stored");
  const rows = await shown(test, owner, `/v1/api/emails?mailbox_id=${to.mailbox_id}`);
  assert.equal(rows.length, 1);
  assert.equal(rows[0].direction, "inbound");
  assert.equal(rows[0].message_id, sent.message_id);
  assert.equal(rows[0].thread_id, sent.thread_id);
  const foreign = await shown(test, other, "/v1/api/emails");
  assert.equal(foreign.length, 1);
  assert.notEqual(foreign[0].thread_id, sent.thread_id);
  assert.equal((await shown(test, other, `/v1/api/emails/${foreign[0].email_id}`)).bcc.length, 0);
});

Deno.test("a refusal of a mailbox of the service fails that recipient permanently and no other", async () => {
  await using test = await testService({ plans: { free: { emailsPerDay: 0 } } });
  const [owner, poor] = [await account(test), await account(test, "free")];
  const [from, to, full] = [
    await mailbox(test, owner),
    await mailbox(test, owner),
    await mailbox(test, poor),
  ];
  const sent = await send(test, owner, {
    mailbox_id: from.mailbox_id,
    to: [to.email_address, full.email_address],
    body_text: "hi",
  });
  await test.settle();
  const email = await shown(test, owner, `/v1/api/emails/${sent.email_id}`);
  assert.equal(email.status, "partial");
  assert.deepEqual(email.delivery, [
    {
      recipient: to.email_address,
      status: "sent",
      response: "delivered to a mailbox of this service",
    },
    {
      recipient: full.email_address,
      status: "failed",
      response: "552 5.2.2 the recipient's quota is used up",
    },
  ]);
});

// SPEC: send.quota
Deno.test("a send over the plan's sends a day is 403 with limit and used, exactly at the limit", async () => {
  await using test = await testService({
    plans: { free: { sendsPerDay: 3, requestsPerMinute: null } },
  });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const input = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "hi" };
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => post(test, owner, "/v1/api/emails/send", input)),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(answers.length - refused.length, 3);
  for (const { status, body } of refused) {
    assert.equal(status, 403);
    assert.equal(body.error.code, "FORBIDDEN");
    assert.deepEqual(body.error.details, { limit: 3, used: 3, plan: "free" });
  }
  assert.equal((await shown(test, owner, "/v1/api/emails")).length, 3);
  await test.advance(86_400_000);
  await send(test, owner, input);
});

Deno.test("a send over the plan's size is 413, and stores nothing", async () => {
  await using test = await testService({ plans: { enterprise: { maxEmailBytes: 200_000 } } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { status, body } = await post(test, owner, "/v1/api/emails/send", {
    mailbox_id: box.mailbox_id,
    to: "ann@one.example",
    body_text: "hi",
    attachments: [{ filename: "a", content: new Uint8Array(200_000).toBase64() }],
  });
  assert.deepEqual([status, body.error.code], [413, "EMAIL_TOO_LARGE"]);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] })), []);
});

// SPEC: send.unverified_domain
Deno.test("a custom domain can send once it is verified, and no longer after it lapsed", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const stored = await test.service.database.get<Record<string, unknown>>(
    keys.mailbox(owner.userId, box.mailbox_id),
  );
  await test.service.database.transact((tx) =>
    tx.set(keys.mailbox(owner.userId, box.mailbox_id), {
      ...stored,
      address: "agent@shop.example",
      domain: "shop.example",
    })
  );
  const input = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "hi" };
  const refused = {
    code: "DOMAIN_NOT_ALLOWED",
    message: "The mailbox's domain is not verified.",
    details: { domain: "shop.example", plan: "enterprise" },
  };
  const attempt = async (userId: string | null) => {
    await test.service.database.transact((tx) => {
      if (userId) tx.set(keys.customDomainVerified("shop.example"), { userId, domainId: "h1" });
      else tx.delete(keys.customDomainVerified("shop.example"));
    });
    return await post(test, owner, "/v1/api/emails/send", input);
  };
  assert.deepEqual((await attempt(null)).body.error, refused);
  assert.deepEqual((await attempt("somebody-else")).body.error, refused);
  assert.equal((await attempt(owner.userId)).status, 201);
  const lost = await attempt(null);
  assert.deepEqual([lost.status, lost.body.error], [422, refused]);
});

// SPEC: send.idempotency
Deno.test("the same idempotency key sends once, 50 times at once and over 24 hours", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, to] = [await mailbox(test, owner), await mailbox(test, owner)];
  const input = {
    mailbox_id: box.mailbox_id,
    to: to.email_address,
    body_text: "hi",
    idempotency_key: "order-17",
  };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(test, owner, "/v1/api/emails/send", input)),
  );
  await test.settle();
  const [first] = answers;
  assert.equal(first.status, 201);
  for (const { status, body } of answers) assert.deepEqual([status, body], [201, first.body]);
  const count = async () => {
    const inbox = await shown(test, owner, `/v1/api/emails?mailbox_id=${to.mailbox_id}`);
    const all = await shown(test, owner, "/v1/api/emails");
    return [inbox.length, all.length];
  };
  assert.deepEqual(await count(), [1, 2]);

  // The same key in the header; the order of the fields does not matter.
  const { idempotency_key, ...rest } = input;
  const reordered = Object.fromEntries(Object.entries(rest).reverse());
  const byHeader = await post(test, owner, "/v1/api/emails/send", reordered, {
    "Idempotency-Key": idempotency_key,
  });
  assert.deepEqual(byHeader.body, first.body);

  for (const change of [{ body_text: "ho" }, { subject: "x" }, { cc: "ann@one.example" }]) {
    const { status, body } = await post(test, owner, "/v1/api/emails/send", {
      ...input,
      ...change,
    });
    assert.deepEqual([status, body.error.code], [409, "CONFLICT"]);
  }
  await test.advance(86_400_000 - 1);
  assert.deepEqual((await post(test, owner, "/v1/api/emails/send", input)).body, first.body);
  assert.deepEqual(await count(), [1, 2]);
  await test.advance(1);
  assert.notDeepEqual((await post(test, owner, "/v1/api/emails/send", input)).body, first.body);
});

Deno.test("a key that differs between header and body is 400, and a refused send keeps no key", async () => {
  await using test = await testService({
    plans: { free: { sendsPerDay: 0, requestsPerMinute: null } },
  });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const input = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "hi" };
  const differing = await post(
    test,
    owner,
    "/v1/api/emails/send",
    { ...input, idempotency_key: "a" },
    { "Idempotency-Key": "b" },
  );
  assert.equal(differing.status, 400);
  assert.deepEqual(Object.keys(differing.body.error.details), ["idempotency_key"]);
  for (let i = 0; i < 2; i++) {
    const refused = await post(test, owner, "/v1/api/emails/send", {
      ...input,
      idempotency_key: "a",
    });
    assert.equal(refused.status, 403);
  }
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["idempotency"] })), []);
});

// SPEC: send.injection
Deno.test("header injection is 400 naming the field, and nothing is stored", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (
    const [field, value] of [
      ["subject", "Hello\r\nBcc: eve@evil.example"],
      ["to", "ann@one.example\nBcc: eve@evil.example"],
      ["reply_to", "Ann\r <ann@one.example>"],
    ]
  ) {
    const { status, body } = await post(test, owner, "/v1/api/emails/send", {
      mailbox_id: box.mailbox_id,
      to: "ann@one.example",
      body_text: "hi",
      [field]: value,
    });
    assert.deepEqual(
      [status, body.error.code, Object.keys(body.error.details)],
      [400, "VALIDATION_ERROR", [field]],
    );
  }
  assert.deepEqual(await shown(test, owner, "/v1/api/emails"), []);
});

// SPEC: key.scopes, key.mailbox_ids
Deno.test("a key without emails:send, or limited to other mailboxes, cannot send", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [one, two] = [await mailbox(test, owner), await mailbox(test, owner)];
  const keyWith = async (limits: Record<string, unknown>) => {
    const answer = await test.request("/v1/api/keys", {
      json: { name: "limited", ...limits },
      token: owner.accessToken,
    });
    return { ...owner, key: (await answer.json()).data.apiKey };
  };
  const input = { mailbox_id: one.mailbox_id, to: "ann@one.example", body_text: "hi" };
  const reader = await keyWith({ scopes: ["emails:read"] });
  const unscoped = await post(test, reader, "/v1/api/emails/send", input);
  assert.equal(unscoped.status, 403);
  assert.deepEqual(unscoped.body.error.details, { required_scope: "emails:send" });
  const elsewhere = await keyWith({ mailboxIds: [two.mailbox_id] });
  assert.equal((await post(test, elsewhere, "/v1/api/emails/send", input)).status, 404);
  const received = await deliver(test, one.email_address, message());
  const path = `/v1/api/emails/${received.email_id}/reply`;
  assert.equal((await post(test, elsewhere, path, { body_text: "hi" })).status, 404);
});

// SPEC: send.dkim
Deno.test("mail of a custom domain with a key is signed, as stored and as delivered", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, to] = [await mailbox(test, owner), await mailbox(test, owner)];
  const stored = await test.service.database.get<Record<string, unknown>>(
    keys.mailbox(owner.userId, box.mailbox_id),
  );
  const key = await createDkimKey();
  await test.service.database.transact((tx) => {
    tx.set(keys.mailbox(owner.userId, box.mailbox_id), {
      ...stored,
      address: "agent@shop.example",
      domain: "shop.example",
    });
    tx.set(keys.customDomainVerified("shop.example"), { userId: owner.userId, domainId: "h1" });
    tx.set(keys.dkimKey(owner.userId, "h1"), key);
  });
  const sent = await send(test, owner, {
    mailbox_id: box.mailbox_id,
    to: to.email_address,
    subject: "Grüße",
    body_text: "hi\n\n",
  });
  await test.settle();
  const [received] = await shown(test, owner, `/v1/api/emails?mailbox_id=${to.mailbox_id}`);
  const signed = { domain: "shop.example", body: true, signature: true };
  for (const emailId of [sent.email_id, received.email_id]) {
    const { raw } = await storedMail(test, owner, emailId);
    assert.deepEqual(dkimVerdict(key, new TextDecoder("latin1").decode(raw)), signed);
  }
  const unsigned = await send(test, owner, {
    mailbox_id: to.mailbox_id,
    to: "ann@one.example",
    body_text: "hi",
  });
  const { raw } = await storedMail(test, owner, unsigned.email_id);
  assert.doesNotMatch(new TextDecoder("latin1").decode(raw), /dkim-signature/i);
});
