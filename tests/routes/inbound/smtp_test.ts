import assert from "node:assert/strict";
import nodemailer from "nodemailer";
import * as keys from "../../../domain/store/keys.ts";
import { listenSmtp } from "../../../routes/inbound/smtp/listen_smtp.ts";
import type { SmtpOptions } from "../../../routes/inbound/smtp/smtp_server.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { SmtpTalk } from "./smtp_talk.ts";
import { eventually } from "../../eventually.ts";

type Options = Partial<SmtpOptions>;

async function listening(test: TestService, options: Options = {}) {
  const listener = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0, ...options });
  return { ...listener, [Symbol.asyncDispose]: () => listener.close() };
}

async function ledger(test: TestService, owner: { key: string }) {
  const body = await (await test.request("/v1/api/arrivals", { token: owner.key })).json();
  return body.data as {
    email_id: string | null;
    source: string;
    recipient: string;
    sender: string;
    size: number;
    disposition: string;
    code: string | null;
    mailbox_id: string | null;
  }[];
}

Deno.test("SPF is checked with the peer of an SMTP connection", async () => {
  const dns = new FakeDns();
  dns.publish("near.example", { txt: ["v=spf1 ip4:127.0.0.0/8 -all"] });
  dns.publish("far.example", { txt: ["v=spf1 ip4:192.0.2.1 -all"] });
  await using test = await testService({ parts: { dns } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  const client = nodemailer.createTransport({ host: "127.0.0.1", port: server.port });
  for (const from of ["ada@near.example", "ada@far.example"]) {
    await client.sendMail({ from, to: box.email_address, subject: from, text: "Hello." });
  }
  client.close();
  await test.settle();
  const rows = await data(test.request("/v1/api/emails?order=asc", { token: owner.key }));
  const verdicts = rows.map((row: { auth_verdict: string }) => row.auth_verdict);
  assert.deepEqual(verdicts, ["pass", "fail"]);
});

Deno.test("a mail client's message over SMTP is listed, read and stored byte for byte", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  const client = nodemailer.createTransport({ host: "127.0.0.1", port: server.port });
  const info = await client.sendMail({
    from: "Zoë <zoe@example.net>",
    to: box.email_address,
    subject: "Grüße — тест",
    text: ".a leading dot\n..and two\n",
    attachments: [{ filename: "ü.txt", content: "data" }],
  });
  client.close();
  const [row] = await ledger(test, owner);
  assert.equal(info.response, `250 2.0.0 Taken as ${row.email_id}`);
  assert.deepEqual(row, {
    ...row,
    source: "smtp",
    recipient: box.email_address,
    sender: "zoe@example.net",
    disposition: "accepted",
    code: null,
    mailbox_id: box.mailbox_id,
  });
  const email = await data(test.request(`/v1/api/emails/${row.email_id}`, { token: owner.key }));
  assert.equal(email.subject, "Grüße — тест");
  assert.equal(email.body_text, ".a leading dot\n..and two\n");
  assert.equal(email.attachments[0].filename, "ü.txt");
});

// SPEC: inbound.smtp
Deno.test("the bytes of DATA are stored unchanged: a bare LF and a lone dot do not end the message", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<ada@example.net>");
  await talk.say(`RCPT TO:<${box.email_address}>`);
  assert.match(await talk.say("DATA"), /^354/);
  const content =
    "Subject: smuggled\r\n\r\none\n.\nMAIL FROM:<evil@example.net>\r\nÿ\0\n.\r\nend\r\n.\n\r\n";
  assert.match(await talk.say(`${content}.`), /^250/);
  assert.match(await talk.say("QUIT"), /^221/);
  const rows = await ledger(test, owner);
  assert.equal(rows.length, 1);
  const raw = await test.request(`/v1/api/emails/${rows[0].email_id}/raw`, { token: owner.key });
  assert.equal(await raw.text(), content);
});

Deno.test("an unknown mailbox is 550 with a ledger row, a foreign domain 550 without relaying", async () => {
  await using test = await testService();
  const owner = await account(test);
  const former = "former@agents.test";
  await test.service.database.transact((tx) =>
    tx.set(keys.mailboxByAddress(former), { userId: owner.userId, heldUntil: Infinity })
  );
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<ada@example.net>");
  assert.match(await talk.say(`RCPT TO:<${former}>`), /^550 5\.1\.1/);
  assert.match(await talk.say("RCPT TO:<somebody@elsewhere.example>"), /^550 5\.7\.1/);
  assert.match(await talk.say("RCPT TO:<no-at-sign>"), /^(501|553) /);
  assert.match(await talk.say("DATA"), /^503/);
  const rows = await ledger(test, owner);
  assert.deepEqual(
    rows.map(({ recipient, disposition, code, size }) => [
      recipient,
      disposition,
      code,
      size,
    ]),
    [[former, "rejected", "UNKNOWN_RECIPIENT", 0]],
  );
});

Deno.test("a message above the largest size is 552, by its declared size or while it is sent, with a ledger row", async () => {
  const maxEmailBytes = 10_000;
  await using test = await testService({
    plans: { free: { maxEmailBytes }, pro: { maxEmailBytes }, enterprise: { maxEmailBytes } },
  });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  assert.match(await talk.say("EHLO client.example.net"), /SIZE 10000/);
  assert.match(await talk.say("MAIL FROM:<ada@example.net> SIZE=10001"), /^552/);
  await talk.say("MAIL FROM:<ada@example.net>");
  await talk.say(`RCPT TO:<${box.email_address}>`);
  await talk.say("DATA");
  assert.match(await talk.say(`Subject: x\r\n\r\n${"x".repeat(400_000)}\r\n.`), /^552 5\.3\.4/);
  // The connection continues: the rest of the message was read, not run as commands.
  assert.match(await talk.say("NOOP"), /^250/);
  const [row] = await ledger(test, owner);
  assert.deepEqual([row.disposition, row.code], ["rejected", "EMAIL_TOO_LARGE"]);
});

Deno.test("a message over a quota is 552", async () => {
  await using test = await testService({ plans: { free: { emailsPerDay: 1 } } });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  const client = nodemailer.createTransport({ host: "127.0.0.1", port: server.port });
  const mail = { from: "ada@example.net", to: box.email_address };
  await client.sendMail({ ...mail, text: "one" });
  await assert.rejects(client.sendMail({ ...mail, text: "two" }), { responseCode: 552 });
  client.close();
  const rows = await ledger(test, owner);
  assert.deepEqual(rows.map(({ code }) => code), ["OVER_QUOTA", null]);
});

Deno.test("a recipient who is over a quota, or whose plan takes no mail of that size, is 552 at RCPT; the others get it", async () => {
  await using test = await testService({
    plans: { free: { emailsPerDay: 1 }, pro: { maxEmailBytes: 5_000 } },
  });
  const full = await account(test, "free"), small = await account(test, "pro");
  const [first, second, third] = [
    await mailbox(test, full),
    await mailbox(test, small),
    await mailbox(test, await account(test)),
  ].map((each) => each.email_address);
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  const send = async (text: string, size: number, ...recipients: string[]) => {
    await talk.say(`MAIL FROM:<ada@example.net> SIZE=${size}`);
    const replies: string[] = [];
    for (const each of recipients) replies.push(await talk.say(`RCPT TO:<${each}>`));
    await talk.say("DATA");
    return [...replies, await talk.say(`Subject: ${text}\r\n\r\nHello.\r\n.`)];
  };
  await talk.say("EHLO client.example.net");
  await send("one", 100, first);
  assert.match((await send("largest", 5_000, second))[0], /^250/);
  const replies = await send("two", 5_001, first, second, third);
  assert.deepEqual(replies.map((each) => each.slice(0, 9)), [
    ...["552 5.2.2", "552 5.3.4", "250 Accep", "250 2.0.0"],
  ]);
  assert.deepEqual((await ledger(test, full)).map(({ code }) => code), ["OVER_QUOTA", null]);
  assert.deepEqual((await ledger(test, small)).map(({ code }) => code), [
    "EMAIL_TOO_LARGE",
    null,
  ]);
});

Deno.test("a recipient whose storage is full is 552 at RCPT, also if no size is declared", async () => {
  const raw = message({ Subject: "one" });
  await using test = await testService({ plans: { free: { storageBytes: raw.length } } });
  const { email_address } = await mailbox(test, await account(test, "free"));
  assert.equal((await deliver(test, email_address, raw)).disposition, "accepted");
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<ada@example.net>");
  assert.match(await talk.say(`RCPT TO:<${email_address}>`), /^552 5\.2\.2/);
});

Deno.test("a failure of the service is 451 and a log line with its stack, and nothing is stored", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<ada@example.net>");
  await talk.say(`RCPT TO:<${box.email_address}>`);
  const { database } = test.service;
  const transact = database.transact;
  database.transact = () => Promise.reject(new Error("the disk is gone"));
  await talk.say("DATA");
  assert.match(await talk.say(`${message()}\r\n.`), /^451 4\.3\.0/);
  database.transact = transact;
  assert.deepEqual(await ledger(test, owner), []);
  const [line] = test.log.filter(({ event }) => event === "smtp.failed");
  assert.equal(line.error, "Error: the disk is gone");
  assert.match(String(line.stack), /^at .*smtp_test\.ts/);
  assert.ok(line.session);
});

Deno.test("a client that disconnects within a message leaves nothing behind", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  const talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<ada@example.net>");
  await talk.say(`RCPT TO:<${box.email_address}>`);
  await talk.say("DATA");
  await talk.send(`Subject: cut off\r\n\r\n${"x".repeat(2_000_000)}`);
  talk[Symbol.dispose]();
  using other = await SmtpTalk.connect(server.port);
  await other.say("EHLO client.example.net");
  assert.match(await other.say("NOOP"), /^250/);
  const chunks = () => Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] }));
  await eventually("its chunks are removed", async () => (await chunks()).length === 0, test.log);
  assert.deepEqual(await ledger(test, owner), []);
});

Deno.test("STARTTLS is offered with a certificate, and not without", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const file = (name: string) =>
    Deno.readTextFileSync(new URL(`../../fixtures/tls/hook_test.${name}.pem`, import.meta.url));
  await using secure = await listening(test, { tls: { key: file("key"), cert: file("cert") } });
  const client = nodemailer.createTransport({
    host: "127.0.0.1",
    port: secure.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  });
  const mail = { from: "ada@example.net", to: box.email_address, text: "secret" };
  assert.match((await client.sendMail(mail)).response, /^250/);
  client.close();
  await using plain = await listening(test);
  using talk = await SmtpTalk.connect(plain.port);
  assert.doesNotMatch(await talk.say("EHLO client.example.net"), /STARTTLS|AUTH/);
});

Deno.test("forty messages in one session, and twenty sessions at once, are all stored", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await using server = await listening(test);
  const client = nodemailer.createTransport({
    host: "127.0.0.1",
    port: server.port,
    pool: true,
    maxConnections: 20,
    maxMessages: 1000,
  });
  await Promise.all(
    Array.from(
      { length: 60 },
      (_, n) =>
        client.sendMail({ from: "ada@example.net", to: box.email_address, text: `number ${n}` }),
    ),
  );
  client.close();
  const listed = await (await test.request("/v1/api/emails?limit=100", { token: owner.key }))
    .json();
  assert.equal(listed.data.length, 60);
});

// SPEC: inbound.smtp_quoted
Deno.test("a quoted local part is a legal sender, shown with its quotes; a sender list is not evaded by quotes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, {
    ...{ method: "PUT", token: owner.accessToken },
    json: { block_senders: ["spam@evil.example"] },
  });
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  const legal = [
    '"odd user"@example.com',
    '"a@b"@example.com',
    '"x\\"y"@example.com',
    '"a>b"@example.com',
  ];
  for (const sender of legal) {
    assert.match(await talk.say(`MAIL FROM:<${sender}> SIZE=100`), /^250/, sender);
    assert.match(await talk.say(`RCPT TO:<${box.email_address}>`), /^250/);
    await talk.say("DATA");
    assert.match(await talk.say(`From: ${sender}\r\n\r\n${sender}\r\n.`), /^250/);
  }
  const { data: emails } = await (await test.request("/v1/api/emails?order=asc", {
    token: owner.key,
  })).json();
  assert.deepEqual(emails.map((each: { from: string }) => each.from), legal);
  assert.deepEqual((await ledger(test, owner)).map(({ sender }) => sender), legal.toReversed());
  await talk.say('MAIL FROM:<"spam"@evil.example>');
  assert.match(await talk.say(`RCPT TO:<${box.email_address}>`), /^550 5\.7\.1/);
  const [local, domain] = box.email_address.split("@");
  await talk.say("RSET");
  await talk.say("MAIL FROM:<ada@example.net>");
  assert.match(await talk.say(`RCPT TO:<"${local}"@${domain}>`), /^250/);
  assert.match(await talk.say(`RCPT TO:<"no one"@${domain}>`), /^550/);
  await talk.say("RSET");
  assert.match(await talk.say('MAIL FROM:<"a\x00b"@example.com>'), /^501/);
});

Deno.test("RCPT TO:<Postmaster> without a domain, in any case, is the operator's mailbox (RFC 5321, 4.5.1)", async () => {
  await using test = await testService({ env: { POSTMASTER_MAILBOX: "operator@agents.test" } });
  const owner = await account(test);
  const box = await mailbox(test, owner, "operator");
  await using server = await listening(test);
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example");
  await talk.say("MAIL FROM:<ada@example.net>");
  for (const to of ["<Postmaster>", "<postmaster@agents.test>", "<POSTMASTER@Agents.test>"]) {
    assert.match(await talk.say(`RCPT TO:${to}`), /^250 /, to);
  }
  assert.match(await talk.say("RCPT TO:<webmaster>"), /^5/);
  await talk.say("DATA");
  assert.match(await talk.say(`${message({ Subject: "Abuse" })}\r\n.`), /^250 /);
  const rows = await data(test.request("/v1/api/emails", { token: owner.key }));
  assert.deepEqual(rows.map((row: { mailbox_id: string }) => row.mailbox_id), [box.mailbox_id]);
});
