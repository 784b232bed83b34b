import assert from "node:assert/strict";
import { purgeEmail } from "../../../../domain/mail/manage/purge_email.ts";
import type { Email } from "../../../../domain/mail/record/email.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("the purge of a mailbox leaves the answers under idempotency keys of other mailboxes: a repeated send sends nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [gone, kept] = [await mailbox(test, owner), await mailbox(test, owner)];
  const send = ({ mailbox_id }: { mailbox_id: string }, idempotency_key: string) =>
    data(test.request("/v1/api/emails/send", {
      token: owner.key,
      json: { mailbox_id, to: "ann@one.example", body_text: "x", idempotency_key },
    }));
  await send(gone, "one");
  const first = await send(kept, "two");
  await data(test.request(`/v1/api/mailboxes/${gone.mailbox_id}`, {
    ...{ token: owner.key, method: "DELETE" },
    json: { confirm_email_address: gone.email_address },
  }));
  await test.settle();
  assert.deepEqual(await send(kept, "two"), first);
  const rows = await Array.fromAsync(test.kv.list({ prefix: keys.idempotencies(owner.userId) }));
  assert.equal(rows.length, 1);
});

Deno.test("the purge of an email that another instance has ended gives no storage back a second time", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await deliver(test, box.email_address, message({ Subject: "Other" }));
  await test.settle();
  const { service } = test;
  const { raw } = await storedEmail(service.database, owner.userId, email_id) as Email;
  await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key, method: "DELETE" }));
  await test.settle();
  const storage = async () => (await test.kv.get<number>(keys.storage(owner.userId))).value!;
  const after = await storage();
  assert.ok(after > 0);
  const now = service.clock.now();
  await purgeEmail(service, {
    ...{
      jobId: "ended",
      kind: "purge_email",
      payload: { userId: owner.userId, emailId: email_id, raw },
    },
    ...{ runAt: now, dueAt: now, attempts: 0, createdAt: now },
  });
  assert.equal(await storage(), after);
});
