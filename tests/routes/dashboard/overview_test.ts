import assert from "node:assert/strict";
import { allowedTo } from "../../../domain/core/roles/least_role.ts";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";

// SPEC: dashboard.account
Deno.test("GET /api/account tells who is signed in, the plan's limits and where the service is", async () => {
  await using test = await testService({ plans: {} });
  const owner = await account(test, "free");
  const found = await data(test.request("/api/account", { headers: { cookie: owner.cookie } }));
  const { limits, inboundHint, createdAt, may, ...rest } = found;
  assert.deepEqual(rest, {
    userId: owner.userId,
    name: "Test Account",
    email: owner.email,
    memberId: owner.userId,
    role: "owner",
    plan: "free",
    mustConfirmEmail: false,
    baseUrl: "http://localhost:8000",
    mxHost: "mx.agents.test",
    sharedDomains: ["agents.test", "mail.agents.test"],
  });
  assert.deepEqual(may, allowedTo("owner"));
  assert.equal(limits.mailboxes, 5);
  assert.equal(limits.requestsPerMinute, 20);
  assert.equal(createdAt, "2026-11-20T10:00:00.000Z");
  // In development; it names the token and does not show it.
  assert.match(inboundHint, /SMTP at localhost:2525/);
  assert.ok(!inboundHint.includes("inbound-token-of-the-tests"));
  assert.equal((await test.request("/api/account")).status, 401);
  assert.equal((await test.request("/api/account", { token: owner.key })).status, 401);
});

// SPEC: dashboard.mailboxes
Deno.test("GET /api/mailboxes has the records of v1 with counts of received mail", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message());
  const own = await (await test.request("/v1/api/mailboxes", { token: owner.key })).json();
  const counted = await (await test.request("/api/mailboxes", { token: owner.accessToken })).json();
  assert.deepEqual(counted, {
    mailboxes: [{
      ...own.mailboxes[0],
      email_count: 1,
      unread_count: 1,
      last_email_date: "2026-11-20T10:00:00.000Z",
    }],
  });
  const json = { mailbox_id: box.mailbox_id, to: ["ada@example.net"], body_text: "Hello" };
  const sent = await data(test.request("/v1/api/emails/send", { token: owner.key, json }));
  await test.settle();
  const unread = { method: "PATCH", token: owner.key, json: { is_read: false } };
  await data(test.request(`/v1/api/emails/${sent.email_id}`, unread));
  const { mailboxes } = await (await test.request("/api/mailboxes", { token: owner.accessToken }))
    .json();
  assert.equal(mailboxes[0].unread_count, 1, "what was sent has no read state");
});

// SPEC: dashboard.usage
Deno.test("usage counts the sends of today, mailboxes and webhooks", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const json = { mailbox_id, to: ["ada@example.net"], subject: "Hello", body_text: "Hello" };
  for (const path of ["/v1/api/emails/send", "/v1/api/emails/send"]) {
    assert.equal((await test.request(path, { token: owner.key, json })).status, 201);
  }
  const usage = () =>
    data(test.request("/api/billing/usage", { headers: { cookie: owner.cookie } }));
  const used = await usage();
  assert.deepEqual([used.sendsUsed, used.mailboxesUsed, used.webhooksUsed], [2, 1, 0]);
  await test.advance(86_400_000);
  assert.equal((await usage()).sendsUsed, 0, "the next day");
});
