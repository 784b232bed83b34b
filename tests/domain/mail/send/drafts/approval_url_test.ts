import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

// SPEC: approval.url
Deno.test("what waits for approval carries the page on which a person decides; nothing else does", async () => {
  await using test = await testService({ env: { BASE_URL: "https://box.example" } });
  const owner = await account(test), box = await mailbox(test, owner);
  const { agent, person, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { approval: "always" });
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", subject: "s", body_text: "t" };
  const urlOf = (draftId: string) => `https://box.example/app/waiting/${draftId}`;
  const [{ email_id }] = [await given(agent("POST", "/emails/send", { ...mail, dry_run: true }))];
  assert.equal(email_id, undefined);
  const held = await given(agent("POST", "/emails/send", mail));
  assert.equal(held.approval_url, urlOf(held.draft_id));
  const later = new Date(test.clock.now() + 3_600_000).toISOString();
  const scheduled = await given(agent("POST", "/drafts", { ...mail, send_at: later }));
  assert.equal(scheduled.approval_url, urlOf(scheduled.draft_id));
  const draft = await given(agent("POST", "/drafts", mail));
  assert.ok(!("approval_url" in draft));
  const waits = await given(agent("POST", `/drafts/${draft.draft_id}/send`, {}));
  assert.equal(waits.approval_url, urlOf(draft.draft_id));
  const changed = await given(agent("PATCH", `/drafts/${held.draft_id}`, { subject: "u" }));
  assert.equal(changed.approval_url, urlOf(held.draft_id));
  const listed = await given(agent("GET", "/drafts?status=pending_approval"));
  for (const each of listed) assert.equal(each.approval_url, urlOf(each.draft_id));
  assert.equal(listed.length, 3);
  const rejected = await given(person("POST", `/drafts/${held.draft_id}/reject`, {}));
  assert.ok(!("approval_url" in rejected));

  // A reply and a forward of a mail that was approved.
  const { content_hash } = await given(agent("GET", `/drafts/${draft.draft_id}`));
  const sent = await given(person("POST", `/drafts/${draft.draft_id}/approve`, { content_hash }));
  assert.ok(!("approval_url" in sent));
  const at = `/emails/${sent.email_id}`;
  const reply = await given(agent("POST", `${at}/reply`, { body_text: "r" }));
  assert.equal(reply.approval_url, urlOf(reply.draft_id));
  const forward = await given(agent("POST", `${at}/forward`, { to: "bob@one.example" }));
  assert.equal(forward.approval_url, urlOf(forward.draft_id));

  const called = await test.request("/v1/mcp", {
    ...{ method: "POST", token: owner.key },
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "send_email", arguments: mail },
    }),
  });
  const [, message] = /^data: (.*)$/m.exec(await called.text()) ?? [];
  const { draft_id, approval_url } = JSON.parse(message).result.structuredContent;
  assert.equal(approval_url, urlOf(draft_id));
});
