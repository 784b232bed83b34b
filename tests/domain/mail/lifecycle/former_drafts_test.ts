import assert from "node:assert/strict";
import { repliesBefore, waitingBefore } from "../../../../domain/mail/lifecycle/former_drafts.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { callsOf, given } from "../send/drafts/approvals.ts";

Deno.test("a store of schema version 3 gets a row for each draft that waits, and a run again changes nothing", async () => {
  await using test = await testService();
  const owner = await account(test), box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { approval: "new_recipients" });
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "t" };
  const { draft_id } = await given(agent("POST", "/emails/send", mail));
  await given(agent("POST", "/drafts", mail));
  const waiting = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: ["drafts_waiting"] })))
      .map(({ key, value }) => [...key, value]);
  const first = await waiting();
  assert.deepEqual(first, [["drafts_waiting", owner.userId, draft_id, { number: 1 }]]);
  const row = keys.waitingDraft(owner.userId, draft_id);
  await test.service.database.transact((tx) => tx.delete(row));
  for (let run = 0; run < 2; run++) {
    await waitingBefore.run(test.service.database, test.clock.now());
    assert.deepEqual(await waiting(), [
      ["drafts_waiting", owner.userId, draft_id, { number: 0 }],
    ]);
  }
});

Deno.test("a store of schema version 4 gets a row for each open draft that replies, and a run again changes nothing", async () => {
  await using test = await testService();
  const owner = await account(test), box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  const reply = { reply_to_email_id: email_id, body_text: "t" };
  const { draft_id } = await given(agent("POST", "/drafts", reply));
  const ended = await given(agent("POST", "/drafts", reply));
  await given(agent("DELETE", `/drafts/${ended.draft_id}`));
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "t" };
  await given(agent("POST", "/drafts", mail));
  const rows = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: ["drafts_replying"] })))
      .map(({ key, value }) => [...key, value]);
  const expected = [[
    ...["drafts_replying", owner.userId, draft_id],
    { mailboxId: box.mailbox_id, emailId: email_id },
  ]];
  assert.deepEqual(await rows(), expected);
  await test.service.database.transact((tx) => tx.delete(keys.openReply(owner.userId, draft_id)));
  for (let run = 0; run < 2; run++) {
    await repliesBefore.run(test.service.database, test.clock.now());
    assert.deepEqual(await rows(), expected);
  }
});
