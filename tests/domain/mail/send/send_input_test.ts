import assert from "node:assert/strict";
import { inlineFile } from "../../../../domain/mail/send/files/read_files.ts";
import { replyInputSchema, sendInputSchema } from "../../../../domain/mail/send/send_input.ts";

const least = { mailbox_id: "m1", to: "ann@one.example", body_text: "hi" };

/** The fields for which a send is refused. */
function refusedFields(change: Record<string, unknown>): string[] {
  const result = sendInputSchema.safeParse({ ...least, ...change });
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join("."));
}

Deno.test("a send accepts one recipient as text, or several as an array or a comma list", () => {
  for (const to of ["a@one.example, B <b@two.example>", ["a@one.example", "B <b@two.example>"]]) {
    assert.deepEqual(sendInputSchema.parse({ ...least, to }).to, [
      { address: "a@one.example" },
      { name: "B", address: "b@two.example" },
    ]);
  }
});

Deno.test("an attachment without a media type has the one that its name tells, but is never a message", () => {
  const typeOf = (filename: string, content_type?: string) => {
    const attachments = [{ filename, content_type, content: "AAEC/w==" }];
    const [file] = sendInputSchema.parse({ ...least, attachments }).attachments!;
    assert.deepEqual(file.content, new Uint8Array([0, 1, 2, 255]));
    return inlineFile(file, file.content).about.contentType;
  };
  assert.equal(typeOf("invoice 7.PDF"), "application/pdf");
  assert.equal(typeOf("rows.csv"), "text/csv");
  assert.equal(typeOf("rows.csv", "application/octet-stream"), "application/octet-stream");
  for (const name of ["a.bin", "a", ".pdf", "mail.eml", "page.mht", "a.constructor"]) {
    assert.equal(typeOf(name), "application/octet-stream", name);
  }
});

const headerFields: [string, (bad: string) => Record<string, unknown>, string][] = [
  ["from", (bad) => ({ from: `A${bad} <a@agents.example>` }), "from"],
  ["to", (bad) => ({ to: `a@one.example${bad}Bcc: b@two.example` }), "to"],
  ["cc", (bad) => ({ cc: [`A${bad}b <a@one.example>`] }), "cc"],
  ["bcc", (bad) => ({ bcc: `a@one.example${bad}` }), "bcc"],
  ["reply_to", (bad) => ({ reply_to: `a@one.example${bad}` }), "reply_to"],
  ["subject", (bad) => ({ subject: `a${bad}Bcc: b@two.example` }), "subject"],
  [
    "filename",
    (bad) => ({ attachments: [{ filename: `a${bad}b`, content: "" }] }),
    "attachments.0.filename",
  ],
  [
    "content_type",
    (bad) => ({
      attachments: [{ filename: "a", content: "", content_type: `text/csv${bad}X: y` }],
    }),
    "attachments.0.content_type",
  ],
];
for (const [field, change, path] of headerFields) {
  // SPEC: send.injection
  Deno.test(`a send is refused for CR, LF, CRLF, NUL and U+2028 in ${field}, naming it`, () => {
    for (const bad of ["\r", "\n", "\r\n", "\0", "\u2028"]) {
      assert.deepEqual(refusedFields(change(bad)), [path], JSON.stringify(bad));
    }
  });
}

Deno.test("a send is refused, naming the field, for", async (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `r${n}@one.example`);
  const cases: [string, Record<string, unknown>, string[]][] = [
    ["neither mailbox_id nor from", { mailbox_id: undefined }, ["mailbox_id"]],
    ["no recipient", { to: [] }, ["to"]],
    ["51 addresses for replies", { reply_to: many(51) }, ["reply_to"]],
    ["a list of a megabyte", { cc: "a@one.example,".repeat(70_000) }, ["cc"]],
    ["a list of empty texts", { bcc: Array.from({ length: 60_000 }, () => "") }, ["bcc"]],
    ["no body", { body_text: undefined }, ["body_text"]],
    ["51 recipients", { to: many(20), cc: many(20), bcc: many(11) }, ["to"]],
    ["a name that holds another address", { from: "b@evil.example <a@one.example>" }, ["from"]],
    ["a name with a wide at sign", { from: "b\uff20evil.example <a@one.example>" }, ["from"]],
    ["two senders", { from: "a@one.example, b@one.example" }, ["from"]],
    ["content that is not base64", {
      attachments: [{ filename: "a", content: "%%%" }],
    }, ["attachments.0.content"]],
    ["a multipart attachment", {
      attachments: [{ filename: "a", content: "", content_type: "Multipart/mixed" }],
    }, ["attachments.0.content_type"]],
  ];
  for (const [what, change, paths] of cases) {
    await t.step(what, () => assert.deepEqual(refusedFields(change), paths));
  }
  // SPEC: send.recipients
  await t.step("but not for 50 recipients", () => {
    assert.deepEqual(refusedFields({ to: many(20), cc: many(20), bcc: many(10) }), []);
  });
});

Deno.test("a reply needs the email and a body, and reply_all is false by default", () => {
  assert.deepEqual(replyInputSchema.parse({ email_id: "e1", body_html: "<p>hi</p>" }), {
    email_id: "e1",
    body_html: "<p>hi</p>",
    reply_all: false,
  });
  assert.equal(replyInputSchema.safeParse({ email_id: "e1" }).success, false);
});
