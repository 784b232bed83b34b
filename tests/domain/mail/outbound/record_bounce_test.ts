import assert from "node:assert/strict";
import {
  account,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import { bounceTo, report, send, shown } from "./sending.ts";

async function sentTo(test: TestService, owner: TestAccount, mailboxId: string, ...to: string[]) {
  return await send(test, owner, { mailbox_id: mailboxId, to, body_text: "hi" });
}

Deno.test("a bounce of a sent message fails its recipient, and the email if no recipient is left", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const sent = await sentTo(test, owner, box.mailbox_id, "Ann@one.example", "bo@two.example");
  const states = async () => {
    await test.settle();
    const email = await shown(test, owner, `/v1/api/emails/${sent.email_id}`);
    return [email.status, ...email.delivery.map((one: { status: string }) => one.status)];
  };
  await bounceTo(test, box.email_address, report(sent.message_id, "ann@one.example", "delayed"));
  assert.deepEqual(await states(), ["stored", "stored", "stored"]);
  await bounceTo(test, box.email_address, report(sent.message_id, "ann@one.example"));
  assert.deepEqual(await states(), ["stored", "failed", "stored"]);
  await bounceTo(test, box.email_address, report(sent.message_id, "bo@two.example"));
  assert.deepEqual(await states(), ["failed", "failed", "failed"]);
  const { delivery } = await shown(test, owner, `/v1/api/emails/${sent.email_id}`);
  assert.equal(delivery[0].response, "550 5.1.1 no such user");
});

Deno.test("a bounce that names another address of the only recipient counts for that recipient", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const sent = await sentTo(test, owner, box.mailbox_id, "ann@one.example");
  await bounceTo(test, box.email_address, report(sent.message_id, "ann@inner.one.example"));
  await test.settle();
  assert.equal((await shown(test, owner, `/v1/api/emails/${sent.email_id}`)).status, "failed");
});

// SPEC: send.bounces
Deno.test("a report counts only for the sending mailbox, its Message-ID and its recipients", async () => {
  await using test = await testService();
  const [owner, other] = [await account(test), await account(test)];
  const [box, second, foreign] = [
    await mailbox(test, owner),
    await mailbox(test, owner),
    await mailbox(test, other),
  ];
  const sent = await sentTo(test, owner, box.mailbox_id, "ann@one.example", "bo@two.example");
  const elsewhere = sent.message_id.replace("@agents.test", "@evil.example");
  await bounceTo(
    test,
    foreign.email_address,
    report(sent.message_id, "ann@one.example", "failed", 1),
  );
  await bounceTo(
    test,
    second.email_address,
    report(sent.message_id, "ann@one.example", "failed", 2),
  );
  await bounceTo(test, box.email_address, report(elsewhere, "ann@one.example", "failed", 3));
  await bounceTo(test, box.email_address, report(sent.message_id, "eve@evil.example", "failed", 4));
  await bounceTo(test, box.email_address, report("<nonsense>", "ann@one.example", "failed", 5));
  await test.settle();
  assert.equal((await shown(test, owner, `/v1/api/emails/${sent.email_id}`)).status, "stored");
});
