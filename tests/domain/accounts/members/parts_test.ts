import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import { appsOf, connect } from "../../../routes/oauth/connect.ts";
import { colleague } from "./colleague.ts";

// SPEC: members.decided_by, roles.parts
Deno.test("an approver changes and decides drafts that wait, and the draft says who; a key is nobody", async () => {
  await using test = await testService();
  const owner = await account(test);
  const approver = await colleague(test, owner, "approver");
  const { mailbox_id } = await mailbox(test, owner);
  const as = async (token: string, method: string, path: string, json?: object) => {
    const answer = await test.request(`/v1/api${path}`, { token, method, ...(json && { json }) });
    const { data, error } = await answer.json();
    return { status: answer.status, error, ...data };
  };
  await as(owner.accessToken, "PUT", `/mailboxes/${mailbox_id}/policy`, { approval: "always" });
  const mail = { mailbox_id, to: "ann@one.example", subject: "s", body_text: "one" };
  const held = async (more = {}) =>
    (await as(owner.key, "POST", "/emails/send", { ...mail, ...more })).draft_id as string;
  const read = (id: string) => as(owner.key, "GET", `/drafts/${id}`);

  const first = await held();
  assert.equal((await read(first)).decided_by, null);
  const changed = await as(approver.accessToken, "PATCH", `/drafts/${first}`, { body_text: "two" });
  assert.equal(changed.status, "pending_approval");
  const { content_hash } = await read(first);
  await as(approver.accessToken, "POST", `/drafts/${first}/approve`, { content_hash });
  const who = { member_id: approver.memberId, name: "The approver" };
  const sent = await read(first);
  assert.deepEqual([sent.status, sent.decided_by], ["sent", who]);

  const second = await held();
  const rejected = await as(approver.accessToken, "POST", `/drafts/${second}/reject`, {});
  assert.deepEqual([rejected.status, rejected.decided_by], ["rejected", who]);

  // An approval for later is of its content: a change makes it undecided.
  const third = await held({ send_at: new Date(test.clock.now() + 3_600_000).toISOString() });
  const { content_hash: hash } = await read(third);
  await as(owner.accessToken, "POST", `/drafts/${third}/approve`, { content_hash: hash });
  const scheduled = await read(third);
  assert.deepEqual([scheduled.status, scheduled.decided_by.member_id], ["scheduled", owner.userId]);
  const refused = await as(approver.accessToken, "PATCH", `/drafts/${third}`, { body_text: "x" });
  assert.deepEqual(refused.error.details, { required_role: "admin" }, "it does not wait");
  await as(owner.key, "PATCH", `/drafts/${third}`, { body_text: "other" });
  assert.deepEqual([(await read(third)).status, (await read(third)).decided_by], [
    ...["pending_approval", null],
  ]);

  const { apiKey } = await data(test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "approves", scopes: ["emails:approve", "emails:read"] },
  }));
  const now = await read(third);
  await as(apiKey, "POST", `/drafts/${third}/approve`, { content_hash: now.content_hash });
  assert.deepEqual([(await read(third)).status, (await read(third)).decided_by], [
    ...["scheduled", null],
  ]);
});

// SPEC: roles.parts
Deno.test("an approver marks and labels mail, and does not delete it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { accessToken: token } = await colleague(test, owner, "approver");
  const { email_address } = await mailbox(test, owner);
  const { email_id } = await deliver(test, email_address, message({ Subject: "s" }));
  const batch = (json: object) =>
    test.request("/v1/api/emails/batch", { token, json: { email_ids: [email_id], ...json } });
  assert.equal((await batch({ is_read: true, add_labels: ["seen"] })).status, 200);
  const refused = await batch({ delete: true });
  assert.deepEqual([refused.status, (await refused.json()).error.details], [403, {
    required_role: "admin",
  }]);
  assert.equal(
    (await test.request(`/v1/api/emails/${email_id}`, { token, method: "DELETE" })).status,
    403,
  );
});

// SPEC: roles.own_apps
Deno.test("everybody disconnects their own apps, and an admin those of all", async () => {
  await using test = await testService();
  const owner = await account(test);
  const viewer = await colleague(test, owner, "viewer");
  const own = await connect(test, viewer), others = await connect(test, owner);
  const revoke = async (token: string, id: string) =>
    (await test.request(`/api/apps/${id}`, { method: "DELETE", token })).status;
  assert.equal(await revoke(viewer.accessToken, others.grantId), 403);
  assert.equal(await revoke(viewer.accessToken, own.grantId), 200);
  const again = await connect(test, viewer);
  assert.equal(await revoke(owner.accessToken, again.grantId), 200);
  assert.deepEqual((await appsOf(test, owner)).map(({ grant_id }) => grant_id), [others.grantId]);
});
