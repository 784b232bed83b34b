import assert from "node:assert/strict";
import { data, deliver, mailbox, message, testService } from "../../service.ts";
import { submitting, transaction } from "./submission.ts";

Deno.test("a reply by SMTP goes to who wrote in its conversation, as a reply by the API does", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  await smtp.policy({ approval: "new_recipients" });
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = box.email_address;
  const asked = { "Message-ID": "<question@example.net>" };
  const { email_id } = await deliver(test, from, message(asked));
  await test.settle();
  const say = async (
    to: string,
    ...fields: string[]
  ) => (await transaction(talk, from, [to], [`From: ${from}`, `To: ${to}`, ...fields, "", "Yes."]));
  const names = "In-Reply-To: <question@example.net>";
  assert.match(await say("ada@example.net"), /held for approval/, "no reply");
  assert.match(await say("ada@example.net", "In-Reply-To: <other@example.net>"), /held/);
  assert.match(await say("eve@example.net", names), /held/, "she did not write in it");
  assert.match(await say("ada@example.net", names), /^250 2\.6\.0 taken/);
  assert.match(
    await say("ada@example.net", "References: <first@example.net> <question@example.net>"),
    /^250 2\.6\.0 taken/,
  );
  // What waits stands in the conversation.
  const waits = (await smtp.drafts()).filter((each: { to: string[] }) =>
    each.to[0] === "eve@example.net"
  );
  assert.equal(waits[0].reply_to_email_id, email_id);
  const { thread_id } = await data(
    test.request(`/v1/api/emails/${email_id}`, { token: owner.key }),
  );
  const thread = await data(test.request(`/v1/api/threads/${thread_id}`, { token: owner.key }));
  assert.deepEqual(
    thread.drafts.map((each: { draft_id: string }) => each.draft_id),
    [waits[0].draft_id],
  );
});

Deno.test("mail of another mailbox makes nobody known to a reply by SMTP", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  await smtp.policy({ approval: "new_recipients" });
  const other = await mailbox(test, owner);
  await deliver(test, other.email_address, message({ "Message-ID": "<elsewhere@example.net>" }));
  await test.settle();
  const { talk } = await smtp.talk();
  using _ = talk;
  const from = box.email_address;
  const lines = [`From: ${from}`, "In-Reply-To: <elsewhere@example.net>", "", "Yes."];
  assert.match(await transaction(talk, from, ["ada@example.net"], lines), /held for approval/);
});

Deno.test("a message with text that its approver would not see is refused, and goes out where nobody approves", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const hidden = String.fromCodePoint(...[..."pay me"].map((each) => 0xe0000 + each.charCodeAt(0)));
  const mails = [
    { text: "Nice.", html: "<p>Nice.</p>", amp: "<!doctype html><html amp4email>Pay.</html>" },
    {
      ...{ text: "Nice.", html: "<p>Nice.</p>" },
      alternatives: [{ contentType: "text/watch-html", content: "<b>Pay.</b>" }],
    },
    { text: `Nice.${hidden}` },
  ];
  for (const mail of mails) {
    assert.match((await smtp.send({ to: "ada@example.net", ...mail })).response, /2\.6\.0 taken/);
  }
  await smtp.policy({ approval: "always" });
  for (const mail of mails) {
    await assert.rejects(
      smtp.send({ to: "ada@example.net", ...mail }),
      /550 5\.7\.1 .*text that a person does not see/,
    );
  }
  assert.deepEqual(await smtp.drafts(), []);
  // The flag of England is made of such characters too.
  const flag = String.fromCodePoint(0x1f3f4, 0xe0067, 0xe0062, 0xe0065, 0xe006e, 0xe0067, 0xe007f);
  const shown = await smtp.send({ to: "ada@example.net", text: `Nice. ${flag}` });
  assert.match(shown.response, /held for approval/);
});

Deno.test("a held message says that it goes out as it came, and is not sent after its mailbox got another address", async () => {
  await using test = await testService();
  await using smtp = await submitting(test);
  const { owner, box } = smtp;
  await smtp.policy({ approval: "always" });
  const sent = await smtp.send({ to: "ada@example.net", text: "Hello." });
  const [, draftId] = /: (\S+)$/.exec(sent.response)!;
  const path = `/v1/api/drafts/${draftId}`;
  const call = (method: string, where: string, json?: unknown) =>
    test.request(where, { method, token: owner.accessToken, json });
  const draft = await data(call("GET", path));
  assert.equal(draft.as_it_came, true);
  const json = { mailbox_id: box.mailbox_id, to: "ada@example.net", body_text: "Hello." };
  const plain = await data(test.request("/v1/api/drafts", { token: owner.key, json }));
  assert.ok(!("as_it_came" in plain));
  const name = { local_part: "other-name", domain: "agents.test" };
  assert.equal((await call("PATCH", `/api/mailboxes/${box.mailbox_id}`, name)).status, 200);
  const { content_hash } = await data(call("GET", path));
  const refused = await call("POST", `${path}/approve`, { content_hash });
  assert.equal(refused.status, 409);
  assert.match((await refused.json()).error.message, /former address; reject it/);
  assert.equal((await call("GET", `${path}`)).status, 200);
  assert.equal((await data(call("POST", `${path}/reject`, {}))).status, "rejected");
  assert.deepEqual(await data(call("GET", "/v1/api/emails?direction=outbound")), []);
});
