import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";
import { brokenNames, brokenQuota } from "./broken_rules.ts";
import { failure, familiesOf } from "./families.ts";

// SPEC: mailboxes.check_email, mailboxes.session_routes
Deno.test("check-email answers the normalised address if it could be created", async () => {
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
Deno.test("check-email answers every broken rule with 200, valid: false and its whole body", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  await mailbox(test, await account(test), "taken.one");
  for (const { title, call } of familiesOf(test, owner)) {
    for (const { input, error } of brokenNames) {
      const query = new URLSearchParams(input as Record<string, string>);
      assert.deepEqual(await call("GET", `/mailboxes/check-email?${query}`), {
        status: 200,
        body: { success: true, valid: false, ...error },
      }, `${title} ${query}`);
    }
    assert.deepEqual(
      (await call("GET", "/mailboxes/check-email?local_part=&domain=agents.test")).body,
      {
        success: true,
        valid: false,
        code: "LOCAL_TOO_SHORT",
        message: "The part before the @ must have at least 5 characters.",
        details: { min_length: 5, actual_length: 0 },
      },
    );
  }
});

Deno.test("check-email answers MAILBOX_QUOTA for one more mailbox, not for a rename", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const boxes = [];
  for (let n = 0; n < 5; n++) boxes.push(await mailbox(test, owner, `agent-${n}`));
  for (const { call } of familiesOf(test, owner)) {
    const query = "/mailboxes/check-email?local_part=one-more&domain=agents.test";
    assert.deepEqual((await call("GET", query)).body, {
      success: true,
      valid: false,
      ...brokenQuota.error,
    });
    const renamed = await call("GET", `${query}&exclude_mailbox_id=${boxes[0].mailbox_id}`);
    assert.deepEqual(renamed.body, {
      success: true,
      valid: true,
      email_address: "one-more@agents.test",
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
      details: { fields: ["local_part"] },
    }, title);
    const { error } = (await call("GET", "/mailboxes/check-email?domain=agents.test"))
      .body as { error: { message: string } };
    assert.equal(error.message, "The field local_part is required.");
    assert.deepEqual(failure(await call("GET", "/mailboxes/check-email")), {
      status: 400,
      code: "MISSING_FIELDS",
      details: { fields: ["domain", "local_part"] },
    }, title);
  }
});
