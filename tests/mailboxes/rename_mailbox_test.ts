import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../service.ts";
import { failure, familiesOf, sessionOf } from "./families.ts";

// SPEC: mailboxes.rename, state.mailbox_renamed, mailbox.hold, mailbox.plus_tag
Deno.test("PATCH /api/mailboxes/{id} keeps id and mail, moves routing, holds the old address", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner, "old-name");
  const before = await deliver(test, "old-name@agents.test", message({ Subject: "Before" }));
  for (const [n, family] of familiesOf(test, owner).slice(2).entries()) {
    const answer = await family.call("PATCH", `/mailboxes/${box.mailbox_id}`, {
      local_part: `New-Name-${n}`,
      domain: "Mail.Agents.test",
    });
    assert.deepEqual(answer, {
      status: 200,
      body: {
        success: true,
        data: {
          previous_email_address: n === 0 ? "old-name@agents.test" : "new-name-0@mail.agents.test",
          mailbox: {
            mailbox_id: box.mailbox_id,
            email_address: `new-name-${n}@mail.agents.test`,
            domain: "mail.agents.test",
            status: "active",
          },
        },
      },
    });
  }
  const after = await deliver(
    test,
    "New-Name-1+tag@mail.agents.test",
    message({ Subject: "After" }),
  );
  assert.equal(after.disposition, "accepted");
  for (const address of ["old-name@agents.test", "new-name-0@mail.agents.test"]) {
    assert.equal((await deliver(test, address, message())).code, "UNKNOWN_RECIPIENT");
    const [local, domain] = address.split("@");
    const body = { local_part: local, domain };
    assert.equal(
      failure(await familiesOf(test, other)[0].call("POST", "/mailboxes", body)).code,
      "EMAIL_TAKEN",
    );
  }
  const emails = await familiesOf(test, owner)[0].call(
    "GET",
    `/emails?mailbox_id=${box.mailbox_id}`,
  );
  assert.deepEqual(
    (emails.body as { data: { email_id: string }[] }).data.map((each) => each.email_id),
    [after.email_id, before.email_id],
  );
});

Deno.test("PATCH /api/mailboxes/{id} to its own address in other letters changes nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner, "same-name");
  const { call } = sessionOf(test, owner);
  const body = { email_address: "Same-Name@agents.test", domain: "agents.test" };
  const answer = await call("PATCH", `/mailboxes/${box.mailbox_id}`, body);
  assert.deepEqual(answer.body, {
    success: true,
    data: {
      previous_email_address: "same-name@agents.test",
      mailbox: {
        mailbox_id: box.mailbox_id,
        email_address: "same-name@agents.test",
        domain: "agents.test",
        status: "active",
      },
    },
  });
  assert.equal((await deliver(test, "same-name@agents.test", message())).disposition, "accepted");
});

// SPEC: mailboxes.rename_rules
Deno.test("PATCH /api/mailboxes/{id} applies every rule of creation but the quota", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const boxes = [];
  for (let n = 0; n < 5; n++) boxes.push(await mailbox(test, owner, `agent-${n}`));
  const { call } = sessionOf(test, owner);
  const rules: [Record<string, unknown>, number, string, unknown][] = [
    [{ local_part: "agent-9" }, 400, "MISSING_FIELDS", { fields: ["domain"] }],
    [{ email_address: "@agents.test", domain: "agents.test" }, 400, "BAD_REQUEST", {
      email_address: "@agents.test",
    }],
    [{ email_address: "agent-9@x.test", domain: "agents.test" }, 422, "DOMAIN_MISMATCH", {
      domain_expected: "agents.test",
      domain_in_request: "x.test",
    }],
    [{ local_part: "abc", domain: "agents.test" }, 422, "LOCAL_TOO_SHORT", {
      min_length: 5,
      actual_length: 3,
    }],
    [{ local_part: "agent 9", domain: "agents.test" }, 422, "INVALID_LOCAL", {
      local_part: "agent 9",
    }],
    [{ local_part: "admin", domain: "agents.test" }, 422, "DISALLOWED_LOCAL", {
      local_part: "admin",
    }],
    [{ local_part: "agent-9", domain: "x.test" }, 422, "DOMAIN_NOT_ALLOWED", {
      domain: "x.test",
      plan: "free",
    }],
    [{ local_part: "AGENT-1", domain: "agents.test" }, 409, "EMAIL_TAKEN", {
      email_address: "agent-1@agents.test",
    }],
  ];
  for (const [body, status, code, details] of rules) {
    assert.deepEqual(
      failure(await call("PATCH", `/mailboxes/${boxes[0].mailbox_id}`, body)),
      { status, code, details },
      JSON.stringify(body),
    );
  }
  const body = { local_part: "agent-9", domain: "agents.test" };
  assert.equal((await call("PATCH", `/mailboxes/${boxes[0].mailbox_id}`, body)).status, 200);
});

// SPEC: access.foreign_404
Deno.test("PATCH /api/mailboxes/{id} of an unknown or foreign mailbox is 404, by a key 401", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const foreign = await mailbox(test, other);
  const body = { local_part: "new-name", domain: "agents.test" };
  const { call } = sessionOf(test, owner);
  for (const id of [foreign.mailbox_id, crypto.randomUUID()]) {
    assert.deepEqual(await call("PATCH", `/mailboxes/${id}`, body), {
      status: 404,
      body: {
        success: false,
        error: { code: "NOT_FOUND", message: "There is no such mailbox." },
      },
    });
  }
  const byKey = await test.request(`/api/mailboxes/${foreign.mailbox_id}`, {
    method: "PATCH",
    token: other.key,
    json: body,
  });
  assert.equal(byKey.status, 401);
});
