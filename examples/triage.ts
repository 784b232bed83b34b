// Triage of an inbox over MCP: each unread mail is read once, in a budget, and gets a label.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { apiKey, baseUrl, somebodyWrites } from "./settings.ts";

const client = new Client({ name: "triage", version: "1.0.0" });
// No mail takes more than 4,000 characters of the model's context.
const url = new URL(`${baseUrl}/v1/mcp?toolset=full&max_chars=4000`);
const headers = { Authorization: `Bearer ${apiKey}` };
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

// deno-lint-ignore no-explicit-any -- what tools answer
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent;
}

/** Stands for a model: which label a mail gets. */
function labelOf(mail: { subject: string; automated: boolean; text: string }): string {
  if (mail.automated) return "newsletter";
  return /invoice|bill/i.test(mail.subject + mail.text) ? "billing" : "to-answer";
}

const { mailbox: { mailbox_id, email_address: to } } = await call("create_mailbox", {});
await somebodyWrites({ from: "ada@example.net", to, subject: "Lunch?", text: "On Friday?" });
await somebodyWrites({ from: "bo@example.net", to, subject: "Invoice 7", text: "It is due." });
await somebodyWrites({
  from: "news@example.org",
  to,
  // The header of a mailing list makes a mail automatic.
  subject: "News\r\nList-Id: <news.example.org>",
  text: "log line\r\n".repeat(5_000),
});

for (;;) {
  // Mail that is marked as read is not listed again: a second run continues where this one stops.
  const { emails } = await call("list_emails", { mailbox_id, is_read: false, limit: 20 });
  if (emails.length === 0) break;
  for (const { email_id, subject, automated } of emails) {
    const { email } = await call("get_email", { email_id });
    const label = labelOf({ subject, automated, text: email.body_text });
    await call("update_emails", { email_ids: [email_id], is_read: true, add_labels: [label] });
    console.log(`${label}: ${subject}`);
  }
}
await client.close();
