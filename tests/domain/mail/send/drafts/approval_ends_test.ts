import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, data, mailbox, type TestService, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

const laterMs = 1_800_000;

async function world() {
  const test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const calls = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x" };
  return {
    ...{ test, owner, box, mail, ...calls },
    /** Mail for half an hour later that a person has approved. */
    approved: async () => {
      await calls.policy(box.mailbox_id, { approval: "new_recipients" });
      const send_at = new Date(test.clock.now() + laterMs).toISOString();
      const held = await given(calls.agent("POST", "/emails/send", { ...mail, send_at }));
      const { draft_id, content_hash } = held;
      const approve = calls.person("POST", `/drafts/${draft_id}/approve`, { content_hash });
      assert.equal((await given(approve)).status, "scheduled");
      return { path: `/drafts/${draft_id}`, content_hash };
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: approval.hash
Deno.test("an approved mail is not sent at its time if its mailbox was renamed meanwhile: the address is part of what was approved", async () => {
  await using it = await world();
  const { path, content_hash } = await it.approved();
  await data(it.test.request(`/api/mailboxes/${it.box.mailbox_id}`, {
    method: "PATCH",
    token: it.owner.accessToken,
    json: { local_part: "another-name", domain: "agents.test" },
  }));
  await it.test.advance(laterMs);
  const draft = await given(it.agent("GET", path));
  assert.deepEqual([draft.status, draft.from], ["pending_approval", "another-name@agents.test"]);
  assert.notEqual(draft.content_hash, content_hash);
  assert.equal(await it.sentMails(), 0);
});

// SPEC: approval.hash
Deno.test("an approved mail that the agent changes before its time waits for a person again", async () => {
  await using it = await world();
  const { path } = await it.approved();
  const changed = await given(it.agent("PATCH", path, { body_text: "y" }));
  assert.equal(changed.status, "pending_approval");
  await it.test.advance(laterMs);
  assert.equal((await given(it.agent("GET", path))).status, "pending_approval");
  assert.equal(await it.sentMails(), 0);
});

// SPEC: approval.hash
Deno.test("an approval ends with a send that is refused: the agent cannot send the draft later without a person", async () => {
  await using it = await world();
  const { path } = await it.approved();
  await it.policy(it.box.mailbox_id, { block_recipients: [it.mail.to] });
  await it.test.advance(laterMs);
  assert.equal((await given(it.agent("GET", path))).status, "draft");
  await it.policy(it.box.mailbox_id, { block_recipients: [] });
  assert.equal((await given(it.agent("POST", `${path}/send`, {}))).status, "pending_approval");
  assert.equal(await it.sentMails(), 0);
});

// SPEC: approval.known
Deno.test("a recipient of a draft that no person approved is new", async () => {
  await using it = await world();
  const { draft_id } = await given(it.agent("POST", "/drafts", it.mail));
  assert.equal((await given(it.agent("POST", `/drafts/${draft_id}/send`, {}))).status, "stored");
  await it.policy(it.box.mailbox_id, { approval: "new_recipients" });
  const next = await given(it.agent("POST", "/emails/send", it.mail));
  assert.deepEqual([next.status, next.reasons], [
    "pending_approval",
    [{ recipient: it.mail.to, provenance: "new" }],
  ]);
});

const contentRows = async ({ kv }: TestService) => {
  const tables = ["blob_chunks", "blobs_pending"];
  const rows = await Promise.all(
    tables.map((table) => Array.fromAsync(kv.list({ prefix: [table] }))),
  );
  return rows.map(({ length }) => length);
};

Deno.test("a changed draft has only its new content in the store, and a refused one none", async () => {
  await using it = await world();
  // Of several rows: a smaller one is written in the commit of the draft.
  const attachments = [{ filename: "a.bin", content: btoa("x".repeat(200_000)) }];
  const { draft_id } = await given(it.agent("POST", "/drafts", it.mail));
  assert.deepEqual(await contentRows(it.test), [1, 0]);
  const path = `/drafts/${draft_id}`;
  const changed = await given(it.agent("PATCH", path, { body_text: "y" }));
  assert.deepEqual(await contentRows(it.test), [1, 0]);
  assert.deepEqual(await given(it.agent("GET", path)), changed);
  await it.policy(it.box.mailbox_id, { block_recipients: [it.mail.to] });
  const send_at = new Date(it.test.clock.now() + laterMs).toISOString();
  for (
    const refused of [
      await it.agent("POST", "/drafts", { ...it.mail, send_at, attachments }),
      await it.agent("PATCH", path, { send_at, attachments }),
    ]
  ) {
    assert.deepEqual([refused.status, refused.body.error?.code], [422, "RECIPIENT_BLOCKED"]);
  }
  assert.deepEqual(await contentRows(it.test), [1, 0]);
});

Deno.test("10,000 drafts may be open; a further one is FORBIDDEN, and one that ends makes room", async () => {
  await using it = await world();
  const first = await given(it.agent("POST", "/drafts", it.mail));
  const row = keys.draftTotals(it.owner.userId);
  const { database } = it.test.service;
  const totals = await database.get<{ open: number; bytes: number }>(row);
  assert.deepEqual([totals?.open, totals!.bytes > 0], [1, true]);
  await database.transact((tx) => tx.set(row, { ...totals, open: 9_999 }));
  await given(it.agent("POST", "/drafts", it.mail));
  const refused = await it.agent("POST", "/drafts", it.mail);
  const { code, details } = refused.body.error;
  assert.deepEqual([refused.status, code, details.limit, details.used], [
    403,
    "FORBIDDEN",
    10_000,
    10_000,
  ]);
  await given(it.agent("DELETE", `/drafts/${first.draft_id}`));
  await given(it.agent("POST", "/drafts", it.mail));
});
