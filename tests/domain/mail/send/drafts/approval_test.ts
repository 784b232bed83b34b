import assert from "node:assert/strict";
import type { SenderChecks } from "../../../../../domain/ports/sender_checks.ts";
import { account, deliver, mailbox, message, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

async function guarded(options: Parameters<typeof testService>[0] = {}) {
  const test = await testService(options);
  const owner = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  const calls = callsOf(test, owner);
  await calls.policy(box.mailbox_id, { approval: "new_recipients" });
  return {
    ...{ test, owner, box, second, ...calls },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: approval.wanted, approval.known
Deno.test("under new_recipients mail to a new recipient waits for a person; an approved recipient is known from then on", async () => {
  await using it = await guarded();
  const mail = { mailbox_id: it.box.mailbox_id, to: "Ann@One.example", body_text: "x" };
  const held = await it.agent("POST", "/emails/send", { ...mail, idempotency_key: "k" });
  assert.equal(held.status, 201);
  const { draft_id, content_hash } = held.body.data;
  assert.deepEqual(held.body.data, {
    draft_id,
    mailbox_id: it.box.mailbox_id,
    status: "pending_approval",
    send_at: null,
    content_hash,
    reasons: [{ recipient: "Ann@one.example", provenance: "new" }],
    approval_url: `http://localhost:8000/app/waiting/${draft_id}`,
    from: it.box.email_address,
    to: ["Ann@one.example"],
    cc: [],
    subject: "",
    created_at: "2026-11-20T10:00:00.000Z",
  });
  assert.deepEqual(await it.agent("POST", "/emails/send", { ...mail, idempotency_key: "k" }), held);
  assert.equal(await it.sentMails(), 0);
  const path = `/drafts/${draft_id}`;
  // An agent can neither send nor approve it.
  assert.equal((await it.agent("POST", `${path}/send`, {})).status, 409);
  const refused = await it.agent("POST", `${path}/approve`, { content_hash });
  assert.deepEqual(refused.body.error.details, { required_scope: "emails:approve" });
  assert.equal(await it.sentMails(), 0);

  const approvals = await Promise.all(
    Array.from({ length: 5 }, () => it.person("POST", `${path}/approve`, { content_hash })),
  );
  assert.equal(approvals[0].status, 201);
  assert.equal(approvals[0].body.data.draft_id, draft_id);
  for (const each of approvals) assert.deepEqual(each, approvals[0]);
  assert.equal(await it.sentMails(), 1);
  // Known in any letter case, and for the whole account; a tag is another address.
  await it.policy(it.second.mailbox_id, { approval: "new_recipients" });
  for (const to of ["ann@one.example", "ANN@ONE.EXAMPLE"]) {
    const sent = await given(it.agent("POST", "/emails/send", {
      ...{ mailbox_id: it.second.mailbox_id, to, body_text: "x" },
    }));
    assert.equal(sent.status, "stored");
  }
  const tagged = await given(
    it.agent("POST", "/emails/send", { ...mail, to: "ann+x@one.example" }),
  );
  assert.equal(tagged.status, "pending_approval");
  const drafts = (await it.changes()).filter((event) => event.startsWith("draft."));
  assert.deepEqual(drafts, [
    ...["draft.created", "draft.pending_approval", "draft.approved", "draft.sent"],
    ...["draft.created", "draft.pending_approval"],
  ]);
});

// SPEC: approval.provenance
Deno.test("own, listed and answered recipients need no approval; a Reply-To, a forged author and the author of another thread do", async () => {
  await using it = await guarded();
  const { mailbox_id } = it.box;
  const status = async (answer: Promise<{ status: number; body: { data: { status: string } } }>) =>
    (await given(answer)).status;
  const to = (address: string) =>
    status(it.agent("POST", "/emails/send", { mailbox_id, to: address, body_text: "x" }));
  const [local, domain] = it.second.email_address.split("@");
  assert.equal(await to(`${local}+tag@${domain.toUpperCase()}`), "queued");
  await it.policy(mailbox_id, { allow_recipients: ["@partner.example"] });
  assert.equal(await to("a@mail.partner.example"), "stored");
  assert.equal(await to("a@partner.example.evil.example"), "pending_approval");

  const arrive = async (fields: Record<string, string>) =>
    (await deliver(it.test, it.box.email_address, message(fields))).email_id;
  const reply = (id: string, more: Record<string, unknown> = {}) =>
    status(it.agent("POST", `/emails/${id}/reply`, { body_text: "x", ...more }));
  const plain = await arrive({ "Message-ID": "<1@x>" });
  await it.test.settle();
  assert.equal(await reply(plain), "stored");
  assert.equal(await reply(plain, { bcc: "eve@evil.example" }), "pending_approval");
  assert.equal(await reply(plain, { cc: "ada+eve@example.net" }), "pending_approval");
  const elsewhere = await arrive({ "Message-ID": "<2@x>", "Reply-To": "eve@evil.example" });
  const copied = await arrive({ "Message-ID": "<3@x>", Cc: "eve@evil.example", Subject: "3" });
  await it.test.settle();
  assert.equal(await reply(elsewhere), "pending_approval");
  assert.equal(await reply(copied), "stored");
  assert.equal(await reply(copied, { reply_all: true }), "pending_approval");
  // An author may get replies in that thread, but no new mail.
  assert.equal(await to("ada@example.net"), "pending_approval");
  const forward = it.agent("POST", `/emails/${plain}/forward`, { to: "ada@example.net" });
  assert.equal(await status(forward), "pending_approval");
  const two = await arrive({ "Message-ID": "<4@x>", From: "ada@example.net, eve@evil.example" });
  await it.test.settle();
  const email = await given(it.agent("GET", `/emails/${two}`));
  assert.equal(email.auth.verdict, "fail");
  assert.equal(await reply(two), "pending_approval");
});

Deno.test("an author whose mail is not checked yet is new", async () => {
  const checked = Promise.withResolvers<void>();
  const none = { spf: "none", dkim: "none", dmarc: "none", domain: null } as const;
  const senderChecks: SenderChecks = {
    prepare: () => Promise.resolve(),
    check: async () => {
      await checked.promise;
      return { verdict: "none", source: "checked", ...none };
    },
  };
  await using it = await guarded({ parts: { senderChecks } });
  const { email_id } = await deliver(it.test, it.box.email_address, message({}));
  const reply = async () =>
    (await given(it.agent("POST", `/emails/${email_id}/reply`, { body_text: "x" }))).status;
  assert.equal(await reply(), "pending_approval");
  checked.resolve();
  await it.test.settle();
  assert.equal(await reply(), "stored");
});

// SPEC: approval.always, approval.block
Deno.test("`always` requires approval for own mailboxes too; a blocked recipient is refused everywhere, approved or not", async () => {
  await using it = await guarded();
  const { mailbox_id } = it.box;
  await it.policy(mailbox_id, { approval: "always" });
  const mail = { mailbox_id, to: it.second.email_address, body_text: "x" };
  const held = await given(it.agent("POST", "/emails/send", mail));
  assert.deepEqual(held.reasons, [{ recipient: it.second.email_address, provenance: "own" }]);
  const blocks = { block_recipients: ["@agents.test"], allow_recipients: ["@agents.test"] };
  await it.policy(mailbox_id, blocks);
  const { content_hash, draft_id } = held;
  const details = { recipients: [it.second.email_address] };
  const send_at = "2026-11-21T10:00:00Z";
  const attempts = [
    it.person("POST", `/drafts/${draft_id}/approve`, { content_hash }),
    it.agent("POST", "/emails/send", mail),
    it.agent("POST", "/emails/send", { ...mail, send_at }),
    it.agent("POST", "/drafts", { ...mail, send_at }),
  ];
  for (const { status, body } of await Promise.all(attempts)) {
    assert.deepEqual([status, body.error.code, body.error.details], [
      422,
      "RECIPIENT_BLOCKED",
      details,
    ]);
  }
  assert.equal(await it.sentMails(), 0);
  // The refused one is a draft again, with the reason; without the block it can be sent and approved.
  const again = await given(it.agent("GET", `/drafts/${draft_id}`));
  const why = { recipient: it.second.email_address, provenance: "own", code: "RECIPIENT_BLOCKED" };
  assert.deepEqual([again.status, again.send_at, again.reasons], ["draft", null, [why]]);
  assert.equal(
    (await it.person("POST", `/drafts/${draft_id}/approve`, { content_hash })).status,
    409,
  );
  await it.policy(mailbox_id, { block_recipients: null });
  const waits = await given(it.agent("POST", `/drafts/${draft_id}/send`, {}));
  assert.equal(waits.status, "pending_approval");
  for (const wrong of ["wrong", "0".repeat(64)]) {
    const { status } = await it.person("POST", `/drafts/${draft_id}/approve`, {
      content_hash: wrong,
    });
    assert.equal(status, 409);
  }
  await given(it.person("POST", `/drafts/${draft_id}/approve`, { content_hash }));
  assert.equal(await it.sentMails(), 1);
});

// SPEC: approval.hash
Deno.test("an approval is for the content that was read: a change and a rejection end it", async () => {
  await using it = await guarded();
  const mail = { mailbox_id: it.box.mailbox_id, to: "ann@one.example", body_text: "x" };
  const one = await given(it.agent("POST", "/emails/send", mail));
  const path = `/drafts/${one.draft_id}`;
  const changed = await given(it.agent("PATCH", path, { body_text: "y" }));
  assert.equal(changed.status, "pending_approval");
  const old = await it.person("POST", `${path}/approve`, { content_hash: one.content_hash });
  assert.deepEqual([old.status, old.body.error.code], [409, "CONFLICT"]);
  // No recipient is new, so no person is needed; but nobody has asked to send this content.
  const free = await given(it.agent("PATCH", path, { to: it.second.email_address }));
  assert.deepEqual([free.status, free.reasons], ["draft", []]);
  const two = await given(it.agent("POST", "/emails/send", mail));
  const rejected = await given(
    it.person("POST", `/drafts/${two.draft_id}/reject`, { reason: "No." }),
  );
  assert.deepEqual([rejected.status, rejected.reject_reason], ["rejected", "No."]);
  const { content_hash } = two;
  for (
    const [what, json] of [["approve", { content_hash }], ["send", {}], ["reject", {}]] as const
  ) {
    assert.equal((await it.person("POST", `/drafts/${two.draft_id}/${what}`, json)).status, 409);
  }
  assert.equal(await it.sentMails(), 0);
});

// SPEC: approval.races
Deno.test("approved, changed and canceled at once: one of them wins and the record says which", async () => {
  await using it = await guarded();
  for (let round = 0; round < 10; round++) {
    const mail = { mailbox_id: it.box.mailbox_id, to: `n${round}@one.example`, body_text: "x" };
    const { draft_id, content_hash } = await given(it.agent("POST", "/emails/send", mail));
    const path = `/drafts/${draft_id}`;
    const before = await it.sentMails();
    const [approved, changed, canceled] = await Promise.all([
      it.person("POST", `${path}/approve`, { content_hash }),
      it.agent("PATCH", path, { body_text: "other" }),
      round % 2 ? it.agent("DELETE", path) : it.person("POST", `${path}/reject`, {}),
    ]);
    for (const each of [approved, changed, canceled]) {
      assert.ok(each.status < 300 || each.status === 409, JSON.stringify(each));
    }
    const draft = await given(it.agent("GET", path));
    const wasSent = approved.status === 201;
    assert.equal(await it.sentMails() - before, wasSent ? 1 : 0);
    const ended = round % 2 ? "canceled" : "rejected";
    assert.equal(draft.status, wasSent ? "sent" : ended);
    assert.equal(draft.body_text, changed.status === 200 ? "other" : "x");
    if (wasSent) assert.equal(draft.body_text, "x");
  }
});
