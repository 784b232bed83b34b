import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  testService,
} from "../service.ts";
import { rest, tool } from "./budgets.ts";

const lines = [
  "Hi Bob,",
  "when does the hall open for us on Thursday morning?",
  "And who brings the folding chairs?",
];
const question = lines.join("\n");
const answers = [lines[0], lines[1], "At seven.", lines[2], "Nora does."];
const quote = (all: readonly string[]) =>
  `See below.\n\nFrom: Ada <ada@example.net>\nSent: Monday, 2 November 2026 10:00\nTo: Bob\n` +
  `Subject: The fair\n\n${all.join("\n")}\n`;
const reply = message({
  From: "Bob <bob@example.com>",
  Subject: "RE: The fair",
  "Message-ID": "<answer@example.com>",
  "In-Reply-To": "<question@example.net>",
}, quote(answers));
const newText = `See below.\n\n> ${lines[1]}\nAt seven.\n\n> ${lines[2]}\nNora does.`;
const asked = message({ Subject: "The fair", "Message-ID": "<question@example.net>" }, question);

const read = async (test: Parameters<typeof rest>[0], owner: TestAccount, id: string) =>
  (await rest(test, owner, `/v1/api/emails/${id}?segments=true`)).data as {
    body_text: string;
    body_new_text: string;
    segments: { origin: string; text: string }[];
  };

Deno.test("answers inside the quote are new wherever the mail is read, and the segments are still its text", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, asked);
  const { email_id } = await deliver(test, box.email_address, reply);
  await test.settle();
  const whole = await read(test, owner, email_id);
  assert.equal(whole.body_new_text, newText);
  assert.equal(whole.segments.map(({ text }) => text).join(""), whole.body_text);
  const { email } = await tool(test, owner, "get_email", { email_id, segments: true });
  assert.deepEqual(email.segments, whole.segments);
  const path = `/v1/api/mailboxes/${box.mailbox_id}/claims`;
  const { data: claims } = await rest(test, owner, path, { limit: 2 });
  assert.equal(claims[1].email.body_new_text, newText);
});

Deno.test("without the answered mail, deleted or of another mailbox, the quote is what its marks say", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, other] = [await mailbox(test, owner), await mailbox(test, owner)];
  await deliver(test, other.email_address, asked);
  const { email_id } = await deliver(test, box.email_address, reply);
  await test.settle();
  const before = await read(test, owner, email_id);
  assert.equal(before.body_new_text, "See below.");
  const first = await deliver(test, box.email_address, asked);
  await test.settle();
  assert.equal((await read(test, owner, email_id)).body_new_text, newText);
  const deleted = await test.request(`/v1/api/emails/${first.email_id}`, {
    method: "DELETE",
    token: owner.key,
  });
  assert.equal(deleted.status, 200);
  await deleted.body?.cancel();
  assert.deepEqual(await read(test, owner, email_id), before);
});

Deno.test("an answer to a mail that the mailbox sent is compared with what was sent", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const sent = await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: {
      mailbox_id: box.mailbox_id,
      to: ["bob@example.com"],
      subject: "The fair",
      body_text: question,
    },
  }));
  const { data: { message_id } } = await rest(test, owner, `/v1/api/emails/${sent.email_id}`);
  const { email_id } = await deliver(
    test,
    box.email_address,
    reply.replace("<question@example.net>", message_id),
  );
  await test.settle();
  assert.equal((await read(test, owner, email_id)).body_new_text, newText);
});
