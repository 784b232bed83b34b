import assert from "node:assert/strict";
import { readRow, storedRows } from "../../../../domain/mail/record/email_row.ts";
import { rewriteRows } from "../../../../domain/mail/record/write_email.ts";
import { Database } from "../../../../domain/store/database.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { createLog } from "../../../../domain/core/log.ts";
import { type Email } from "../../../../domain/mail/record/email.ts";

const email: Email = {
  emailId: "e1",
  userId: "u1",
  mailboxId: "m1",
  threadId: "t1",
  direction: "inbound",
  messageId: "<1@example.net>",
  inReplyTo: [],
  references: ["<0@example.net>"],
  from: { address: "ada@example.net", name: "Ada \ud83d\udc4b" },
  replyTo: [],
  to: [{ address: "agent@agents.test", name: "" }, { address: "b@example.net", name: 'B "b" \\' }],
  cc: [],
  bcc: [{ address: "hidden@example.net", name: "" }],
  subject: "Caf\u00e9 \u0000 \ud800 end",
  date: 1_790_000_000_000,
  receivedAt: 1_790_000_000_001,
  size: 4_000,
  raw: { blobId: "b1", size: 4_000, chunks: 1, sha256: "0" },
  envelope: { from: "", to: [] },
  truncated: false,
  parsed: { snippet: "short", excerpt: "longer", attachmentIds: ["a1"], problem: null },
};

const shown = {
  emailId: "e1",
  messageId: "<1@example.net>",
  threadId: "t1",
  mailboxId: "m1",
  direction: "inbound",
  from: email.from,
  to: email.to,
  cc: [],
  subject: email.subject,
  date: email.date,
  receivedAt: email.receivedAt,
  size: 4_000,
  parsed: { snippet: "short", attachmentIds: ["a1"] },
};

Deno.test("a row is read as it was stored, odd characters included; only the rows of threads have the excerpt", () => {
  assert.deepEqual(readRow(storedRows(email).list), shown);
  assert.deepEqual(readRow(storedRows(email).thread), {
    ...shown,
    parsed: { snippet: "short", attachmentIds: ["a1"], excerpt: "longer" },
  });
  const unread = { ...email, direction: "outbound" as const, parsed: null };
  assert.deepEqual(readRow(storedRows(unread).list), {
    ...shown,
    direction: "outbound",
    parsed: null,
  });
});

Deno.test("a row carries its version, and one of another version is refused", () => {
  const fields = JSON.parse(storedRows(email).list as string);
  assert.equal(fields[0], 1);
  fields[0] = 2;
  assert.throws(() => readRow(JSON.stringify(fields)), /an email row of version 2/);
});

Deno.test("a row that is too long for a value as text is stored as an array", async () => {
  const many = Array.from({ length: 160 }, (_, n) => ({
    address: `${n}`.padStart(90, "x"),
    name: "n".repeat(90),
  }));
  const large = { ...email, to: many, cc: many, subject: "\u6771\u4eac".repeat(400) };
  const kv = await Deno.openKv(":memory:");
  for (const use of ["list", "thread"] as const) {
    const stored = storedRows(large)[use];
    assert.equal(typeof stored, "object");
    await kv.set([use], stored);
    assert.deepEqual(readRow(stored).to, many);
  }
  assert.equal(typeof storedRows(email).list, "string");
  kv.close();
});

Deno.test("rewriteRows() replaces the rows of an older form, and does nothing for an email that is gone", async () => {
  using kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json", write: () => {} });
  const database = new Database(kv, { log, exclusive: true });
  const list = keys.emailByTime("u1", "e1");
  await database.transact((tx) => {
    tx.set(keys.email("u1", "e1"), email);
    tx.set(list, '1m1\n{"email_id":"e1"\n[[],[]]');
  });
  for (const emailId of ["e1", "e2"]) {
    await database.transact((tx) => rewriteRows(tx, "u1", emailId));
  }
  assert.equal(await database.get(list), storedRows(email).list);
  assert.equal(await database.get(keys.emailByTime("u1", "e2")), null);
});
