import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { suppress } from "../../../domain/mail/record/addresses/suppressions.ts";
import { createDkimKey } from "../../../mime/compose/dkim.ts";
import { dkimVerdict } from "../../mime/compose/dkim_verdict.ts";
import { testService } from "../../service.ts";
import { connect } from "../oauth/connect.ts";
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
