import assert from "node:assert/strict";
import nodemailer from "nodemailer";
import { account, data, mailbox, testService } from "../../service.ts";
import { SmtpTalk } from "./smtp_talk.ts";
import { plain, submitting, transaction } from "./submission.ts";

function pem(part: string): string {
  return Deno.readTextFileSync(
    new URL(`../../fixtures/tls/hook_test.${part}.pem`, import.meta.url),
  );
}

const tls = { key: pem("key"), cert: pem("cert") };

Deno.test("a message goes out as it came: without Bcc and control fields, with Date and Message-ID", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const from = smtp.box.email_address;
  const { talk } = await smtp.talk();
  using _ = talk;
  const body = ["Content-Type: multipart/mixed; boundary=x", "", "--x", "", "odd =?é", "--x--", ""];
  const reply = await transaction(talk, from, ["ada@example.net", "eve@example.net"], [
    `From: "A  B" <${from}>`,
    "X-Kept:  two  blanks",
    "Bcc: eve@example.net,",
    " more@example.net",
    "X-SMTPAPI: {}",
    "x-mailgun-tag: a",
    "To: ada@example.net",
    "Subject: Hello",
    ...body,
  ]);
  assert.match(reply, /^250 2\.6\.0 taken as [\w-]+$/);
  const [email] = await smtp.emails();
  const raw = await smtp.raw(email.email_id);
  const kept = [
    `From: "A  B" <${from}>`,
    "X-Kept:  two  blanks",
    "To: ada@example.net",
    "Subject: Hello",
    ...body,
  ].join("\r\n");
  assert.match(raw, /^Date: [^\r]+ \+0000\r\nMessage-ID: <[^>]+@agents\.test>\r\n/);
  assert.equal(raw.split("\r\n").slice(2).join("\r\n").trimEnd(), kept.trimEnd());
  const full = await data(
    test.request(`/v1/api/emails/${email.email_id}`, { token: smtp.owner.key }),
  );
  assert.deepEqual([full.subject, full.from, full.from_name], ["Hello", from, "A  B"]);
  assert.deepEqual(full.bcc, ["eve@example.net"]);
  const own = await transaction(talk, from, ["ada@example.net"], [
    `From: ${from}`,
    "Date: Fri, 20 Nov 2026 09:00:00 +0100",
    "Message-ID: <mine@client.example>",
    "",
    "Hello.",
  ]);
  assert.match(own, /^250 2\.6\.0/);
  const [second] = await smtp.emails();
  assert.equal(second.message_id, "<mine@client.example>");
  assert.match(await smtp.raw(second.email_id), /^From: [^\r]+\r\nDate: Fri, 20 Nov 2026 09:00/);
});

Deno.test("the user is a mailbox's address, the password a key with emails:send that sees it", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  const other = await account(test);
  const theirs = await mailbox(test, other);
  const second = await mailbox(test, owner);
  const make = async (limits: Record<string, unknown>) => {
    const answer = await test.request("/v1/api/keys", {
      ...{ token: owner.accessToken, json: { name: "k", ...limits } },
    });
    const { apiKey } = await data(answer);
    assert.ok(apiKey);
    return apiKey as string;
  };
  const reader = await make({ scopes: ["emails:read"] });
  const elsewhere = await make({ scopes: ["emails:send"], mailboxIds: [second.mailbox_id] });
  for (
    const [user, pass] of [
      [box.email_address, "lbx_wrong"],
      [box.email_address, other.key],
      [theirs.email_address, owner.key],
      [box.email_address, owner.accessToken],
      [box.email_address, owner.password],
      [owner.email, owner.password],
      [box.mailbox_id, owner.key],
      ["nobody@agents.test", owner.key],
      [box.email_address, reader],
      [box.email_address, elsewhere],
    ]
  ) {
    const { talk, reply } = await smtp.talk({ user, pass });
    using _ = talk;
    assert.match(reply, /^535 5\.7\.8 /, user);
    assert.match(await talk.say("MAIL FROM:<a@b.example>"), /^530 5\.7\.0 /);
  }
  const right = await smtp.talk({ user: second.email_address.toUpperCase(), pass: owner.key });
  right.talk[Symbol.dispose]();
  assert.match(right.reply, /^235 /);
  using login = await SmtpTalk.connect(smtp.port);
  await login.say("EHLO client.example");
  await login.say("AUTH LOGIN");
  await login.say(btoa(box.email_address));
  assert.match(await login.say(btoa(owner.key)), /^235 /);
});

Deno.test("failures are counted a mailbox and an address, apart from the dashboard's, then 454", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const wrong = { user: smtp.box.email_address, pass: "lbx_wrong" };
  let replies: string[] = [];
  for (let n = 0; n < 25; n++) {
    const { talk, reply } = await smtp.talk(wrong);
    talk[Symbol.dispose]();
    replies = [...replies, reply.slice(0, 9)];
  }
  assert.equal(replies.filter((each) => each === "535 5.7.8").length, 20);
  assert.equal(replies.at(-1), "454 4.7.0");
  const answer = await test.request("/api/auth/login", {
    json: { email: smtp.owner.email, password: smtp.owner.password },
  });
  assert.equal(answer.status, 200);
  await test.advance(16 * 60_000);
  const { talk, reply } = await smtp.talk();
  talk[Symbol.dispose]();
  assert.match(reply, /^235 /);
});

Deno.test("a key that ends ends its sessions", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  assert.match(await talk.say(`MAIL FROM:<${from}>`), /^250 /);
  await test.request(`/v1/api/keys/${smtp.owner.keyId}`, {
    ...{ method: "DELETE", token: smtp.owner.accessToken },
  });
  await test.advance(1_001);
  assert.match(await talk.say("RCPT TO:<ada@example.net>"), /^421 4\.7\.0 /);
  assert.equal(await talk.rest(), "");
});

Deno.test("with a certificate AUTH is offered after STARTTLS alone, and nothing said before it counts", async () => {
  await using test = await testService();
  await using smtp = await submitting(test, { tls });
  using talk = await SmtpTalk.connect(smtp.port);
  const offered = await talk.say("EHLO client.example");
  assert.match(offered, /STARTTLS/);
  assert.doesNotMatch(offered, /AUTH PLAIN/);
  const auth = { user: smtp.box.email_address, pass: smtp.owner.key };
  assert.match(await talk.say(`AUTH PLAIN ${plain(auth)}`), /^538 /);
  const client = nodemailer.createTransport({
    ...{ host: "127.0.0.1", port: smtp.port, auth, requireTLS: true },
    tls: { ca: tls.cert, servername: "hook.test" },
  });
  const sent = await client.sendMail({ from: auth.user, to: "ada@example.net", text: "Hello." });
  client.close();
  assert.match(sent.response, /^250 2\.6\.0/);
  using injected = await Deno.connect({ hostname: "127.0.0.1", port: smtp.port });
  const read = async () => {
    const buffer = new Uint8Array(4_096);
    const count = await injected.read(buffer);
    return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
  };
  const say = (text: string) => injected.write(new TextEncoder().encode(text));
  await read();
  await say("EHLO client.example\r\n");
  await read();
  await say("STARTTLS\r\nEHLO injected.example\r\nAUTH PLAIN AAAA\r\n");
  assert.match(await read(), /^220 [^\n]*\r\n$/);
});

Deno.test("without a certificate it listens on loopback alone", async () => {
  await using test = await testService();
  await using smtp = await submitting(test, { hostname: "0.0.0.0" });
  using _ = await SmtpTalk.connect(smtp.port);
  const own = Deno.networkInterfaces().find((each) =>
    each.family === "IPv4" && !each.address.startsWith("127.")
  );
  if (!own) return;
  await assert.rejects(Deno.connect({ hostname: own.address, port: smtp.port }));
});

Deno.test("the envelope sender and the one From are the mailbox, else 553 5.7.1", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  assert.match(await talk.say("MAIL FROM:<other@agents.test>"), /^553 5\.7\.1 /);
  assert.match(await talk.say("MAIL FROM:<>"), /^553 5\.7\.1 /);
  for (
    const head of [
      ["From: other@agents.test"],
      [`From: ${from}, other@agents.test`],
      [`From: ${from}`, "From: other@agents.test"],
      ["Subject: none"],
    ]
  ) {
    const reply = await transaction(talk, from, ["ada@example.net"], [...head, "", "Hello."]);
    assert.match(reply, /^553 5\.7\.1 /, head.join());
  }
  assert.equal((await smtp.emails()).length, 0);
});

Deno.test("a CR or LF alone, and a header that readers read differently, are 550 5.6.0", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  for (
    const lines of [
      [`From: ${from}`, "", "a\nb"],
      [`From: ${from}`, "", "a\rb"],
      [`From: ${from}\nBcc: eve@example.net`, "", "a"],
      [`From: ${from}`, "no field", "", "a"],
      [`From: ${from}`, "Subject: a", "Subject: b", "", "a"],
    ]
  ) {
    const reply = await transaction(talk, from, ["ada@example.net"], lines);
    assert.match(reply, /^550 5\.6\.0 /, JSON.stringify(lines));
  }
});

Deno.test("a blocked recipient is 550 5.7.1 and a suppressed one 550 5.1.1, each for itself alone", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  await smtp.policy({ block_recipients: ["@blocked.example"] });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  await talk.say(`MAIL FROM:<${from}>`);
  assert.match(await talk.say("RCPT TO:<eve@blocked.example>"), /^550 5\.7\.1 /);
  assert.match(await talk.say("RCPT TO:<ada@example.net>"), /^250 /);
  assert.match(await talk.say("RCPT TO:<no\u00e9@example.net>"), /^5\d\d /);
  await talk.say("DATA");
  const head = [`From: ${from}`, "To: eve@blocked.example, ada@example.net", "", "Hello.", "."];
  assert.match(await talk.say(head.join("\r\n")), /^250 2\.6\.0 taken/);
  const [{ to }] = await smtp.emails();
  assert.deepEqual(to, ["eve@blocked.example", "ada@example.net"]);
  // Answers would go there, and nobody asked at RCPT.
  const answersThere = await transaction(talk, from, ["ada@example.net"], [
    ...[`From: ${from}`, "Mail-Followup-To: eve@blocked.example", "", "Hello."],
  ]);
  assert.match(answersThere, /^550 5\.7\.1 /);
});

Deno.test("the 51st recipient is 452 4.5.3, and the others get the message", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  await talk.say(`MAIL FROM:<${from}>`);
  for (let n = 0; n < 50; n++) {
    assert.match(await talk.say(`RCPT TO:<a${n}@example.net>`), /^250 /);
  }
  assert.match(await talk.say("RCPT TO:<one.more@example.net>"), /^452 4\.5\.3 /);
  await talk.say("DATA");
  assert.match(await talk.say(`From: ${from}\r\n\r\nHello.\r\n.`), /^250 2\.6\.0 /);
});

Deno.test("a quota is 452 4.7.1, a request window 451 4.7.1, a large message 552 5.3.4, a loop 451", async () => {
  const plans = {
    free: { requestsPerMinute: null, requestsPerHour: null, maxEmailBytes: 5_000 },
  };
  await using test = await testService({ plans });
  await using smtp = await submitting(test, { plan: "free" });
  const to = "ada@example.net";
  const from = smtp.box.email_address;
  const { talk } = await smtp.talk();
  using _ = talk;
  assert.match(await talk.say(`MAIL FROM:<${from}> SIZE=6000`), /^552 5\.3\.4 /);
  const large = await transaction(talk, from, [to], [`From: ${from}`, "", "x".repeat(6_000)]);
  assert.match(large, /^552 5\.3\.4 /);
  const references = "<first@client.example>";
  await transaction(talk, from, [to], [`From: ${from}`, `Message-ID: ${references}`, "", "Hello."]);
  let last = "";
  for (let n = 0; n < 14 && !last.startsWith("451"); n++) {
    last = await transaction(talk, from, [to], [
      ...[`From: ${from}`, `References: ${references}`, "", `Hello ${n}.`],
    ]);
  }
  assert.match(last, /^451 4\.7\.1 .*loop/);
  for (let n = 0; n < 200 && !last.startsWith("452"); n++) {
    last = await transaction(talk, from, [to], [`From: ${from}`, "", `Hello ${n}.`]);
  }
  assert.match(last, /^45[12] 4\.7\.1 /);
});

Deno.test("a message that waits for a person is held: its bytes are hashed, it is not changed, and goes out as it came", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  await smtp.policy({ approval: "always" });
  const sent = await smtp.send({
    ...{ to: "ada@example.net", subject: "Offer", text: "Two words.", html: "<p>Two words.</p>" },
    attachments: [{ filename: "a.txt", content: "of the file" }],
    bcc: "eve@example.net",
  });
  const [, draftId] = /^250 2\.6\.0 held for approval: (\S+)$/.exec(sent.response) ?? [];
  assert.ok(draftId, sent.response);
  const path = `/v1/api/drafts/${draftId}`;
  const draft = await data(test.request(path, { token: smtp.owner.key }));
  assert.equal(draft.status, "pending_approval");
  assert.deepEqual(
    [draft.to, draft.bcc, draft.subject, draft.body_text.trim(), draft.body_html],
    [["ada@example.net"], ["eve@example.net"], "Offer", "Two words.", "<p>Two words.</p>"],
  );
  assert.equal(draft.attachments[0].filename, "a.txt");
  const changed = await test.request(path, {
    ...{ method: "PATCH", token: smtp.owner.key, json: { subject: "Other" } },
  });
  assert.equal(changed.status, 409);
  // The same bytes again are the same draft.
  const hash = draft.content_hash;
  const approved = await data(test.request(`${path}/approve`, {
    ...{ token: smtp.owner.accessToken, json: { content_hash: hash } },
  }));
  const raw = await smtp.raw(approved.email_id);
  assert.ok(raw.includes("boundary=") && !/^Bcc:/im.test(raw));
  assert.equal(approved.message_id, sent.messageId);
  // Another body has another hash.
  const other = await smtp.send({ to: "ada@example.net", subject: "Offer", text: "Two  words." });
  const [, otherId] = /: (\S+)$/.exec(other.response)!;
  const second = await data(test.request(`/v1/api/drafts/${otherId}`, { token: smtp.owner.key }));
  assert.notEqual(second.content_hash, hash);
});

Deno.test("the addresses to which answers go are judged like recipients", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  await smtp.policy({ approval: "new_recipients", allow_recipients: ["ada@example.net"] });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  const reply = (field: string) =>
    transaction(talk, from, ["ada@example.net"], [`From: ${from}`, field, "", "Hello."]);
  assert.match(await reply("To: ada@example.net"), /^250 2\.6\.0 taken/);
  for (
    const name of [
      ...["To", "Cc", "Reply-To", "Mail-Followup-To", "Mail-Reply-To"],
      "Disposition-Notification-To",
    ]
  ) {
    assert.match(await reply(`${name}: new@example.net`), /^250 2\.6\.0 held/, name);
  }
});

Deno.test("within 24 hours each recipient gets a Message-ID once", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  const say = (to: string[], body = "Hello.") =>
    transaction(talk, from, to, [`From: ${from}`, "Message-ID: <once@a.example>", "", body]);
  assert.match(await say(["a@example.net"]), /^250 2\.6\.0 taken/);
  assert.match(await say(["A@example.net"]), /^250 2\.6\.0 its recipients have had it/);
  assert.match(await say(["a@example.net", "b@example.net"]), /^250 2\.6\.0 taken/);
  assert.match(await say(["c@example.net"], "Other."), /^554 5\.6\.0 /);
  const rows = await smtp.emails();
  assert.equal(rows.length, 2);
  const full = await data(
    test.request(`/v1/api/emails/${rows[0].email_id}`, { token: smtp.owner.key }),
  );
  assert.deepEqual(full.bcc, ["b@example.net"]);
  await test.advance(86_400_001);
  assert.match(await (await smtp.talk()).reply, /^235 /);
  const next = await smtp.talk();
  using _next = next.talk;
  const again = await transaction(next.talk, from, ["a@example.net"], [
    ...[`From: ${from}`, "Message-ID: <once@a.example>", "", "Other."],
  ]);
  assert.match(again, /^250 2\.6\.0 taken/);
});

Deno.test("what was refused, and a draft that a person rejected, do not count as had", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  await smtp.policy({ approval: "always" });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = smtp.box.email_address;
  const say = (body: string) =>
    transaction(talk, from, ["a@example.net"], [
      ...[`From: ${from}`, "Message-ID: <twice@a.example>", "", body],
    ]);
  const first = await say("Hello.");
  assert.match(first, /held for approval/);
  assert.match(await say("Hello."), /^250 2\.6\.0 its recipients have had it/);
  const [, draftId] = /: (\S+)$/.exec(first)!;
  await test.request(`/v1/api/drafts/${draftId}/reject`, {
    ...{ token: smtp.owner.accessToken, json: {} },
  });
  assert.match(await say("Mended."), /held for approval/);
  assert.equal((await say("a\nb")).slice(0, 9), "550 5.6.0");
});

Deno.test("a submission has the audit row of send_email, with the surface smtp", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  await smtp.send({ to: "ada@example.net", text: "Hello." });
  const [{ email_id }] = await smtp.emails();
  await test.service.audit.flush();
  const rows = await data(
    test.request("/v1/api/audit?action=send_email", { token: smtp.owner.accessToken }),
  );
  const [row] = rows.rows ?? rows;
  assert.deepEqual(
    [row.surface, row.email_id, row.mailbox_id, row.actor.key_id],
    ["smtp", email_id, smtp.box.mailbox_id, smtp.owner.keyId],
  );
});

Deno.test("AUTH of any size and commands before it end without a failure of the service", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  for (const size of [1, 2_000, 4_000, 20_000]) {
    using talk = await SmtpTalk.connect(smtp.port);
    await talk.say("EHLO client.example");
    const reply = await talk.say(`AUTH PLAIN ${btoa(`\0${"u".repeat(size)}\0${"p".repeat(9)}`)}`);
    assert.match(reply, /^(535|421|500|501) /, String(size));
  }
  using talk = await SmtpTalk.connect(smtp.port);
  await talk.say("EHLO client.example");
  assert.match(await talk.say("DATA"), /^530 /);
  await talk.send("NOOP\r\n".repeat(20));
  assert.match(await talk.rest(), /421/);
  assert.deepEqual(test.log.filter(({ level }) => level === "error"), []);
});

Deno.test("a message to a mailbox of this service arrives there", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const other = await account(test);
  const box = await mailbox(test, other);
  await smtp.send({ to: box.email_address, subject: "Within", text: "Hello." });
  await test.settle();
  const [email] = await data(test.request("/v1/api/emails", { token: other.key }));
  assert.equal(email.subject, "Within");
});
