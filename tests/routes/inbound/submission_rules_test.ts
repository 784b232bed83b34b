import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { suppress } from "../../../domain/mail/record/addresses/suppressions.ts";
import { createDkimKey } from "../../../mime/compose/dkim.ts";
import { dkimVerdict } from "../../mime/compose/dkim_verdict.ts";
import { data, testService } from "../../service.ts";
import { connect } from "../oauth/connect.ts";
import { SmtpTalk } from "./smtp_talk.ts";
import { submitting, transaction } from "./submission.ts";

Deno.test("a suppressed recipient is 550 5.1.1 at RCPT, for that recipient alone", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  await test.service.database.transact((tx) =>
    suppress(tx, owner.userId, {
      ...{ address: "gone@example.net", status: "5.1.1", emailId: "e1", createdAt: 0 },
      mailboxId: box.mailbox_id,
    })
  );
  const { talk } = await smtp.talk();
  using _ = talk;
  await talk.say(`MAIL FROM:<${box.email_address}>`);
  assert.match(await talk.say("RCPT TO:<gone@example.net>"), /^550 5\.1\.1 /);
  assert.match(await talk.say("RCPT TO:<ada@example.net>"), /^250 /);
  await talk.say("DATA");
  const lines = [`From: ${box.email_address}`, "To: gone@example.net", "", "Hello.", "."];
  assert.match(await talk.say(lines.join("\r\n")), /^250 2\.6\.0 taken/);
});

Deno.test("a submitted message of a domain with a key is signed, with all of its bytes", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const key = await createDkimKey();
  const row = keys.mailbox(owner.userId, box.mailbox_id);
  const address = "agent@shop.example";
  const stored = await test.service.database.get<Record<string, unknown>>(row);
  await test.service.database.transact((tx) => {
    tx.set(row, { ...stored, address, domain: "shop.example" });
    tx.set(keys.mailboxByAddress(address), { userId: owner.userId, mailboxId: box.mailbox_id });
    tx.set(keys.customDomainVerified("shop.example"), { userId: owner.userId, domainId: "h1" });
    tx.set(keys.dkimKey(owner.userId, "h1"), key);
  });
  const { talk } = await smtp.talk({ user: address, pass: owner.key });
  using _ = talk;
  const reply = await transaction(talk, address, ["ada@example.net"], [
    ...[`From: ${address}`, "To: ada@example.net", "", "..dot", "end"],
  ]);
  assert.match(reply, /^250 2\.6\.0/);
  const [{ email_id }] = await smtp.emails();
  const raw = await smtp.raw(email_id);
  assert.deepEqual(dkimVerdict(key, raw), {
    domain: "shop.example",
    body: true,
    signature: true,
  });
  assert.ok(raw.endsWith("\r\n\r\n.dot\r\nend\r\n"));
});

Deno.test("sessions that send the same message at once give each recipient one, and refuse other bytes", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const from = smtp.box.email_address;
  const talks = await Promise.all(Array.from({ length: 6 }, () => smtp.talk()));
  const say = (to: (n: number) => string[], id: string, body: (n: number) => string) =>
    Promise.all(
      talks.map(({ talk }, n) =>
        transaction(talk, from, to(n), [
          `From: ${from}`,
          `Message-ID: <${id}@a.example>`,
          "",
          body(n),
        ])
      ),
    );
  await say((n) => ["ada@example.net", `b${n % 3}@example.net`], "same", () => "Hello.");
  const sent: string[] = [];
  for (const { email_id } of await smtp.emails()) {
    const { bcc } = await data(
      test.request(`/v1/api/emails/${email_id}`, { token: smtp.owner.key }),
    );
    sent.push(...bcc);
  }
  const once = ["ada", "b0", "b1", "b2"].map((local) => `${local}@example.net`);
  assert.deepEqual(sent.sort(), once);
  const replies = await say(() => ["ada@example.net"], "other", (n) => `Hello ${n}.`);
  for (const { talk } of talks) talk[Symbol.dispose]();
  assert.deepEqual(replies.map((reply) => reply.slice(0, 9)).sort(), [
    ...["250 2.6.0", "554 5.6.0", "554 5.6.0", "554 5.6.0", "554 5.6.0", "554 5.6.0"],
  ]);
});

Deno.test("an account that is not confirmed, and a domain that is not verified any more, are 550 5.7.1", async () => {
  await using test = await testService({ env: { EMAIL_VERIFICATION: "required" } });
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const from = box.email_address;
  const user = keys.user(owner.userId), member = keys.member(owner.userId, owner.userId);
  await test.service.database.transact(async (tx) => {
    tx.set(user, { ...await tx.get<object>(user), emailUnverified: true });
    tx.set(member, { ...await tx.get<object>(member), isConfirmed: false });
  });
  const { talk } = await smtp.talk();
  using _ = talk;
  await talk.say(`MAIL FROM:<${from}>`);
  assert.match(
    await talk.say("RCPT TO:<ada@example.net>"),
    /^550 5\.7\.1 Confirm the account's email/,
  );
  assert.match(await talk.say(`RCPT TO:<${from}>`), /^250 /, "its own mailbox");
  const row = keys.mailbox(owner.userId, box.mailbox_id), address = "agent@lost.example";
  await test.service.database.transact(async (tx) => {
    tx.set(row, { ...await tx.get<object>(row), address, domain: "lost.example" });
    tx.set(keys.mailboxByAddress(address), { userId: owner.userId, mailboxId: box.mailbox_id });
    tx.set(user, { ...await tx.get<object>(user), emailUnverified: false });
    tx.set(member, { ...await tx.get<object>(member), isConfirmed: true });
  });
  const other = await smtp.talk({ user: address, pass: owner.key });
  using _other = other.talk;
  const reply = await transaction(other.talk, address, ["ada@example.net"], [
    `From: ${address}`,
    "",
    "x",
  ]);
  assert.match(reply, /^550 5\.7\.1 /);
});

Deno.test("without a certificate AUTH PLAIN and LOGIN are offered at once", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  using talk = await SmtpTalk.connect(smtp.port);
  const offered = await talk.say("EHLO client.example");
  assert.match(offered, /AUTH PLAIN LOGIN/);
  assert.doesNotMatch(offered, /STARTTLS/);
});

Deno.test("a message is one request of the account, and without one left it is 451 4.7.1", async () => {
  await using test = await testService({ plans: { free: { requestsPerMinute: 3 } } });
  await using smtp = await submitting(test, { plan: "free" });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  const replies: string[] = [];
  for (let n = 0; n < 4; n++) {
    const reply = await transaction(talk, from, ["ada@example.net"], [`From: ${from}`, "", "Hi."]);
    replies.push(reply.slice(0, 9));
  }
  // Its mailbox was the first request.
  assert.deepEqual(replies, ["250 2.6.0", "250 2.6.0", "451 4.7.1", "451 4.7.1"]);
});

Deno.test("a quota of the plan that is used up is 452 4.7.1, and the window of a request is not touched", async () => {
  const plans = { free: { sendsPerDay: 2, requestsPerMinute: null, requestsPerHour: null } };
  await using test = await testService({ plans });
  await using smtp = await submitting(test, { plan: "free" });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  const replies: string[] = [];
  for (let n = 0; n < 4; n++) {
    replies.push(
      await transaction(talk, from, [`a${n}@example.net`], [`From: ${from}`, "", "Hi."]),
    );
  }
  const codes = replies.map((reply) => reply.slice(0, 9));
  assert.deepEqual(codes, ["250 2.6.0", "250 2.6.0", "452 4.7.1", "452 4.7.1"]);
  assert.equal((await smtp.emails()).length, 2);
});

Deno.test("a domain that is not ASCII may be written in both forms, and no other spelling of it counts", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const domain = "xn--mnchen-3ya.example", address = `agent@${domain}`;
  const row = keys.mailbox(owner.userId, box.mailbox_id);
  const stored = await test.service.database.get<Record<string, unknown>>(row);
  await test.service.database.transact((tx) => {
    tx.set(row, { ...stored, address, domain });
    tx.set(keys.mailboxByAddress(address), { userId: owner.userId, mailboxId: box.mailbox_id });
    tx.set(keys.customDomainVerified(domain), { userId: owner.userId, domainId: "h1" });
  });
  const written = "agent@m\u00fcnchen.example";
  const { talk } = await smtp.talk({ user: address, pass: owner.key });
  using _ = talk;
  for (const [path, from] of [[address, address], [written, written], [address, written]]) {
    const to = "ada@m\u00fcnchen.example";
    const reply = await transaction(talk, path, [to], [`From: ${from}`, `To: ${to}`, "", "Hi."]);
    assert.match(reply, /^250 2\.6\.0 taken/, `${path} ${from}`);
  }
  const [{ email_id }] = await smtp.emails();
  const full = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
  assert.deepEqual([full.to, full.bcc], [["ada@xn--mnchen-3ya.example"], []]);
  for (const from of ["agent@\uff4d\u00fcnchen.example", "\u212agent@xn--mnchen-3ya.example"]) {
    const reply = await transaction(talk, address, ["ada@example.net"], [
      `From: ${from}`,
      "",
      "Hi.",
    ]);
    assert.match(reply, /^553 5\.7\.1 /, from);
  }
});

Deno.test("From is refused where readers see different authors, and not for its name, comment or group", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const me = smtp.box.email_address, other = "boss@bank.example";
  const say = async (from: string) =>
    (await transaction(talk, me, ["ada@example.net"], [`From: ${from}`, "", "Hi."])).slice(0, 9);
  for (
    const from of [
      ...[`<${me}> <${other}>`, `<${me}> ${other}`, `${me} ${other}`, `<${other}> <${me}>`],
      ...[`"${me}" <${other}>`, `Team: ${me}, ${other};`, `<${me}`, `${me}\r\n\t<${other}>`],
      ...[`${me}; ${other}`, `"${"x".repeat(2_000)}" <${me}>`],
    ]
  ) assert.equal(await say(from), "553 5.7.1", from);
  for (
    const from of [
      ...[me, `<${me}>`, `A B <${me}>`, `"B, A <x@y.example>" <${me}>`, `${me} (of Example)`],
      ...[`=?utf-8?q?Gr=C3=BC=C3=9Fe=2C?= <${me}>`, `J\u00fcrgen <${me}>`, `Team: ${me};`],
      ...[`Ann (Sales) <${me}> (x@y.example)`, `A\r\n <${me}>`, me.toUpperCase()],
    ]
  ) assert.equal(await say(from), "250 2.6.0", from);
});

Deno.test("a field of which readers take different ones is 550 5.6.0 if it stands twice", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  for (
    const [one, other] of [
      ["Content-Type: text/plain", "content-type : text/html"],
      ["Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: base64"],
      ["In-Reply-To: <a@b.example>", "IN-REPLY-TO: <c@b.example>"],
      ["Sender: a@b.example", "Sender: c@b.example"],
      ["Reply-To: a@b.example", "Reply-to: c@b.example"],
    ]
  ) {
    const lines = [`From: ${from}`, one, other, "", "aGk="];
    assert.match(await transaction(talk, from, ["ada@example.net"], lines), /^550 5\.6\.0 /, one);
  }
});

Deno.test("an app logs in with its token if it may send from the mailbox", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const { access_token: pass } = await connect(test, owner, { mailboxIds: [box.mailbox_id] });
  const { talk, reply } = await smtp.talk({ user: box.email_address, pass });
  talk[Symbol.dispose]();
  assert.match(reply, /^235 /);
});

Deno.test("a mailbox's name and signature are not added to what a program wrote", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "PATCH", token: owner.key },
    json: { display_name: "Shop", signature: "Bye" },
  });
  await smtp.send({ to: "ada@example.net", text: "Hello." });
  const [{ email_id }] = await smtp.emails();
  assert.doesNotMatch(await smtp.raw(email_id), /Shop|Bye/);
});
