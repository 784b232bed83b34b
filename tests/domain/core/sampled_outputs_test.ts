import assert from "node:assert/strict";
import type { Caller } from "../../../domain/core/caller.ts";
import type { Operation } from "../../../domain/core/operation.ts";
import { served } from "../../../routes/app.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";

const attachment = [
  "--b",
  "Content-Type: text/plain",
  "",
  "The engine is ready.",
  "--b",
  "Content-Type: application/pdf",
  'Content-Disposition: attachment; filename="plan.pdf"',
  "",
  "%PDF",
  "--b--",
  "",
].join("\r\n");

// In production most of these answers are not parsed, so a field that the schema lacks would be sent.
Deno.test("the output of every sampled operation is exactly what its schema has", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const mails = [
    message({ Subject: "Engine", Cc: "Bob <bob@example.org>" }, "The engine is ready.\n"),
    message({ Subject: "Engine", "Content-Type": "multipart/mixed; boundary=b" }, attachment),
    message({ Subject: "", From: "", "Auto-Submitted": "auto-replied" }, ""),
  ];
  const ids: string[] = [];
  for (const mail of mails) ids.push((await deliver(test, email_address, mail)).email_id);
  const { email_id } = await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: { mailbox_id, to: ["ada@example.net"], subject: "Engine", body_text: "It runs." },
  }));
  await test.settle();
  await test.advance(60_000);
  const caller: Caller = { userId: owner.userId, plan: "enterprise" };
  const { data: listed } = await (await test.request("/v1/api/emails", { token: owner.key }))
    .json();
  const threads = listed.map(({ thread_id }: { thread_id: string }) => thread_id);
  const inputs: Record<string, Record<string, unknown>[]> = {
    list_emails: [{}, { mailbox_id, limit: 2 }],
    get_email: [...ids, email_id].map((each) => ({ email_id: each })),
    get_email_thread: threads.map((thread_id: string) => ({ thread_id, include_body: true })),
    search_emails: [{ query: "engine" }, { query: "nothing of this" }],
    search_with_reasons: [{ query: "engine" }, { query: "engine", label: "none", mailbox_id }],
  };
  const operations = [...served.account, ...tools].map((row): Operation => row.operation);
  const sampled = new Set(operations.filter((each) => each.sampled));
  assert.ok(sampled.size >= 4);
  for (const each of sampled) {
    const asked = inputs[each.name];
    assert.ok(asked, `inputs of ${each.name}`);
    for (const given of asked) {
      const input = each.input.parse(given);
      const made = await each.run(test.service, caller, input, {
        surface: "rest",
        audit() {},
      });
      assert.deepEqual(JSON.parse(JSON.stringify(made)), each.output.parse(made), each.name);
    }
  }
});
