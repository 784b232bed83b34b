import assert from "node:assert/strict";
import type { JsonSchema } from "../../../routes/http/json_schema.ts";
import { argumentReader } from "../../../routes/mcp/lenient_arguments.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { callTool } from "./call_tool.ts";
import { post } from "./post.ts";
import { type Argument, optionalOf, schemaOf } from "./tool_schemas.ts";

const texts = ["subject", "body_text", "body_html"];

/** How an empty argument is answered: as if it were absent, with an error, or as a value. */
function howEmpty(tool: string, { name, types }: Argument, value: unknown) {
  const isGuard = ["dry_run", "content_hash"].includes(name);
  if (value === null) return types.includes("null") ? "value" : isGuard ? "error" : "absent";
  if (tool === "update_draft" || texts.includes(name)) return "value";
  return isGuard || name === "send_at" ? "error" : "absent";
}

const empty = [null, ""];

// SPEC: mcp.empty_arguments
Deno.test("null and an empty text for an optional argument are as its absence, for each argument of each tool but guards and texts", () => {
  let count = 0;
  for (const tool of tools) {
    const read = argumentReader(schemaOf(tool), tool);
    for (const argument of optionalOf(schemaOf(tool))) {
      for (const value of empty) {
        const given = { [argument.name]: value };
        const what = `${tool.operation.name} ${argument.name}: ${JSON.stringify(value)}`;
        const how = howEmpty(tool.operation.name, argument, value);
        if (how === "error") assert.throws(() => read(given), { code: "VALIDATION_ERROR" }, what);
        else if (how === "value") assert.deepEqual(read(given)[argument.name], value, what);
        else {
          assert.ok(!(argument.name in read(given)), what);
          count++;
        }
      }
    }
  }
  assert.ok(count > 150, String(count));
});

/** What a call needs besides its required arguments to succeed. */
const besides: Record<string, (box: string) => object> = {
  send_email: (box) => ({ mailbox_id: box, to: "a@one.example", body_text: "x", dry_run: true }),
  reply_email: () => ({ body_text: "x", dry_run: true }),
  forward_email: () => ({ to: "a@one.example", dry_run: true }),
  create_draft: (box) => ({ mailbox_id: box, to: "a@one.example", body_text: "x" }),
  update_email: () => ({ is_read: true, add_labels: ["a"], remove_labels: ["b"] }),
  update_emails: () => ({ is_read: true, add_labels: ["a"], remove_labels: ["b"] }),
  // It finds the mail, whatever is left out.
  wait_for_email: () => ({ timeout_seconds: 0, since: "2026-01-01" }),
};

/** An answer without what differs from call to call. */
function comparable(answer: unknown, given: object): unknown {
  const own = /_(id|url|address|cursor)$/;
  const known = Object.values(given);
  return JSON.parse(
    JSON.stringify(
      answer,
      (key, value) => own.test(key) && !known.includes(value) ? undefined : value,
    ),
  );
}

// SPEC: mcp.empty_arguments
Deno.test("every tool answers a call with null or an empty text for an optional argument as one without it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const other = await mailbox(test, owner);
  const raw = message({ Subject: "Engine", From: "Ada <ada@example.net>" }, "The code is 482913.");
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const { email } = await callTool(test, owner.key, "get_email", { email_id });
  // Nothing is in the other mailbox, so each call finds the same.
  const values: Record<string, unknown> = {
    ...{ email_id, thread_id: email.thread_id, mailbox_id: other.mailbox_id },
    ...{ email_ids: [email_id], query: "Engine", from_domain: "example.net" },
  };
  let count = 0, succeeded = 0;
  const answerTo = (name: string, args: object) => callTool(test, owner.key, name, args);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const { body } = await post(test, owner.key, list, { path: "/v1/mcp?toolset=full" });
  const listed: { name: string; inputSchema: JsonSchema }[] = body.result.tools;
  for (const { name, inputSchema } of listed) {
    const required = inputSchema.required ?? [];
    const base: Record<string, unknown> = {
      ...Object.fromEntries(required.map((each) => [each, values[each] ?? "nothing"])),
      ...besides[name]?.(box.mailbox_id),
    };
    for (const argument of optionalOf(inputSchema)) {
      // The service has a limit of calls a minute.
      if (++count % 15 === 0) await test.advance(60_000);
      const { [argument.name]: _, ...without } = base;
      const absent = comparable(await answerTo(name, without), values);
      if (!Object.hasOwn(absent as object, "error")) succeeded++;
      for (const value of empty) {
        const answer = await answerTo(name, { ...without, [argument.name]: value });
        const what = `${name} ${argument.name}: ${JSON.stringify(value)}`;
        const how = howEmpty(name, argument, value);
        if (how === "absent") assert.deepEqual(comparable(answer, values), absent, what);
        if (how !== "error") continue;
        assert.equal(answer.error.code, "VALIDATION_ERROR", what);
        assert.deepEqual(Object.keys(answer.error.details), [argument.name], what);
      }
    }
  }
  assert.ok(succeeded > 60, String(succeeded));
});

// SPEC: mcp.empty_arguments
Deno.test("a guard that is empty sends nothing: dry_run, content_hash and send_at", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example", body_text: "Hi." };
  const guards: [string, unknown][] = [
    ...[null, "", " ", "null", "no"].map((value): [string, unknown] => ["dry_run", value]),
    ...[null, ""].map((value): [string, unknown] => ["content_hash", value]),
    ...["", " ", "null"].map((value): [string, unknown] => ["send_at", value]),
  ];
  for (const [field, value] of guards) {
    const { error } = await callTool(test, owner.key, "send_email", { ...mail, [field]: value });
    assert.equal(error.code, "VALIDATION_ERROR", `${field}: ${JSON.stringify(value)}`);
    assert.deepEqual(Object.keys(error.details), [field]);
  }
  const draft = await callTool(test, owner.key, "create_draft", mail);
  for (const value of [null, ""]) {
    const args = { draft_id: draft.draft_id, content_hash: value };
    const { error } = await callTool(test, owner.key, "send_draft", args);
    assert.equal(error.code, "VALIDATION_ERROR");
  }
  await test.settle();
  const { emails } = await callTool(test, owner.key, "list_emails", { direction: "outbound" });
  assert.deepEqual(emails, []);
});

// SPEC: mcp.empty_arguments
Deno.test("in update_draft an empty text is the new text, null removes, and an empty list of recipients is refused", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example", cc: "bob@two.example", subject: "A" };
  const made = await callTool(test, owner.key, "create_draft", { ...mail, body_text: "Hi." });
  const { draft_id } = made;
  const change = (fields: object) =>
    callTool(test, owner.key, "update_draft", { draft_id, ...fields });
  const changed = await change({ subject: "", body_text: "", cc: null, automatic: null });
  assert.deepEqual([changed.subject, changed.body_text, changed.cc], ["", "", []]);
  for (const fields of [{ to: "" }, { send_at: "" }, { automatic: "" }]) {
    assert.equal((await change(fields)).error.code, "VALIDATION_ERROR", JSON.stringify(fields));
  }
  const { to } = await callTool(test, owner.key, "get_draft", { draft_id });
  assert.deepEqual(to, made.to);
});
