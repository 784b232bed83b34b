import assert from "node:assert/strict";
import type { Outgoing } from "../../../../domain/mail/record/outgoing.ts";
import { removeExpired } from "../../../../domain/store/expiry.ts";
import { addDomain, verifyDomain } from "../../custom_domains/domains.ts";
import { FakeDns } from "../../../adapters/dns/dns_fake.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  type TestAccount,
  type TestService,
} from "../../../service.ts";
import { bounceTo, post, relayedService, report, returnOf, send, shown } from "./sending.ts";

async function statesOf(test: TestService, owner: TestAccount, emailId: string) {
  await test.settle();
  const email = await shown(test, owner, `/v1/api/emails/${emailId}`);
  return [email.status, ...email.delivery.map((one: { status: string }) => one.status)];
}

async function sentTo(test: TestService, owner: TestAccount, mailboxId: string, ...to: string[]) {
  const sent = await send(test, owner, { mailbox_id: mailboxId, to, body_text: "hi" });
  await test.settle();
  return sent;
}

// SPEC: send.bounces
Deno.test("each recipient outside has its own transaction and return path; From is the mailbox", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const people = Array.from({ length: 50 }, (_, n) => `r${n}@one.example`);
  await sentTo(test, owner, box.mailbox_id, ...people);
  assert.deepEqual(relay.taken.map(({ to }) => to.length), new Array(50).fill(1));
  assert.deepEqual(relay.taken.flatMap(({ to }) => to).sort(), people.toSorted());
  const senders = relay.taken.map(({ from }) => from);
  assert.equal(new Set(senders).size, 50);
  for (const sender of senders) assert.match(sender, /^bounce\+[0-9a-f]{42}@agents\.test$/);
  const raw = new TextDecoder().decode(relay.taken[0].raw);
  assert.match(raw, new RegExp(`^From: ${box.email_address}\r\n`, "m"));
});

Deno.test("a report at the return path fails its recipient, and the email if no recipient is left", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const sent = await sentTo(test, owner, box.mailbox_id, "Ann@one.example", "bo@two.example");
  const states = () => statesOf(test, owner, sent.email_id);
  const [ann, bo] = ["ann@one.example", "bo@two.example"];
  await bounceTo(test, returnOf(relay, ann), report(sent.message_id, ann, "delayed"));
  assert.deepEqual(await states(), ["sent", "sent", "sent"]);
  const { disposition } = await bounceTo(
    test,
    returnOf(relay, ann).toUpperCase(),
    report(sent.message_id, ann),
  );
  assert.equal(disposition, "accepted");
  assert.deepEqual(await states(), ["partial", "failed", "sent"]);
  // A host need not name the message that it returns, and may write the original recipient in another way.
  const other = "Original-Recipient: rfc822;bo+40two.example\r\nFinal-Recipient";
  await bounceTo(
    test,
    returnOf(relay, bo),
    report("", bo).replace("Final-Recipient", other),
  );
  assert.deepEqual(await states(), ["failed", "failed", "failed"]);
  const { delivery } = await shown(test, owner, `/v1/api/emails/${sent.email_id}`);
  assert.equal(delivery[0].response, "550 5.1.1 no such user");
  assert.deepEqual(await shown(test, owner, "/v1/api/emails?direction=inbound"), []);
  const blobs = await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] }));
  assert.equal(blobs.length, 1, "of the sent email alone");
});

// SPEC: send.bounces
Deno.test("a report in another form fails its recipient, and is no mail of the mailbox", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const forms: ((usual: string, to: string) => string)[] = [
    (usual) => usual.replace(" report-type=delivery-status;", ""),
    (usual) => usual.replace("multipart/report", "multipart/mixed"),
    (usual) =>
      usual.replace("I am sorry.", "I am sorry. ".repeat(4_000)).replace("report-type", "x"),
    (_usual, to) =>
      "From: MAILER-DAEMON@mx.example\r\nSubject: failure notice\r\n\r\n" +
      "Hi. This is the qmail-send program at mx.example.\r\nThis is a permanent error; I've given up." +
      `\r\n\r\n<${to}>:\r\nRemote host said: 550 5.1.1 no such user\r\n\r\n--- Below this line\r\n`,
  ];
  for (const [n, form] of forms.entries()) {
    const to = `r${n}@one.example`;
    const sent = await sentTo(test, owner, box.mailbox_id, to);
    const raw = form(report(sent.message_id, to), to);
    // From a sender it is mail.
    const from = { "x-envelope-from": "postmaster@one.example" };
    const named = await deliver(
      test,
      returnOf(relay, to),
      raw.replace("Subject: ", "Subject: Fwd "),
      from,
    );
    assert.equal(named.disposition, "accepted");
    assert.deepEqual(await statesOf(test, owner, sent.email_id), ["sent", "sent"]);
    // About somebody else it changes nothing.
    await bounceTo(test, returnOf(relay, to), raw.replaceAll(to, "eve@one.example"));
    assert.deepEqual(await statesOf(test, owner, sent.email_id), ["sent", "sent"]);
    await bounceTo(test, returnOf(relay, to), raw);
    assert.deepEqual(await statesOf(test, owner, sent.email_id), ["failed", "failed"], String(n));
  }
  const mails = await shown(test, owner, "/v1/api/emails?direction=inbound");
  assert.equal(mails.length, forms.length, "those from a sender");
  assert.equal((await shown(test, owner, "/v1/api/suppressions")).length, forms.length);
});

// SPEC: send.bounces
Deno.test("a forged report changes nothing: at the mailbox, from a sender, for another recipient, at a made-up address", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const [ann, bo] = ["ann@one.example", "bo@two.example"];
  const sent = await sentTo(test, owner, box.mailbox_id, ann, bo);
  const own = returnOf(relay, ann), text = report(sent.message_id, ann);
  const [local, domain] = own.split("@");
  const position = "bounce+".length + 20;
  const others = [
    box.email_address,
    box.email_address.replace("@", `+${local.slice("bounce+".length)}@`),
    own.replace("bounce+", ""),
    own.replace(/.@/, own.at(-(domain.length + 2)) === "0" ? "1@" : "0@"),
    // The position of another recipient with the recipient's own code.
    `${local.slice(0, position)}01${local.slice(position + 2)}@${domain}`,
    `bounce@${domain}`,
    `${local}@mail.agents.test`,
  ];
  for (const [n, to] of others.entries()) {
    await bounceTo(test, to, report(sent.message_id, ann, "failed", n));
    await bounceTo(test, to, report(sent.message_id, bo, "failed", n));
  }
  const refused = await deliver(test, own, text, {
    "x-envelope-from": "mailer-daemon@one.example",
  });
  assert.deepEqual([refused.disposition, refused.code], ["rejected", "UNKNOWN_RECIPIENT"]);
  await bounceTo(test, own, report(sent.message_id, bo));
  await bounceTo(test, own, report(sent.message_id, "eve@evil.example"));
  await bounceTo(test, own, text.replace("report-type=delivery-status", "report-type=x"));
  assert.deepEqual(await statesOf(test, owner, sent.email_id), ["sent", "sent", "sent"]);
  assert.deepEqual(await shown(test, owner, "/v1/api/suppressions"), []);
});

Deno.test("a message of a program at the return path that is no delivery report is mail of the mailbox", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const ann = "ann@one.example";
  const sent = await sentTo(test, owner, box.mailbox_id, ann);
  const away = `From: ${ann}\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n` +
    `In-Reply-To: ${sent.message_id}\r\n\r\nBack on Monday.\r\n`;
  const { disposition, email_id } = await bounceTo(test, returnOf(relay, ann), away);
  assert.equal(disposition, "accepted");
  // Some hosts give the notice a sender, because receivers check it.
  const named = { "x-envelope-from": ann };
  const other = await deliver(
    test,
    returnOf(relay, ann),
    away.replace("Away", "Still away"),
    named,
  );
  assert.equal(other.disposition, "accepted");
  assert.deepEqual(await statesOf(test, owner, sent.email_id), ["sent", "sent"]);
  const mails = await shown(test, owner, "/v1/api/emails?direction=inbound");
  assert.deepEqual(
    mails.map((one: Record<string, unknown>) => [
      ...[one.email_id, one.mailbox_id, one.thread_id, one.automated, one.subject],
    ]),
    [
      [other.email_id, box.mailbox_id, sent.thread_id, true, "Still away"],
      [email_id, box.mailbox_id, sent.thread_id, true, "Away"],
    ],
  );
  const json = { confirm_email_address: box.email_address };
  const path = `/api/mailboxes/${box.mailbox_id}`;
  await data(test.request(path, { method: "DELETE", token: owner.accessToken, json }));
  const late = await bounceTo(test, returnOf(relay, ann), away.replace("Monday", "Sunday"));
  assert.equal(late.code, "UNKNOWN_RECIPIENT");
});

// SPEC: send.suppressions
Deno.test("a hard bounce suppresses its recipient in the account until it is taken off the list", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner), foreign = await mailbox(test, other);
  const ann = "Ann@one.example", bo = "bo@two.example";
  const sent = await sentTo(test, owner, box.mailbox_id, ann, bo);
  await bounceTo(test, returnOf(relay, ann), report(sent.message_id, ann));
  const soft = report(sent.message_id, bo).replaceAll("5.1.1", "4.4.7").replaceAll("550", "450");
  await bounceTo(test, returnOf(relay, bo), soft);
  assert.deepEqual(await statesOf(test, owner, sent.email_id), ["failed", "failed", "failed"]);
  const entry = {
    address: ann,
    reason: "hard bounce (5.1.1)",
    email_id: sent.email_id,
    created_at: new Date(test.clock.now()).toISOString(),
  };
  const list = await (await test.request("/v1/api/suppressions", { token: owner.key })).json();
  const meta = { limit: 20, has_more: false, next_cursor: null };
  assert.deepEqual(list, { success: true, data: [entry], meta });
  assert.deepEqual(await shown(test, other, "/v1/api/suppressions"), []);

  const { mailbox_id } = box;
  const again = { mailbox_id, to: bo, cc: "ann@ONE.example", body_text: "hi" };
  const { status, body } = await post(test, owner, "/v1/api/emails/send", again);
  assert.deepEqual([status, body.error.code], [422, "RECIPIENT_SUPPRESSED"]);
  assert.deepEqual(body.error.details, { recipients: ["ann@one.example"] });
  await sentTo(test, other, foreign.mailbox_id, ann);

  const off = (who: TestAccount, token = who.accessToken) =>
    test.request(`/v1/api/suppressions/${encodeURIComponent("ANN@one.example")}`, {
      method: "DELETE",
      token,
    });
  assert.equal((await off(other)).status, 404);
  assert.equal((await off(owner, owner.key)).status, 403, "a key needs the scope by name");
  assert.deepEqual(await data(off(owner)), { deleted: true });
  assert.equal((await off(owner)).status, 404);
  await sentTo(test, owner, mailbox_id, ann);
});

for (const what of ["email", "mailbox"]) {
  Deno.test(`a hard bounce of a deleted ${what} suppresses its recipient, and nothing else is kept`, async () => {
    await using world = await relayedService();
    const { test, relay } = world;
    const owner = await account(test);
    const [box, second] = [await mailbox(test, owner), await mailbox(test, owner)];
    const [ann, bo] = ["Ann@one.example", "bo@two.example"];
    const sent = await sentTo(test, owner, box.mailbox_id, ann, bo);
    const path = what === "email"
      ? `/v1/api/emails/${sent.email_id}`
      : `/api/mailboxes/${box.mailbox_id}`;
    const gone = await test.request(path, {
      method: "DELETE",
      token: what === "email" ? owner.key : owner.accessToken,
      ...what === "email" ? {} : { json: { confirm_email_address: box.email_address } },
    });
    assert.equal(gone.status, 200);
    await test.advance(20 * 86_400_000);
    const rows = await Array.fromAsync(test.kv.list({ prefix: ["outgoing"] }));
    const kept = rows.flatMap(({ value }) => (value as Outgoing).recipients);
    assert.deepEqual(kept, [ann, bo].map((address) => ({ address, state: "sent", response: "" })));
    const bounced = await bounceTo(test, returnOf(relay, ann), report(sent.message_id, ann));
    assert.equal(bounced.disposition, "accepted");
    await test.settle();
    const list = await shown(test, owner, "/v1/api/suppressions");
    assert.deepEqual(list.map(({ address }: { address: string }) => address), [ann]);
    const { status } = await post(test, owner, "/v1/api/emails/send", {
      mailbox_id: second.mailbox_id,
      ...{ to: ann, body_text: "hi" },
    });
    assert.equal(status, 422);
    assert.deepEqual(await shown(test, owner, "/v1/api/emails"), []);
  });
}

Deno.test("30 days after a deleted mail nothing is kept of it, and a report about it is refused", async () => {
  // Without a shared store, whose rows expire by the clock of the database.
  await using world = await relayedService({}, { instances: 1 });
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const ann = "ann@one.example";
  const sent = await sentTo(test, owner, box.mailbox_id, ann);
  const path = `/v1/api/emails/${sent.email_id}`;
  await data(test.request(path, { method: "DELETE", token: owner.key }));
  await test.advance(31 * 86_400_000);
  await removeExpired(test.service.database, test.clock.now());
  const late = await bounceTo(test, returnOf(relay, ann), report(sent.message_id, ann));
  assert.equal(late.code, "UNKNOWN_RECIPIENT");
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["outgoing"] })), []);
});

// SPEC: send.bounces
Deno.test("a message above 1 MiB goes to all its recipients in one transaction; each has its own outcome, retry and report", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test);
  const box = await mailbox(test, owner), own = await mailbox(test, owner);
  const [ann, bo, cy, di] = ["a", "b", "c", "d"].map((name) => `${name}@${name}.example`);
  const codes: Record<string, number> = { [bo]: 550, [cy]: 450, [di]: 452 };
  relay.script = { rcptTo: (address) => codes[address] ?? "take" };
  const attachments = [{ filename: "a.bin", content: new Uint8Array(2 ** 20).toBase64() }];
  const sent = await send(test, owner, {
    ...{ mailbox_id: box.mailbox_id, to: [ann, bo, cy, di, own.email_address] },
    ...{ body_text: "hi", attachments },
  });
  const states = () => statesOf(test, owner, sent.email_id);
  assert.deepEqual(await states(), ["queued", "sent", "failed", "queued", "queued", "sent"]);
  for (const each of [cy, di]) delete codes[each];
  await test.advance(5_000);
  assert.deepEqual(await states(), ["partial", "sent", "failed", "sent", "sent", "sent"]);
  assert.deepEqual(relay.taken.map(({ to }) => to), [[ann], [cy, di]]);
  const shared = returnOf(relay, ann);
  assert.equal(returnOf(relay, di), shared);
  assert.match(shared, /^bounce\+[0-9a-f]{20}ff[0-9a-f]{20}@agents\.test$/);

  // Nobody, somebody else, a mailbox that the relay did not get, and another code change nothing.
  for (const [n, each] of ["", "eve@evil.example", own.email_address].entries()) {
    await bounceTo(test, shared, report(sent.message_id, each, "failed", n));
  }
  await bounceTo(test, shared.replace("ff", "fe"), report(sent.message_id, ann));
  await bounceTo(test, shared, report(sent.message_id, ann, "delayed"));
  const sender = { "x-envelope-from": "mailer-daemon@a.example" };
  await deliver(test, shared, report(sent.message_id, ann), sender);
  assert.deepEqual(await states(), ["partial", "sent", "failed", "sent", "sent", "sent"]);
  assert.deepEqual(await shown(test, owner, "/v1/api/suppressions"), []);
  await bounceTo(test, shared, report(sent.message_id, cy));
  assert.deepEqual(await states(), ["partial", "sent", "failed", "failed", "sent", "sent"]);
  const listed = await shown(test, owner, "/v1/api/suppressions");
  assert.deepEqual(listed.map(({ address }: { address: string }) => address), [cy]);
});

Deno.test("the list of suppressions has pages, and a limited key sees those of its mailboxes", async () => {
  await using world = await relayedService();
  const { test, relay } = world;
  const owner = await account(test);
  const [box, second] = [await mailbox(test, owner), await mailbox(test, owner)];
  const people = ["a", "b", "c"].map((name) => `${name}@one.example`);
  const sent = await sentTo(test, owner, box.mailbox_id, ...people);
  for (const each of people) {
    await bounceTo(test, returnOf(relay, each), report(sent.message_id, each));
  }
  await test.settle();
  const page = async (query: string, token = owner.key) =>
    await (await test.request(`/v1/api/suppressions${query}`, { token })).json();
  const addresses = (body: { data: { address: string }[] }) =>
    body.data.map(({ address }) => address);
  const first = await page("?limit=2");
  assert.deepEqual([addresses(first), first.meta.has_more], [people.slice(0, 2), true]);
  const rest = await page(`?limit=2&cursor=${first.meta.next_cursor}`);
  assert.deepEqual([addresses(rest), rest.meta.has_more], [people.slice(2), false]);
  const { apiKey } = await data(test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "limited", mailboxIds: [second.mailbox_id] },
  }));
  assert.deepEqual(addresses(await page("", apiKey)), []);
});

Deno.test("the return path is on a custom domain if its MX is ours, else on the first shared domain", async () => {
  const dns = new FakeDns();
  await using world = await relayedService({}, { parts: { dns } });
  const { test, relay } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const publish = (mx: string[]) =>
    dns.publish("own.example", { txt: [domain.verification_token], mx });
  publish(["mx.agents.test"]);
  await verifyDomain(test, owner, domain);
  const box = await mailbox(test, owner, "agent-own", "own.example");
  await sentTo(test, owner, box.mailbox_id, "a@one.example");
  assert.match(returnOf(relay, "a@one.example"), /@own\.example$/);
  publish(["mx.elsewhere.example"]);
  await verifyDomain(test, owner, domain);
  await sentTo(test, owner, box.mailbox_id, "b@one.example");
  assert.match(returnOf(relay, "b@one.example"), /@agents\.test$/);
});

Deno.test("bounce and noreply, which the service sends from, are reserved local parts, whatever is set", async () => {
  await using world = await relayedService({}, { env: { DISALLOWED_EMAIL_NAME: "admin" } });
  const { test } = world;
  const owner = await account(test);
  for (const local_part of ["Bounce", "NoReply"]) {
    const json = { local_part, domain: "agents.test" };
    const { status, body } = await post(test, owner, "/v1/api/mailboxes", json);
    assert.deepEqual([status, body.error.code], [422, "DISALLOWED_LOCAL"]);
  }
});
