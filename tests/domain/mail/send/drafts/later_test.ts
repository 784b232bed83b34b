import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

// SPEC: later.send_at
Deno.test("a scheduled send is sent at its time, not before, and not if it was canceled", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, sentMails } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x" };
  for (const send_at of ["2026-11-20T10:00:00Z", "2026-11-19T10:00:00Z", "2027-02-18T10:00:01Z"]) {
    const late = await agent("POST", "/emails/send", { ...mail, send_at });
    assert.deepEqual([late.status, Object.keys(late.body.error.details)], [400, ["send_at"]]);
  }
  for (const path of ["/emails/send", "/drafts"]) {
    const local = await agent("POST", path, { ...mail, send_at: "2026-11-20T12:00:00" });
    assert.match(local.body.error.details.send_at, /with Z or an offset, such as /);
  }
  const send_at = "2026-11-20T12:00:00+01:00";
  const held = await agent("POST", "/emails/send", { ...mail, send_at, idempotency_key: "k" });
  assert.deepEqual([held.status, held.body.data.status, held.body.data.send_at], [
    201,
    "scheduled",
    "2026-11-20T11:00:00.000Z",
  ]);
  const canceled = await given(agent("POST", "/drafts", { ...mail, send_at }));
  await given(agent("DELETE", `/drafts/${canceled.draft_id}`));
  const moved = await given(agent("POST", "/drafts", { ...mail, send_at }));
  await given(agent("PATCH", `/drafts/${moved.draft_id}`, { send_at: "2026-11-20T11:30:00Z" }));
  await test.advance(3_599_999);
  assert.equal(await sentMails(), 0);
  await test.advance(1);
  assert.equal(await sentMails(), 1);
  const draft = await given(agent("GET", `/drafts/${held.body.data.draft_id}`));
  const email = await given(agent("GET", `/emails/${draft.email_id}`));
  assert.deepEqual([draft.status, email.received_at], ["sent", "2026-11-20T11:00:00.000Z"]);
  // The same request after its time answers as before.
  assert.deepEqual(
    await agent("POST", "/emails/send", { ...mail, send_at, idempotency_key: "k" }),
    held,
  );
  await test.advance(30 * 60_000);
  assert.equal(await sentMails(), 2);
});

// SPEC: later.judged_again
Deno.test("if a recipient has become new or blocked by then the mail is not sent, and the draft says why", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, person, policy, sentMails, changes } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, body_text: "x", send_at: "2026-11-20T10:30:00Z" };
  const made = [];
  for (const to of ["new@one.example", "blocked@one.example", "approved@one.example"]) {
    if (to.startsWith("approved")) await policy(box.mailbox_id, { approval: "new_recipients" });
    made.push(await given(agent("POST", "/emails/send", { ...mail, to })));
  }
  const [fresh, blocked, approved] = made;
  assert.deepEqual(made.map(({ status }) => status), [
    "scheduled",
    "scheduled",
    "pending_approval",
  ]);
  const { content_hash } = approved;
  const answer = await given(
    person("POST", `/drafts/${approved.draft_id}/approve`, { content_hash }),
  );
  assert.equal(answer.status, "scheduled");
  await policy(box.mailbox_id, { block_recipients: ["blocked@one.example"] });
  await test.advance(30 * 60_000);
  assert.equal(await sentMails(), 1);
  const shown = async (id: string) => {
    const { status, send_at, reasons } = await given(agent("GET", `/drafts/${id}`));
    return { status, send_at, reasons };
  };
  assert.deepEqual(await shown(fresh.draft_id), {
    status: "pending_approval",
    send_at: "2026-11-20T10:30:00.000Z",
    reasons: [{ recipient: "new@one.example", provenance: "new" }],
  });
  assert.deepEqual(await shown(blocked.draft_id), {
    status: "draft",
    send_at: null,
    reasons: [{ recipient: "blocked@one.example", provenance: "new", code: "RECIPIENT_BLOCKED" }],
  });
  assert.equal((await shown(approved.draft_id)).status, "sent");
  assert.equal((await changes()).filter((event) => event === "draft.updated").length, 2);
  // Approved after its time: at once.
  const late = await given(
    person("POST", `/drafts/${fresh.draft_id}/approve`, { content_hash: fresh.content_hash }),
  );
  assert.equal(late.status, "stored");
});

Deno.test("a scheduled mail that the quota refuses at its time has the provenance of each recipient in its reasons", async () => {
  await using test = await testService({ plans: { enterprise: { sendsPerDay: 1 } } });
  const owner = await account(test);
  const [box, own] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { agent, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { allow_recipients: ["@listed.example"] });
  const to = [own.email_address, "ann@listed.example", "new@one.example"];
  const mail = { mailbox_id: box.mailbox_id, to, body_text: "x" };
  const send_at = "2026-11-20T10:30:00Z";
  const { draft_id } = await given(agent("POST", "/emails/send", { ...mail, send_at }));
  await given(agent("POST", "/emails/send", mail));
  const tried = await given(agent("POST", "/emails/send", { ...mail, dry_run: true }));
  await test.advance(30 * 60_000);
  const { status, reasons } = await given(agent("GET", `/drafts/${draft_id}`));
  assert.deepEqual([status, reasons], ["draft", tried.reasons]);
  const provenances = reasons.map((each: { provenance: string }) => each.provenance);
  assert.deepEqual(provenances, ["own", "listed", "new"]);
});

// SPEC: later.cancel
Deno.test("sent and canceled at the same time: one of them happens, and the record says which", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, sentMails } = callsOf(test, owner);
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x" };
  for (let round = 0; round < 8; round++) {
    const at = test.clock.now() + 1_000;
    const draft = await given(
      agent("POST", "/drafts", { ...mail, send_at: new Date(at).toISOString() }),
    );
    const before = await sentMails();
    const path = `/drafts/${draft.draft_id}`;
    test.clock.advance(1_000);
    const [canceled, sent] = await Promise.all([
      agent("DELETE", path),
      agent("POST", `${path}/send`, {}),
    ]);
    await test.settle();
    const { status } = await given(agent("GET", path));
    assert.equal(status, canceled.status === 200 ? "canceled" : "sent");
    assert.equal(sent.status, status === "sent" ? 201 : 409);
    assert.equal(await sentMails() - before, status === "sent" ? 1 : 0);
    // Their thread is paused after twelve.
    test.clock.advance(600_000);
  }
});

// SPEC: later.many
Deno.test("300 sends scheduled for one moment are all sent then", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const send_at = "2026-11-20T11:00:00Z";
  const made = await Promise.all(
    Array.from({ length: 300 }, (_each, n) =>
      given(agent("POST", "/emails/send", {
        ...{ mailbox_id: box.mailbox_id, to: `n${n}@one.example`, body_text: "x", send_at },
      }))),
  );
  await test.advance(3_599_000);
  assert.deepEqual((await given(agent("GET", "/emails"))).length, 0);
  await test.advance(1_000);
  for (const { draft_id } of made) {
    assert.equal((await given(agent("GET", `/drafts/${draft_id}`))).status, "sent");
  }
});
