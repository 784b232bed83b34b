import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { clients, listen } from "./mcp_clients.ts";

const chosen = ["create_mailbox", "wait_for_email", "get_verification", "send_email"];

for (const [client, connect] of Object.entries(clients)) {
  // SPEC: mcp.chosen_tools, mcp.structured_off, mcp.slash, mcp.json_arguments, mcp.empty_arguments
  Deno.test({
    name:
      `${client} lists and calls with a slash, with chosen tools and without structured results`,
    // A client keeps its connection until the server closes.
    sanitizeResources: false,
    sanitizeOps: false,
    async fn() {
      await using test = await testService();
      await using server = listen(test);
      const owner = await account(test);
      const box = await mailbox(test, owner);
      const { email_id } = await deliver(
        test,
        box.email_address,
        message({}, "The code is 482913."),
      );
      await test.settle();
      const variants: [suffix: string, structured: boolean, named: boolean][] = [
        ["/?toolset=full", true, false],
        [`?tools=${chosen}`, true, true],
        [`?tools=${chosen}&structured=off`, false, true],
        ["?toolset=full&structured=off&max_chars=4000", false, false],
      ];
      for (const [suffix, structured, named] of variants) {
        const agent = await connect(`${server.url}${suffix}`, owner.key);
        const { tools } = await agent.listTools();
        const names = tools.map(({ name }) => name);
        if (named) assert.deepEqual(names, ["send_email", ...chosen.slice(0, 3)]);
        else assert.ok(names.length > 30);
        for (const { outputSchema } of tools) assert.equal(outputSchema !== undefined, structured);
        const args = {
          ...{ mailbox_id: box.mailbox_id, timeout_seconds: "0", since: "2026-01-01" },
          ...{ from: "", is_read: null, has_attachments: "false", require: "code" },
        };
        const waited = await agent.callTool({ name: "wait_for_email", arguments: args });
        const answer = JSON.parse(waited.content[0].text!);
        assert.equal(answer.email.email_id, email_id, JSON.stringify(answer));
        assert.equal(answer.verification.best_code, "482913");
        assert.deepEqual(waited.structuredContent, structured ? answer : undefined);
        const mail = { mailbox_id: box.mailbox_id, body_text: "Hi.", dry_run: "true", cc: "" };
        const to = '["ann@one.example"]';
        const sent = await agent.callTool({ name: "send_email", arguments: { ...mail, to } });
        assert.equal(JSON.parse(sent.content[0].text!).dry_run, true);
        await agent.close();
      }
      await assert.rejects(connect(`${server.url}?tools=send_mail`, owner.key));
    },
  });
}
