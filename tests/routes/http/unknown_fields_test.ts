import assert from "node:assert/strict";
import { tool } from "../../contract/budgets.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";

Deno.test("an unknown parameter is refused with the known one that was meant: the whole name of a part of it, else the one with the fewest edits", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const reasonOf = async (path: string, field: string, json?: object) => {
    const answer = await test.request(path, { token: owner.key, json });
    assert.equal(answer.status, 400, path);
    return (await answer.json()).error.details[field];
  };
  const near = (name: string) => `is not a parameter; the nearest is \`${name}\``;
  const wait = { timeout: "timeout_seconds", Timeout: "timeout_seconds", mailbox: "mailbox_id" };
  const misspelt = { form: "from", label_any: "label", subjects: "subject", threadid: "thread_id" };
  for (const [given, meant] of Object.entries({ ...wait, ...misspelt, t: "to" })) {
    const path = `/v1/api/emails/wait?mailbox_id=${mailbox_id}&${given}=1`;
    assert.equal(await reasonOf(path, given), near(meant), given);
  }
  assert.equal(await reasonOf("/v1/api/search", "q", { q: "invoice" }), near("query"));
  const expected = { expires_in: "expires_in_seconds", from: "from_domain", kind_of_mail: "kind" };
  for (const [given, meant] of Object.entries(expected)) {
    const json = { mailbox_id, from_domain: "a.example", [given]: "60" };
    assert.equal(await reasonOf("/v1/api/expectations", given, json), near(meant), given);
  }
  const sent = { mailbox_id, to: [{ address: "a@b.example" }], subject: "", dryrun: true };
  assert.equal(await reasonOf("/v1/api/emails/send", "dryrun", sent), near("dry_run"));
  const words = { body: "body_text", text: "body_text", html: "body_html", at: "send_at" };
  for (const [given, meant] of Object.entries(words)) {
    const json = { mailbox_id, to: "a@b.example", subject: "", [given]: "x" };
    assert.equal(await reasonOf("/v1/api/emails/send", given, json), near(meant), given);
  }
  // With nothing near, a guess would mislead: all are named.
  for (const given of ["tags", "track_opens"]) {
    const json = { mailbox_id, to: "a@b.example", subject: "", [given]: "x" };
    const reason = await reasonOf("/v1/api/emails/send", given, json);
    assert.match(
      reason,
      /^is not a parameter; the parameters are `mailbox_id`, .*`send_at`/,
      given,
    );
  }
  const { error } = await tool(test, owner, "wait_for_email", { mailbox_id, timeout: 1 });
  assert.equal(error.details.timeout, near("timeout_seconds"));
});

Deno.test("a body cannot have what the path has, and an ack that has a field is refused: it may be meant as a nack", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "work" }));
  const post = (path: string, json: object) => test.request(path, { token: owner.key, json });
  const claimed = await post(`/v1/api/mailboxes/${box.mailbox_id}/claims`, {});
  const { claim_id } = (await claimed.json()).data[0];
  const path = `/v1/api/claims/${claim_id}`;
  for (
    const [end, json, reason] of [
      ["extend", { lease: 30 }, "is not a parameter; the nearest is `lease_seconds`"],
      ["extend", { claim_id: "x" }, "is not a parameter; the parameters are `lease_seconds`"],
      ["ack", { delay_seconds: 30 }, "is not a parameter; there are none here"],
    ] as const
  ) {
    const answer = await post(`${path}/${end}`, json);
    const { error } = await answer.json();
    assert.deepEqual([answer.status, Object.values(error.details)], [400, [reason]]);
  }
  assert.equal((await post(`${path}/ack`, {})).status, 200);
});

Deno.test("an unknown field of an attachment is refused: a misspelt type would be sent as octet-stream", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const good = { filename: "a.csv", content_type: "text/csv", content: "" };
  const wrong = { filename: "b.csv", contentType: "text/csv", content: "" };
  const mail = { mailbox_id, to: "a@b.example", body_text: "x", attachments: [good, wrong] };
  const reason = "is not a parameter; the nearest is `content_type`";
  for (const path of ["/v1/api/emails/send", "/v1/api/drafts"]) {
    const answer = await test.request(path, { token: owner.key, json: mail });
    const { error } = await answer.json();
    assert.deepEqual(error.details, { "attachments.1.contentType": reason });
  }
  const { error } = await tool(test, owner, "send_email", mail);
  assert.deepEqual(error.details, { "attachments.1.contentType": reason });
});

Deno.test("a query cannot have what the path has", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const path = `/v1/api/emails/${email_id}`;
  const answer = await test.request(`${path}?email_id=another`, { token: owner.key });
  const { error } = await answer.json();
  assert.deepEqual(Object.keys(error.details), ["email_id"]);
});
