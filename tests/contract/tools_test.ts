import assert from "node:assert/strict";
import { account, deliver, mailbox, message, type TestService, testService } from "../service.ts";

/** Calls a tool; returns whether it failed, and its result. */
async function call(test: TestService, token: string, name: string, args: object = {}) {
  const answer = await test.request("/v1/mcp", {
    token,
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    headers: { accept: "application/json, text/event-stream" },
  });
  const text = await answer.text();
  const line = text.split("\n").find((each) => each.startsWith("data: "));
  const { result } = JSON.parse(line ? line.slice(6) : text);
  const [{ type, text: written }, ...others] = result.content;
  assert.deepEqual([type, others], ["text", []]);
  const output = JSON.parse(written);
  const failed = result.isError === true;
  // Clients validate structured content with the output schema, which failures do not match.
  if (!failed) assert.equal(JSON.stringify(result.structuredContent), written);
  return { failed, output };
}

/** A mailbox with a mail and a sent reply to it. */
async function conversation(test: TestService) {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message({
    From: "Ada <ada@example.net>",
    To: box.email_address,
    Cc: "bob@example.org",
    Subject: "Engine",
    Date: "Fri, 20 Nov 2026 09:00:00 +0000",
    "Message-ID": "<e1@example.net>",
  }, "The order is ZX-48213.\n");
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  await test.advance(1_000);
  const tool = async (name: string, args: object = {}) => {
    const { failed, output } = await call(test, owner.key, name, args);
    assert.equal(failed, false, JSON.stringify(output));
    return output;
  };
  return { owner, box, raw, email_id, tool };
}

// SPEC: mcp.bearer, mcp.structured, mcp.list_mailboxes, mcp.list_emails, mcp.search_emails, mcp.get_email
// SPEC: mcp.get_email_thread, mcp.include_body, mcp.get_email_raw, mcp.send_email, mcp.reply_email
// SPEC: general.timestamps, access.v1
Deno.test("each tool answers the specified fields, equal as text and as structured content", async () => {
  await using test = await testService();
  const { owner, box, raw, email_id, tool } = await conversation(test);
  const { mailbox_id, email_address } = box;
  assert.deepEqual(await tool("list_mailboxes"), {
    mailboxes: [{
      mailbox_id,
      email_address,
      domain: "agents.test",
      status: "active",
      email_count: 1,
      last_email_date: "2026-11-20T10:00:00.000Z",
    }],
  });
  const { emails: [record] } = await tool("list_emails", { mailbox_id });
  const { thread_id } = record;
  const date = "2026-11-20T09:00:00.000Z";
  const marks = { is_read: false, labels: [], automated: false, auth_verdict: "none" };
  assert.deepEqual(await tool("list_emails", { mailbox_id }), {
    emails: [{
      ...{ email_id, message_id: "<e1@example.net>", thread_id, mailbox_id, direction: "inbound" },
      ...{
        from: "ada@example.net",
        from_name: "Ada",
        to: [email_address],
        cc: ["bob@example.org"],
        envelope_to: [email_address],
      },
      ...{ subject: "Engine", date, received_at: "2026-11-20T10:00:00.000Z" },
      ...{ snippet: "The order is ZX-48213.", has_attachments: false, attachment_ids: [] },
      ...{ attachments: [], size: raw.length, processed: true, ...marks },
    }],
    has_more: false,
    next_cursor: null,
  });
  const search = await tool("search_emails", { query: "ZX-48213" });
  const { snippet, score } = search.results[0];
  assert.match(snippet, /ZX-48213/);
  assert.ok(score > 0 && score <= 1);
  assert.deepEqual(search, {
    results: [{
      ...{ email_id, thread_id, mailbox_id, subject: "Engine", from: "ada@example.net", date },
      ...{ snippet, score, found_by: ["identifier", "words"], ...marks },
    }],
    total: 1,
    pending: 0,
  });
  assert.deepEqual(await tool("get_email", { email_id }), {
    email: {
      ...{ email_id, subject: "Engine", from: "ada@example.net", to: [email_address] },
      ...{ cc: ["bob@example.org"], envelope_to: [email_address] },
      ...{ date, body_text: "The order is ZX-48213.\n" },
      ...{ has_attachments: false, attachment_ids: [], attachments: [], thread_id, mailbox_id },
      auth: {
        ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
        ...{ domain: "example.net", source: "checked" },
      },
      ...marks,
      problem: null,
    },
  });
  const original = await tool("get_email_raw", { email_id });
  const download = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
  await download.body?.cancel();
  assert.deepEqual(original, {
    email_id,
    r2_key: download.headers.get("x-service-storage-key"),
    raw_eml_base64: btoa(raw),
    encoding: "base64",
    content_type: "message/rfc822",
  });

  const reply = await tool("reply_email", { email_id, body_text: "Thank you." });
  assert.deepEqual(reply, {
    ...{ email_id: reply.email_id, message_id: `<${reply.email_id}@agents.test>`, thread_id },
    ...{ mailbox_id, status: "stored", from: email_address, to: ["ada@example.net"], cc: [] },
    ...{ subject: "Re: Engine", created_at: "2026-11-20T10:00:01.000Z" },
  });
  const sent = await tool("send_email", { mailbox_id, to: "ann@one.example", body_text: "Hi." });
  assert.deepEqual(sent, {
    ...{ email_id: sent.email_id, message_id: `<${sent.email_id}@agents.test>` },
    ...{ thread_id: sent.thread_id, mailbox_id, status: "stored", from: email_address },
    ...{ to: ["ann@one.example"], cc: [], subject: "", created_at: "2026-11-20T10:00:01.000Z" },
  });
  await test.settle();
  const item = {
    ...{ email_id, subject: "Engine", from: "ada@example.net", to: [email_address], date },
    ...{ direction: "inbound", from_name: "Ada", has_attachments: false, status: null },
    ...marks,
  };
  const answer = {
    ...{ email_id: reply.email_id, subject: "Re: Engine", from: email_address },
    ...{ to: ["ada@example.net"], date: "2026-11-20T10:00:01.000Z", ...marks },
    ...{ is_read: true, auth_verdict: null },
    ...{ direction: "outbound", from_name: "", has_attachments: false, status: "stored" },
  };
  assert.deepEqual(await tool("get_email_thread", { thread_id }), {
    thread_id,
    thread: [
      { ...item, body_text_snippet: "The order is ZX-48213." },
      { ...answer, body_text_snippet: "Thank you." },
    ],
    has_more: false,
    next_cursor: null,
    waiting_for: "them",
    drafts: [],
  });
  assert.deepEqual(await tool("get_email_thread", { thread_id, include_body: false }), {
    thread_id,
    thread: [{ ...item, body_text_snippet: "" }, { ...answer, body_text_snippet: "" }],
    has_more: false,
    next_cursor: null,
    waiting_for: "them",
    drafts: [],
  });
});

// SPEC: mcp.foreign_404, mcp.errors, mcp.structured, access.foreign_404
Deno.test("an id of another account is NOT_FOUND on every tool, and the other account's lists are empty", async () => {
  await using test = await testService();
  const { box: { mailbox_id, email_address }, email_id, tool } = await conversation(test);
  const { email: { thread_id } } = await tool("get_email", { email_id });
  const { key } = await account(test);
  const foreign: [string, object, string][] = [
    ["search_emails", { query: "order", mailbox_id }, "mailbox"],
    ["list_emails", { mailbox_id }, "mailbox"],
    ["get_email", { email_id }, "email"],
    ["get_email_thread", { thread_id }, "thread"],
    ["get_email_raw", { email_id }, "email"],
    ["send_email", { mailbox_id, to: "a@one.example", body_text: "x" }, "mailbox"],
    ["send_email", { from: email_address, to: "a@one.example", body_text: "x" }, "mailbox"],
    ["reply_email", { email_id, body_text: "x" }, "email"],
  ];
  for (const [name, args, what] of foreign) {
    const { failed, output } = await call(test, key, name, args);
    assert.deepEqual([failed, output.error.code], [true, "NOT_FOUND"], name);
    assert.deepEqual(output, {
      error: { code: "NOT_FOUND", message: `There is no such ${what}.` },
    }, name);
  }
  const { output: { emails } } = await call(test, key, "list_emails", { thread_id });
  const { output: { results } } = await call(test, key, "search_emails", { query: "ZX-48213" });
  const { output: { mailboxes } } = await call(test, key, "list_mailboxes");
  assert.deepEqual([emails, results, mailboxes], [[], [], []]);
});
