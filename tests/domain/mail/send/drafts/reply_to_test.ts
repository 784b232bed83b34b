import assert from "node:assert/strict";
import { tool } from "../../../../contract/budgets.ts";
import { account, deliver, mailbox, message, testService } from "../../../../service.ts";
import { suppress } from "../../../../../domain/mail/record/addresses/suppressions.ts";
import { callsOf, given } from "./approvals.ts";

const laterMs = 1_800_000;
const eve = "eve@evil.example";
const wanted = [{ recipient: eve, provenance: "new" }];

/** A mailbox that may write to `@partner.example` without approval. */
async function guarded() {
  const test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  const calls = callsOf(test, owner);
  const { mailbox_id } = box;
  await calls.policy(mailbox_id, {
    approval: "new_recipients",
    allow_recipients: ["@partner.example"],
  });
  return {
    ...{ test, owner, box, second, ...calls },
    mail: { mailbox_id, to: "ann@partner.example", body_text: "x" },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: approval.wanted
Deno.test("an address of reply_to is judged like a recipient: by send, dry run, drafts, a time, and tools", async () => {
  await using it = await guarded();
  const mail = { ...it.mail, reply_to: ["Sales <sales@partner.example>", eve] };
  const send_at = new Date(it.test.clock.now() + laterMs).toISOString();
  const held = await given(it.agent("POST", "/emails/send", mail));
  assert.deepEqual([held.status, held.reasons], ["pending_approval", wanted]);
  const timed = await given(it.agent("POST", "/emails/send", { ...mail, send_at }));
  assert.deepEqual([timed.status, timed.reasons], ["pending_approval", wanted]);
  const dry = await given(it.agent("POST", "/emails/send", { ...mail, dry_run: true }));
  assert.deepEqual([dry.would, dry.reasons, dry.recipients], ["pending_approval", wanted, [
    { address: "ann@partner.example", provenance: "listed" },
    { address: "sales@partner.example", provenance: "listed" },
    { address: eve, provenance: "new" },
  ]]);
  const called = await tool(it.test, it.owner, "send_email", mail);
  assert.deepEqual([called.status, called.reasons], ["pending_approval", wanted]);
  const draft = await given(it.agent("POST", "/drafts", mail));
  const sent = await given(it.agent("POST", `/drafts/${draft.draft_id}/send`, {}));
  assert.deepEqual([sent.status, sent.reasons], ["pending_approval", wanted]);
  const later = await given(it.agent("POST", "/drafts", { ...it.mail, send_at }));
  assert.equal(later.status, "scheduled");
  const patched = await given(it.agent("PATCH", `/drafts/${later.draft_id}`, { reply_to: eve }));
  assert.deepEqual([patched.status, patched.reasons], ["pending_approval", wanted]);
  assert.equal(await it.sentMails(), 0);
});

// SPEC: approval.known
Deno.test("a person can approve mail with a new reply_to, which makes its recipients known and not that address", async () => {
  await using it = await guarded();
  const mail = { ...it.mail, to: "bo@one.example", reply_to: eve };
  const { draft_id, content_hash } = await given(it.agent("POST", "/emails/send", mail));
  const approve = await given(
    it.person("POST", `/drafts/${draft_id}/approve`, { content_hash }),
  );
  assert.equal(approve.status, "stored");
  const again = await given(it.agent("POST", "/emails/send", mail));
  assert.deepEqual([again.status, again.reasons], ["pending_approval", wanted]);
  const own = { ...mail, reply_to: it.second.email_address };
  assert.equal((await given(it.agent("POST", "/emails/send", own))).status, "stored");
});

// SPEC: approval.block
Deno.test("a blocked or suppressed reply_to is refused, also in a reply, and if it was approved or scheduled before", async () => {
  await using it = await guarded();
  const mail = { ...it.mail, reply_to: "eve@partner.example" };
  const inTime = () => ({
    ...mail,
    send_at: new Date(it.test.clock.now() + laterMs).toISOString(),
  });
  const later = await given(it.agent("POST", "/emails/send", inTime()));
  assert.equal(later.status, "scheduled");
  const { email_id } = await deliver(it.test, it.box.email_address, message());
  await it.test.settle();
  const reply = await given(it.agent("POST", "/drafts", {
    ...{ reply_to_email_id: email_id, body_text: "x" },
  }));
  await given(it.agent("PATCH", `/drafts/${reply.draft_id}`, { reply_to: mail.reply_to }));
  const reasons = (code: string) => [{ recipient: mail.reply_to, provenance: "listed", code }];
  const refuses = async (code: string, status: number) => {
    const answers = [
      await it.agent("POST", "/emails/send", mail),
      await it.agent("POST", "/emails/send", inTime()),
      await it.agent("POST", `/drafts/${reply.draft_id}/send`, {}),
    ];
    for (const { status: got, body } of answers) {
      assert.deepEqual([got, body.error?.code, body.error?.details.recipients], [
        ...[status, code, [mail.reply_to]],
      ]);
    }
    const dry = await given(it.agent("POST", "/emails/send", { ...mail, dry_run: true }));
    assert.deepEqual([dry.would, dry.reasons], ["refuse", reasons(code)]);
  };
  await it.policy(it.box.mailbox_id, { block_recipients: ["@partner.example"] });
  const blockedTo = await it.agent("POST", "/emails/send", {
    ...mail,
    to: it.second.email_address,
  });
  assert.equal(blockedTo.body.error?.code, "RECIPIENT_BLOCKED");
  await it.policy(it.box.mailbox_id, { block_recipients: ["eve@partner.example"] });
  await refuses("RECIPIENT_BLOCKED", 422);
  await it.test.advance(laterMs);
  const draft = await given(it.agent("GET", `/drafts/${later.draft_id}`));
  assert.deepEqual([draft.status, draft.send_at, draft.reasons], [
    ...["draft", null, reasons("RECIPIENT_BLOCKED")],
  ]);
  await it.policy(it.box.mailbox_id, { block_recipients: [] });
  await it.test.service.database.transact((tx) =>
    suppress(tx, it.owner.userId, {
      ...{ address: mail.reply_to, status: "5.1.1", emailId: email_id!, createdAt: 0 },
      mailboxId: it.box.mailbox_id,
    })
  );
  await it.policy(it.box.mailbox_id, { approval: "never" });
  await refuses("RECIPIENT_SUPPRESSED", 422);
  assert.equal(await it.sentMails(), 0);
});
