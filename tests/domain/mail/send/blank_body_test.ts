import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { callTool } from "../../../routes/mcp/call_tool.ts";
import { post, storedMail } from "./sending.ts";

const blanks = ["", " ", "\r\n\t"];

// SPEC: send.blank_body
Deno.test("a blank body beside another is none: send, reply, forward and drafts, over REST and MCP", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const { email_id } = await deliver(
    test,
    email_address,
    message({ From: "ann@one.example" }, "x"),
  );
  await test.settle();
  const to = "ann@one.example";
  const calls: [path: string, tool: string, args: Record<string, unknown>][] = [
    ["/emails/send", "send_email", { mailbox_id, to, dry_run: true }],
    [`/emails/${email_id}/reply`, "reply_email", { email_id, dry_run: true }],
    [`/emails/${email_id}/forward`, "forward_email", { email_id, to, dry_run: true }],
    ["/drafts", "create_draft", { mailbox_id, to }],
  ];
  for (const [path, tool, args] of calls) {
    await test.advance(60_000);
    const rest = async (bodies: object) => {
      const { email_id: _, ...json } = { ...args, ...bodies } as Record<string, unknown>;
      const { body } = await post(test, owner, `/v1/api${path}`, json);
      return body.data.content_hash;
    };
    const mcp = async (bodies: object) =>
      (await callTool(test, owner.key, tool, { ...args, ...bodies })).content_hash;
    for (const hashOf of [rest, mcp]) {
      const [text, html] = [
        await hashOf({ body_text: "t" }),
        await hashOf({ body_html: "<p>h</p>" }),
      ];
      assert.notEqual(text, html);
      for (const blank of blanks) {
        assert.equal(await hashOf({ body_text: "t", body_html: blank }), text, tool);
        assert.equal(await hashOf({ body_text: blank, body_html: "<p>h</p>" }), html, tool);
      }
    }
  }
  const [, , { email_id: _, ...forward }] = calls[2];
  const forwarded = async (bodies: object) =>
    (await post(test, owner, `/v1/api${calls[2][0]}`, { ...forward, ...bodies })).body.data
      .content_hash;
  assert.equal(await forwarded({ body_text: "", body_html: "" }), await forwarded({}));
});

// SPEC: send.blank_body
Deno.test("two blank bodies stay, and a mail with HTML and a blank text gets a text of its HTML", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example" };
  const hash = async (bodies: object) => {
    const json = { ...mail, ...bodies, dry_run: true };
    return (await post(test, owner, "/v1/api/emails/send", json)).body.data.content_hash;
  };
  const both = await hash({ body_text: "", body_html: "" });
  assert.notEqual(both, await hash({ body_text: "" }));
  assert.notEqual(both, await hash({ body_html: "" }));
  const sent = await post(test, owner, "/v1/api/emails/send", {
    ...{ ...mail, body_text: "", body_html: "<p>Words</p>" },
  });
  assert.equal((await storedMail(test, owner, sent.body.data.email_id)).mail.text?.trim(), "Words");
});

// SPEC: send.blank_body
Deno.test("a blank body beside another is the same request under an idempotency key, and none in a changed draft", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example", body_text: "t", idempotency_key: "k" };
  const first = await post(test, owner, "/v1/api/emails/send", mail);
  const again = await post(test, owner, "/v1/api/emails/send", { ...mail, body_html: "" });
  assert.deepEqual(again.body, first.body);
  const made = await callTool(test, owner.key, "create_draft", {
    ...{ mailbox_id, to: "ann@one.example", body_text: "t", body_html: "<p>h</p>" },
  });
  const { draft_id } = made;
  const change = (fields: object) =>
    callTool(test, owner.key, "update_draft", { draft_id, ...fields });
  const changed = await change({ body_html: "" });
  assert.deepEqual([changed.body_text, changed.body_html], ["t", null]);
});
