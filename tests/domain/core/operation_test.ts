import assert from "node:assert/strict";
import { tool } from "../../contract/budgets.ts";
import { account, mailbox, testService } from "../../service.ts";

Deno.test("an error of a field that is missing says that it is required, over REST and MCP", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const answers = {
    query: await test.request("/v1/api/search", { token: owner.key, json: {} }),
    mailbox_id: await test.request("/v1/api/expectations", {
      token: owner.key,
      json: { from_domain: "one.example" },
    }),
    to: await test.request("/v1/api/emails/send", { token: owner.key, json: { mailbox_id } }),
    "attachments.0.content": await test.request("/v1/api/emails/send", {
      token: owner.key,
      json: { mailbox_id, to: "a@b.example", body_text: "", attachments: [{ filename: "a" }] },
    }),
  };
  for (const [field, answer] of Object.entries(answers)) {
    assert.equal(answer.status, 400, field);
    const { error } = await answer.json();
    assert.equal(error.message, `${field}: is required`);
    assert.equal(error.details[field], "is required");
  }
  const { error } = await tool(test, owner, "get_email", {});
  assert.equal(error.message, "email_id: is required");
});
