import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { brokenNames, brokenQuota, brokenRequests } from "./broken_rules.ts";
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
  await mailbox(test, await account(test), "taken.one");
  const boxes = [];
  for (let n = 0; n < 5; n++) boxes.push(await mailbox(test, owner, `agent-${n}`));
  for (const { title, call } of familiesOf(test, owner).slice(2)) {
    for (const { input, status, error } of [...brokenRequests, ...brokenNames]) {
      assert.deepEqual(
        await call("PATCH", `/mailboxes/${boxes[0].mailbox_id}`, input),
        { status, body: { success: false, error } },
        `${title} ${JSON.stringify(input)}`,
      );
    }
  }
  const { call } = sessionOf(test, owner);
  const path = `/mailboxes/${boxes[0].mailbox_id}`;
  assert.equal((await call("PATCH", path, brokenQuota.input)).status, 200);
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
