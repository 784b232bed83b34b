import assert from "node:assert/strict";
import { account, mailbox, testService } from "../service.ts";
import { failure, familiesOf } from "./families.ts";

// SPEC: mailboxes.check_email, mailboxes.session_routes
Deno.test("check-email answers the address in its one spelling where it could be created", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const { title, call } of familiesOf(test, owner)) {
    assert.deepEqual(
      await call("GET", "/mailboxes/check-email?local_part=Agent.One&domain=AGENTS.test"),
      {
        status: 200,
        body: { success: true, valid: true, email_address: "agent.one@agents.test" },
      },
      title,
    );
  }
});

// SPEC: mailboxes.check_email_rules, mailboxes.session_routes
Deno.test("check-email answers every broken rule with 200 and valid: false on both families", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  await mailbox(test, await account(test), "taken.one");
  const rules: [string, string, unknown][] = [
    ["local_part=&domain=agents.test", "LOCAL_TOO_SHORT", { min_length: 5, actual_length: 0 }],
    ["local_part=abcd&domain=agents.test", "LOCAL_TOO_SHORT", { min_length: 5, actual_length: 4 }],
    ["local_part=agent.&domain=agents.test", "INVALID_LOCAL", { local_part: "agent." }],
    ["local_part=POSTMASTER&domain=agents.test", "DISALLOWED_LOCAL", { local_part: "postmaster" }],
    ["local_part=agent.one&domain=own.test", "DOMAIN_NOT_ALLOWED", {
      domain: "own.test",
      plan: "free",
    }],
    ["local_part=Taken.One&domain=agents.test", "EMAIL_TAKEN", {
      email_address: "taken.one@agents.test",
    }],
  ];
  for (const { title, call } of familiesOf(test, owner)) {
    for (const [query, code, details] of rules) {
      const answer = await call("GET", `/mailboxes/check-email?${query}`);
      const { message, ...body } = answer.body as { message: string };
      assert.equal(answer.status, 200);
      assert.ok(message.length > 0);
      assert.deepEqual(body, { success: true, valid: false, code, details }, `${title} ${query}`);
    }
  }
});

Deno.test("check-email answers MAILBOX_QUOTA for one more mailbox, not for a rename", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const boxes = [];
  for (let n = 0; n < 5; n++) boxes.push(await mailbox(test, owner, `agent-${n}`));
  for (const { call } of familiesOf(test, owner)) {
    const query = "/mailboxes/check-email?local_part=agent-new&domain=agents.test";
    const full = (await call("GET", query)).body as { code: string; details: unknown };
    assert.equal(full.code, "MAILBOX_QUOTA");
    assert.deepEqual(full.details, { count: 5, limit: 5, plan: "free" });
    const renamed = await call("GET", `${query}&exclude_mailbox_id=${boxes[0].mailbox_id}`);
    assert.deepEqual(renamed.body, {
      success: true,
      valid: true,
      email_address: "agent-new@agents.test",
    });
  }
});

// SPEC: mailboxes.check_email_exclude
Deno.test("check-email counts the address of exclude_mailbox_id as available, of an own mailbox only", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const own = await mailbox(test, owner, "agent-own");
  const foreign = await mailbox(test, other, "agent-foreign");
  for (const { call } of familiesOf(test, owner)) {
    const check = async (local: string, excluded: string) =>
      ((await call(
        "GET",
        `/mailboxes/check-email?local_part=${local}&domain=agents.test&exclude_mailbox_id=${excluded}`,
      )).body as { valid: boolean }).valid;
    assert.equal(await check("agent-own", own.mailbox_id), true);
    assert.equal(await check("agent-foreign", foreign.mailbox_id), false);
    assert.equal(await check("agent-foreign", own.mailbox_id), false);
  }
});

// SPEC: mailboxes.check_email_domain, error.missing_fields
Deno.test("check-email answers 400 MISSING_FIELDS without domain or local_part", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const { title, call } of familiesOf(test, owner)) {
    assert.deepEqual(failure(await call("GET", "/mailboxes/check-email?local_part=agent.one")), {
      status: 400,
      code: "MISSING_FIELDS",
      details: { fields: ["domain"] },
    }, title);
    assert.deepEqual(failure(await call("GET", "/mailboxes/check-email?domain=agents.test")), {
      status: 400,
      code: "MISSING_FIELDS",
      details: { fields: ["local_part", "email_address"] },
    }, title);
  }
});
