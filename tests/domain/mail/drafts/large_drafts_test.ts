import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../../service.ts";
import { callsOf, given } from "./approvals.ts";

Deno.test("a draft as large as the rules allow can be sent, canceled and read afterwards", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  // Names and texts that take the most bytes as UTF-8 and as JSON.
  const domain = `${Array.from({ length: 3 }, () => "x".repeat(59)).join(".")}.example`;
  const people = (letter: string) =>
    Array.from({ length: 50 }, (_, n) => `"${"\u8a9e".repeat(199)}" <${letter}${n}@${domain}>`);
  const file = {
    filename: "\ud800".repeat(255),
    content_type: `text/plain; name=${"a".repeat(200)}`,
    content: "",
  };
  const mail = {
    mailbox_id: box.mailbox_id,
    to: people("t"),
    reply_to: people("r"),
    subject: "\ud800".repeat(1_000),
    body_text: "\u0001".repeat(100_000),
    body_html: "\u0001".repeat(100_000),
    attachments: Array.from({ length: 100 }, () => file),
  };
  const make = async () => (await given(agent("POST", "/drafts", mail))).draft_id;
  const [sent, canceled] = [await make(), await make()];
  assert.equal((await given(agent("POST", `/drafts/${sent}/send`, {}))).status, "stored");
  assert.equal((await given(agent("DELETE", `/drafts/${canceled}`))).status, "canceled");
  for (const [draftId, status] of [[sent, "sent"], [canceled, "canceled"]]) {
    const draft = await given(agent("GET", `/drafts/${draftId}`));
    assert.deepEqual([draft.status, draft.truncated], [status, true]);
    assert.deepEqual([draft.to.length, draft.reply_to.length, draft.subject.length], [
      50,
      50,
      1_000,
    ]);
  }
});

Deno.test("the text of an ended draft is not cut inside a character", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const body_text = `x${"\u{1f600}".repeat(30_000)}`;
  const mail = { mailbox_id: box.mailbox_id, to: "a@b.example", body_text };
  const { draft_id } = await given(agent("POST", "/drafts", mail));
  await given(agent("DELETE", `/drafts/${draft_id}`));
  const draft = await given(agent("GET", `/drafts/${draft_id}`));
  assert.equal(draft.truncated, true);
  assert.ok(draft.body_text === body_text.slice(0, 4_999));
});
