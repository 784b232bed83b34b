import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";
import { post } from "../mcp/post.ts";

Deno.test("half of a surrogate pair in a JSON body becomes U+FFFD, over REST and MCP", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const send = String.raw`{"mailbox_id":"${box.mailbox_id}","to":"${box.email_address}",` +
    String.raw`"subject":"cut \ud83d","body_text":"whole \ud83d\ude42"}`;
  const answer = await test.request("/v1/api/emails/send", {
    method: "POST",
    token: owner.key,
    headers: { "content-type": "application/json" },
    body: send,
  });
  assert.equal(answer.status, 201);
  const { data } = await answer.json();
  assert.equal(data.subject, "cut \ufffd");
  await test.settle();
  const read = await test.request(`/v1/api/emails/${data.email_id}`, { token: owner.key });
  const { data: email } = await read.json();
  assert.deepEqual([email.subject, email.body_text.trim()], ["cut \ufffd", "whole 🙂"]);
  const call =
    String.raw`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_email",` +
    String.raw`"arguments":${send}}}`;
  const { body } = await post(test, owner.key, call);
  assert.equal(body.result.structuredContent.subject, "cut \ufffd");
});
