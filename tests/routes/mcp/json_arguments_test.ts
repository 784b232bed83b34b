import assert from "node:assert/strict";
import { argumentReader } from "../../../routes/mcp/lenient_arguments.ts";
import { tools } from "../../../routes/mcp/tools.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { callTool } from "./call_tool.ts";
import { schemaOf, typesOf } from "./tool_schemas.ts";

const readerOf = (name: string) =>
  argumentReader(schemaOf(tools.find(({ operation }) => operation.name === name)!));

const jsonText: Record<string, [value: unknown, text: string][]> = {
  integer: [[10, "10"], [10, "10.0"], [10, " 10 "], [-1, "-1"], [1000, "1e3"]],
  number: [[0.5, "0.5"]],
  boolean: [[true, "true"], [false, "false"]],
  array: [[["a", "b"], '["a", "b"]'], [[], "[]"]],
};

/** Texts that are no JSON of any wanted kind. */
const otherTexts = ["ten", "0x10", "+1", "True", "yes", "[a]", "{", "'a'", '"10"', "null", "１０"];

// SPEC: mcp.json_arguments
Deno.test("a number, a boolean and a list as JSON text are read for each argument of each tool that takes one and no text; other texts stay", () => {
  let count = 0;
  for (const tool of tools) {
    const read = argumentReader(schemaOf(tool), tool);
    for (const [name, schema] of Object.entries(schemaOf(tool).properties ?? {})) {
      const types = typesOf(schema);
      for (const [type, values] of Object.entries(jsonText)) {
        const isRead = types.includes(type) && (type === "array" || !types.includes("string"));
        for (const [value, text] of values) {
          if (name === "attachments" || (!isRead && types.includes("number"))) continue;
          const isNumber = type !== "array" && type !== "boolean" && types.includes("integer");
          const expected = isRead || isNumber ? value : text;
          assert.deepEqual(read({ [name]: text }), { [name]: expected }, `${name}: ${text}`);
          if (isRead) count++;
        }
      }
      for (const text of otherTexts) assert.deepEqual(read({ [name]: text }), { [name]: text });
    }
  }
  assert.ok(count > 150, String(count));
});

// SPEC: mcp.json_arguments
Deno.test("attachments are read as JSON text, whole or each, and what is empty in them is absent", () => {
  const read = readerOf("send_email");
  const item = { filename: "a.txt", content: "aGk=" };
  const attachments = [item];
  for (
    const given of [
      attachments,
      JSON.stringify(attachments),
      [JSON.stringify(item)],
      JSON.stringify([JSON.stringify(item)]),
      [{ ...item, content_type: null }],
      JSON.stringify([{ ...item, content_type: "" }]),
    ]
  ) assert.deepEqual(read({ attachments: given }), { attachments });
  const text = { type: "string" };
  const properties = { filename: text, content: text, upload_id: text, email_id: text };
  const readEither = argumentReader({
    type: "object",
    properties: { attachments: { type: "array", items: { type: "object", properties } } },
  });
  const filled = { filename: "", content: "", upload_id: "u1", email_id: null };
  assert.deepEqual(readEither({ attachments: [filled] }), { attachments: [{ upload_id: "u1" }] });
  const emptyFile = { filename: "a.txt", content: "" };
  const beside = { ...emptyFile, upload_id: "" };
  assert.deepEqual(readEither({ attachments: [beside] }), { attachments: [emptyFile] });
  assert.deepEqual(read({ attachments: [emptyFile] }), { attachments: [emptyFile] });
  assert.deepEqual(read({ attachments: "report.pdf" }), { attachments: "report.pdf" });
});

// SPEC: mcp.json_arguments
Deno.test("arguments with names of Object's properties stay what they are", () => {
  const read = readerOf("list_emails");
  const given = JSON.parse('{"__proto__": null, "constructor": "", "limit": "5"}');
  const made = read(given);
  assert.deepEqual(Object.entries(made), [["__proto__", null], ["constructor", ""], ["limit", 5]]);
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  const nested = JSON.parse('{"attachments": [{"__proto__": {"filename": "x"}}]}');
  assert.deepEqual(Object.keys((read(nested).attachments as object[])[0]), ["__proto__"]);
});

Deno.test("the texts of one call have as many values as a body, together", () => {
  const read = readerOf("update_emails");
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1));
  assert.equal((read({ email_ids: list(90_000) }).email_ids as unknown[]).length, 90_000);
  assert.equal(typeof read({ email_ids: list(100_001) }).email_ids, "string");
  const both = read({ add_labels: list(60_000), remove_labels: list(60_000) });
  assert.deepEqual([typeof both.add_labels, typeof both.remove_labels], ["object", "string"]);
});

Deno.test("texts beyond those values are left as they are, without an error for each", () => {
  const read = readerOf("send_email");
  const { toLocaleString } = Number.prototype;
  let errors = 0;
  // The error names the number of values.
  Number.prototype.toLocaleString = function (...given) {
    errors++;
    return toLocaleString.apply(this, given);
  };
  try {
    const attachments = read({ attachments: Array(90_000).fill("{}") }).attachments as unknown[];
    assert.deepEqual([typeof attachments[49_999], typeof attachments[50_000]], [
      "object",
      "string",
    ]);
  } finally {
    Number.prototype.toLocaleString = toLocaleString;
  }
  assert.equal(errors, 1);
});

interface Shape {
  from: string;
  tool: string;
  sent: object;
  meant: object;
}

// SPEC: mcp.json_arguments, mcp.empty_arguments
Deno.test("arguments as LangChain, n8n, Claude and GPT send them are answered as those that were meant", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const raw = message(
    { Subject: "Engine", "Message-ID": "<e1@example.net>" },
    "The code is 482913.",
  );
  const { email_id } = await deliver(test, email_address, raw);
  await test.settle();
  const mail = { mailbox_id, subject: "", body_text: "Hi.", dry_run: true };
  const shapes: Shape[] = [
    {
      from: "LangChain, every optional field as null",
      tool: "list_emails",
      sent: {
        ...{ mailbox_id, limit: 5, cursor: null, offset: null, from: null, to: null },
        ...{ subject: null, date_from: null, is_read: null, direction: null, max_chars: null },
      },
      meant: { mailbox_id, limit: 5 },
    },
    {
      from: "GPT in strict mode, every field of a send",
      tool: "send_email",
      sent: {
        ...{ ...mail, to: ["ann@one.example"], from: null, cc: null, bcc: null, reply_to: null },
        ...{ body_html: null, attachments: null, idempotency_key: null, send_at: null },
        automatic: null,
      },
      meant: { ...mail, to: ["ann@one.example"] },
    },
    {
      from: "n8n, text of every field of a form",
      tool: "search_emails",
      sent: {
        ...{ query: "Engine", limit: "3", offset: "0", mailbox_id, from: "", to: "" },
        ...{ date_from: "", label: "", is_read: "false", auth_verdict: "", max_chars: "20000" },
      },
      meant: { query: "Engine", limit: 3, offset: 0, mailbox_id, is_read: false, max_chars: 20000 },
    },
    {
      from: "Claude, lists as text",
      tool: "send_email",
      sent: {
        ...{
          ...mail,
          to: '["ann@one.example", "Bob <bob@two.example>"]',
          cc: "[]",
          dry_run: "true",
        },
        attachments: '[{"filename": "a.txt", "content": "aGk=", "content_type": null}]',
      },
      meant: {
        ...{ ...mail, to: ["ann@one.example", "Bob <bob@two.example>"], cc: [] },
        attachments: [{ filename: "a.txt", content: "aGk=" }],
      },
    },
    {
      from: "Claude, a list of ids and a truth value as text",
      tool: "update_emails",
      sent: { email_ids: `["${email_id}"]`, is_read: "true", add_labels: '["a"]', delete: null },
      meant: { email_ids: [email_id], is_read: true, add_labels: ["a"] },
    },
    {
      from: "a recipient as plain text",
      tool: "send_email",
      sent: { ...mail, to: "Ann <ann@one.example>", cc: "" },
      meant: { ...mail, to: "Ann <ann@one.example>" },
    },
    {
      from: "GPT, a file without a type",
      tool: "reply_email",
      sent: {
        ...{ email_id, body_text: "Hi.", reply_all: "false", dry_run: "true" },
        attachments: [{ filename: "a.txt", content: "aGk=", content_type: "" }],
      },
      meant: {
        ...{ email_id, body_text: "Hi.", dry_run: true },
        attachments: [{ filename: "a.txt", content: "aGk=" }],
      },
    },
  ];
  for (const { from, tool, sent, meant } of shapes) {
    const expected = await callTool(test, owner.key, tool, meant);
    assert.equal(expected.error, undefined, `${from}: ${JSON.stringify(expected)}`);
    assert.deepEqual(await callTool(test, owner.key, tool, sent), expected, from);
  }
});

// SPEC: mcp.own_errors
Deno.test("an unknown argument is an error that names the nearest, also with null or an empty text", async () => {
  await using test = await testService();
  const { key } = await account(test);
  for (const value of [null, "", "10", 10]) {
    const { error } = await callTool(test, key, "list_emails", { limits: value });
    assert.equal(error.code, "VALIDATION_ERROR");
    assert.match(error.details.limits, /nearest is `limit`/);
  }
});

Deno.test("REST stays strict: what a tool reads is refused there", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const mail = { mailbox_id, to: "ann@one.example", body_text: "Hi." };
  for (
    const wrong of [
      { cc: null },
      { cc: "" },
      { from: "" },
      { dry_run: "true" },
      { attachments: "[]" },
      { to: '["ann@one.example"]' },
      { idempotency_key: "" },
    ]
  ) {
    const json = { ...mail, ...wrong };
    const answer = await test.request("/v1/api/emails/send", { token: owner.key, json });
    assert.equal(answer.status, 400, JSON.stringify(wrong));
    assert.equal((await answer.json()).error.code, "VALIDATION_ERROR");
  }
});
