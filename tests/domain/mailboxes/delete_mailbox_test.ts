import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { failure, familiesOf } from "./families.ts";

const dayMs = 86_400_000;

// SPEC: mailboxes.delete
Deno.test("DELETE /mailboxes/{id} answers data.deleted, and the mailbox is gone on both families", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const { title, call } of familiesOf(test, owner)) {
    const box = await mailbox(test, owner);
    const answer = await call("DELETE", `/mailboxes/${box.mailbox_id}`, {
      confirm_email_address: box.email_address,
    });
    assert.deepEqual(
      answer,
      { status: 200, body: { success: true, data: { deleted: true } } },
      title,
    );
    assert.deepEqual((await call("GET", "/mailboxes")).body, { mailboxes: [] });
    const again = await call("DELETE", `/mailboxes/${box.mailbox_id}`, {
      confirm_email_address: box.email_address,
    });
    assert.deepEqual(failure(again), { status: 404, code: "NOT_FOUND", details: undefined });
  }
});

// SPEC: mailboxes.delete_no_body, mailboxes.delete_confirm, mailboxes.delete_unknown
// SPEC: error.bad_request
Deno.test("DELETE /mailboxes/{id} wants the full address exactly, and deletes nothing otherwise", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner, "agent-one");
  const foreign = await mailbox(test, other, "agent-two");
  for (const { title, call } of familiesOf(test, owner)) {
    assert.deepEqual(failure(await call("DELETE", `/mailboxes/${box.mailbox_id}`)), {
      status: 400,
      code: "VALIDATION_ERROR",
      details: title.startsWith("/v1")
        ? { confirm_email_address: "is required" }
        : { field_errors: { confirm_email_address: "is required" } },
    }, title);
    for (
      const body of [
        {},
        { confirm_email_address: "" },
        { confirm_email_address: null },
        { confirm_email_address: "agent-one" },
        { confirm_email_address: "Agent-One@agents.test" },
        { confirm_email_address: "agent-one@agents.test " },
        { confirm_email_address: "agent-two@agents.test" },
      ]
    ) {
      const refused = failure(await call("DELETE", `/mailboxes/${box.mailbox_id}`, body));
      assert.equal(refused.status, 400);
      assert.equal(refused.code, "VALIDATION_ERROR");
      const details = refused.details as { field_errors?: Record<string, string> };
      const fields = title.startsWith("/api") ? details.field_errors : details;
      assert.deepEqual(Object.keys(fields ?? {}), ["confirm_email_address"], title);
    }
    for (const id of [foreign.mailbox_id, crypto.randomUUID()]) {
      const body = { confirm_email_address: foreign.email_address };
      assert.deepEqual(failure(await call("DELETE", `/mailboxes/${id}`, body)), {
        status: 404,
        code: "NOT_FOUND",
        details: undefined,
      });
    }
  }
  assert.equal((await deliver(test, "agent-one@agents.test", message())).disposition, "accepted");
  assert.equal((await deliver(test, "agent-two@agents.test", message())).disposition, "accepted");
});

Deno.test("a deleted mailbox frees its place in the quota at once", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const boxes = [];
  for (let n = 0; n < 5; n++) boxes.push(await mailbox(test, owner, `agent-${n}`));
  const { call } = familiesOf(test, owner)[0];
  await call("DELETE", `/mailboxes/${boxes[0].mailbox_id}`, {
    confirm_email_address: boxes[0].email_address,
  });
  const results = await Promise.all(
    Array.from(
      { length: 50 },
      (_, n) => call("POST", "/mailboxes", { local_part: `racer-${n}`, domain: "agents.test" }),
    ),
  );
  assert.equal(results.filter((each) => each.status === 201).length, 1);
  assert.equal(results.filter((each) => each.status === 403).length, 49);
});

// SPEC: mailbox.hold
Deno.test("a deleted mailbox's address is held for its former owner until the hold is over", async () => {
  await using test = await testService({ env: { ADDRESS_HOLD_DAYS: "30" } });
  const owner = await account(test), other = await account(test);
  const body = { local_part: "Agent-One", domain: "agents.test" };
  const mine = familiesOf(test, owner)[0], theirs = familiesOf(test, other)[0];
  const box = await mailbox(test, owner, "agent-one");
  await deliver(test, box.email_address, message({ Subject: "Old" }));
  const remove = (id: string) =>
    mine.call("DELETE", `/mailboxes/${id}`, { confirm_email_address: "agent-one@agents.test" });
  await remove(box.mailbox_id);
  assert.equal((await deliver(test, box.email_address, message())).code, "UNKNOWN_RECIPIENT");
  assert.equal(failure(await theirs.call("POST", "/mailboxes", body)).code, "EMAIL_TAKEN");
  const check = "/mailboxes/check-email?local_part=agent-one&domain=agents.test";
  assert.equal(((await theirs.call("GET", check)).body as { code: string }).code, "EMAIL_TAKEN");
  assert.equal(((await mine.call("GET", check)).body as { valid: boolean }).valid, true);
  const again = await mine.call("POST", "/mailboxes", body);
  assert.equal(again.status, 201);
  const { mailbox_id } = (again.body as { mailbox: { mailbox_id: string } }).mailbox;
  assert.notEqual(mailbox_id, box.mailbox_id);
  const emails = await mine.call("GET", `/emails?mailbox_id=${mailbox_id}`);
  assert.deepEqual((emails.body as { data: unknown[] }).data, [], "none of the old mail");
  await remove(mailbox_id);
  await test.advance(30 * dayMs - 1);
  assert.equal(failure(await theirs.call("POST", "/mailboxes", body)).code, "EMAIL_TAKEN");
  await test.advance(1);
  assert.equal((await theirs.call("POST", "/mailboxes", body)).status, 201);
});
