import assert from "node:assert/strict";
import { listenSmtp } from "../../../../routes/inbound/smtp/listen_smtp.ts";
import {
  mailgunPost,
  type Post,
  providerEnv,
  sendgridPost,
} from "../../../routes/inbound/provider_posts.ts";
import { SmtpTalk } from "../../../routes/inbound/smtp_talk.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";

type Lists = { allow_senders?: string[]; block_senders?: string[] };

/** A mailbox with sender lists. */
async function listed(test: TestService, owner: TestAccount, lists: Lists) {
  const box = await mailbox(test, owner);
  await setLists(test, owner, box.mailbox_id, lists);
  return box;
}

async function setLists(test: TestService, owner: TestAccount, mailboxId: string, lists: Lists) {
  const path = `/api/mailboxes/${mailboxId}/policy`;
  await data(test.request(path, { method: "PUT", token: owner.accessToken, json: lists }));
}

interface Row {
  recipient: string;
  sender: string;
  size: number;
  disposition: string;
  code: string | null;
  mailbox_id: string | null;
  count: number;
}

/** The rows of a mailbox's ledger, oldest first. */
async function ledger(test: TestService, owner: TestAccount, mailboxId: string): Promise<Row[]> {
  const path = `/v1/api/arrivals?limit=100&mailbox_id=${mailboxId}`;
  return (await data(test.request(path, { token: owner.key })) as Row[]).reverse();
}

const facts = ({ sender, disposition, code }: Row) => [sender, disposition, code];

const from = (address: string) => message({ From: address, Subject: `From ${address}` });

async function emailsOf(test: TestService, owner: TestAccount, mailboxId: string) {
  const path = `/v1/api/emails?limit=100&mailbox_id=${mailboxId}`;
  return await data(test.request(path, { token: owner.key })) as { email_id: string }[];
}

// SPEC: policies.senders
Deno.test("raw: mail that the lists refuse is BLOCKED with a ledger row, is not stored and counts against no quota", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const blocks = await listed(test, owner, { block_senders: ["@evil.example"] });
  const allows = await listed(test, owner, { allow_senders: ["ada@example.net"] });
  const usage = () => data(test.request("/api/billing/usage", { token: owner.accessToken }));
  const before = await usage();

  const rawOf = (path: string, author: string, to: string) =>
    deliver(test, to, from(author), { "x-envelope-from": path });
  for (
    const [path, author] of [
      ["x@evil.example", "ada@example.net"],
      ["ada@example.net", "Eve <eve@deep.evil.example>"],
      ["", "ada@example.net, eve@evil.example"],
    ]
  ) {
    const { disposition, code } = await rawOf(path, author, blocks.email_address);
    assert.deepEqual([disposition, code], ["rejected", "BLOCKED"], `${path} ${author}`);
  }
  const other = await rawOf("bob@example.org", "bob@example.org", allows.email_address);
  assert.deepEqual([other.disposition, other.code], ["rejected", "BLOCKED"]);
  assert.deepEqual(await usage(), before);

  const taken = await rawOf("bounces@example.org", "ada@example.net", allows.email_address);
  assert.equal(taken.disposition, "accepted");
  await rawOf("bob@example.org", "bob@example.org", blocks.email_address);
  assert.equal((await emailsOf(test, owner, blocks.mailbox_id)).length, 1);
  assert.equal((await emailsOf(test, owner, allows.mailbox_id)).length, 1);
  const rows = await ledger(test, owner, blocks.mailbox_id);
  assert.deepEqual(rows.map(facts), [
    ["x@evil.example", "rejected", "BLOCKED"],
    ["ada@example.net", "rejected", "BLOCKED"],
    ["", "rejected", "BLOCKED"],
    ["bob@example.org", "accepted", null],
  ]);
  assert.ok(rows.every(({ size, mailbox_id }) => size > 0 && mailbox_id === blocks.mailbox_id));
});

Deno.test("raw: if all recipients are refused it is 422 RECIPIENT_REJECTED; a refusal of one of two is in the results of a 200", async () => {
  await using test = await testService();
  const owner = await account(test);
  const blocks = await listed(test, owner, { block_senders: ["ada@example.net"] });
  const open = await mailbox(test, owner);
  const post = (to: string) =>
    test.request("/inbound/raw", {
      method: "POST",
      token: "inbound-token-of-the-tests",
      headers: { "content-type": "message/rfc822", "x-envelope-to": to },
      body: from("ada@example.net"),
    });
  const refused = await post(blocks.email_address);
  assert.equal(refused.status, 422);
  const { error } = await refused.json();
  const rejected = { recipient: blocks.email_address, disposition: "rejected", code: "BLOCKED" };
  assert.deepEqual([error.code, error.details.results], ["RECIPIENT_REJECTED", [rejected]]);
  const both = await post(`${blocks.email_address}, ${open.email_address}`);
  assert.equal(both.status, 200);
  const { results } = (await both.json()).data;
  assert.deepEqual(results[0], rejected);
  assert.equal(results[1].disposition, "accepted");
});

Deno.test("a change of the lists applies to the next mail; mail that the mailbox has already is a duplicate", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const first = await deliver(test, box.email_address, from("ada@example.net"));
  assert.equal(first.disposition, "accepted");
  await setLists(test, owner, box.mailbox_id, { allow_senders: ["@example.org"] });
  const again = await deliver(test, box.email_address, from("ada@example.net"));
  assert.deepEqual([again.disposition, again.email_id], ["duplicate", first.email_id]);
  const second = await deliver(test, box.email_address, from("Ada <ada@example.net>"));
  assert.equal(second.code, "BLOCKED");
  await setLists(test, owner, box.mailbox_id, { allow_senders: [] });
  const third = await deliver(test, box.email_address, from("Ada <ada@example.net>"));
  assert.equal(third.disposition, "accepted");
});

Deno.test("providers: a refused sender gets the provider's answer for a permanent refusal", async () => {
  await using test = await testService({ env: providerEnv });
  const owner = await account(test);
  const box = await listed(test, owner, { block_senders: ["@evil.example"] });
  const send = ({ path, headers, body }: Post) =>
    test.request(path, { method: "POST", headers, body });
  const mail = (path: string, author: string) => ({
    to: box.email_address,
    from: path,
    raw: new TextEncoder().encode(from(author)),
    now: test.clock.now(),
  });
  const mails = [mail("x@evil.example", "a@b.example"), mail("a@b.example", "x@evil.example")];
  for (const each of mails) {
    assert.equal((await send(mailgunPost(each))).status, 406);
    const answer = await send(sendgridPost(each));
    assert.equal(answer.status, 200);
    assert.equal((await answer.json()).data.results[0].code, "BLOCKED");
  }
  const rows = await ledger(test, owner, box.mailbox_id);
  assert.deepEqual(rows.map(({ code }) => code), Array(4).fill("BLOCKED"));
  assert.deepEqual(await emailsOf(test, owner, box.mailbox_id), []);
});

Deno.test("SMTP: a blocked reverse path is 550 at RCPT, a refusal because of From is 550 after DATA", async () => {
  await using test = await testService();
  const owner = await account(test);
  const blocks = await listed(test, owner, { block_senders: ["@evil.example"] });
  const allows = await listed(test, owner, { allow_senders: ["ada@example.net"] });
  const server = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
  await using _closed = { [Symbol.asyncDispose]: () => server.close() };
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  /** The reply to RCPT, and to DATA if that came so far. */
  const talkOf = async (path: string, author: string, ...to: string[]) => {
    await talk.say("RSET");
    assert.match(await talk.say(`MAIL FROM:<${path}>`), /^250/);
    const replies = [];
    for (const each of to) replies.push(await talk.say(`RCPT TO:<${each}>`));
    if (!replies.some((reply) => reply.startsWith("250"))) return replies;
    assert.match(await talk.say("DATA"), /^354/);
    replies.push(await talk.say(`From: ${author}\r\nSubject: ${path}\r\n\r\nHello.\r\n.`));
    return replies.map((reply) => reply.slice(0, 9));
  };
  const refusal = "550 5.7.1 The mailbox does not take mail from this sender";
  assert.deepEqual(
    await talkOf("x@evil.example", "ada@example.net", blocks.email_address),
    [refusal],
  );
  const after = async (path: string, author: string, to: string) =>
    (await talkOf(path, author, to)).map((reply) => reply.slice(0, 9).trim());
  const [ok, no] = ["250 Accep", "550 5.7.1"];
  assert.deepEqual(await after("a@b.example", "x@evil.example", blocks.email_address), [ok, no]);
  assert.deepEqual(await after("", "x@evil.example", blocks.email_address), [ok, no]);
  assert.deepEqual(await after("ada@example.net", "b@b.example", allows.email_address), [ok, no]);
  assert.deepEqual(
    await after("bounce@b.example", "ada@example.net", allows.email_address),
    [ok, "250 2.0.0"],
  );
  // One recipient refuses at RCPT, the other accepts the message.
  assert.deepEqual(
    await talkOf("y@evil.example", "ada@example.net", blocks.email_address, allows.email_address),
    ["550 5.7.1", ok, "250 2.0.0"],
  );
  assert.deepEqual((await ledger(test, owner, blocks.mailbox_id)).map(facts), [
    ["x@evil.example", "rejected", "BLOCKED"],
    ["a@b.example", "rejected", "BLOCKED"],
    ["", "rejected", "BLOCKED"],
    ["y@evil.example", "rejected", "BLOCKED"],
  ]);
  assert.equal((await emailsOf(test, owner, blocks.mailbox_id)).length, 0);
  assert.equal((await emailsOf(test, owner, allows.mailbox_id)).length, 2);
});

Deno.test("SMTP: a flood of a blocked sender has 100 rows a day and one that counts the rest", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await listed(test, owner, { block_senders: ["@evil.example"] });
  const server = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
  await using _closed = { [Symbol.asyncDispose]: () => server.close() };
  using talk = await SmtpTalk.connect(server.port);
  await talk.say("EHLO client.example.net");
  await talk.say("MAIL FROM:<x@evil.example>");
  for (let n = 0; n < 105; n++) {
    assert.match(await talk.say(`RCPT TO:<${box.email_address}>`), /^550 5\.7\.1/);
  }
  const path = "/v1/api/arrivals?limit=100";
  const answer = await (await test.request(path, { token: owner.key })).json();
  const next = await data(
    test.request(`${path}&cursor=${answer.meta.next_cursor}`, { token: owner.key }),
  );
  const rows: Row[] = [...answer.data, ...next];
  assert.equal(rows.length, 101);
  assert.deepEqual(
    rows.filter(({ count }) => count > 1).map(({ recipient, code, count }) => [
      recipient,
      code,
      count,
    ]),
    [["*@agents.test", "BLOCKED", 5]],
  );
});

Deno.test("the lists apply to mail of own mailboxes too: the sent email fails, and nothing is stored there", async () => {
  await using test = await testService();
  const owner = await account(test);
  const sender = await mailbox(test, owner);
  const stranger = await account(test);
  const blocks = await listed(test, owner, { block_senders: [sender.email_address] });
  const allows = await listed(test, stranger, { allow_senders: [sender.email_address] });
  const closed = await listed(test, stranger, { allow_senders: ["@example.net"] });
  const send = async (to: string) => {
    const json = {
      mailbox_id: sender.mailbox_id,
      to: [to],
      subject: "Hello",
      body_text: "Hello.",
    };
    const path = "/v1/api/emails/send";
    const sent = await data(test.request(path, { json, token: owner.key }));
    await test.settle();
    const email = await data(
      test.request(`/v1/api/emails/${sent.email_id}`, { token: owner.key }),
    );
    return email.status;
  };
  assert.equal(await send(blocks.email_address), "failed");
  assert.equal(await send(allows.email_address), "sent");
  assert.equal(await send(closed.email_address), "failed");
  assert.deepEqual((await ledger(test, owner, blocks.mailbox_id)).map(facts), [
    [sender.email_address, "rejected", "BLOCKED"],
  ]);
  assert.equal((await emailsOf(test, owner, blocks.mailbox_id)).length, 0);
  assert.equal((await emailsOf(test, stranger, allows.mailbox_id)).length, 1);
  assert.equal((await emailsOf(test, stranger, closed.mailbox_id)).length, 0);
});
