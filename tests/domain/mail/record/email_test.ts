import assert from "node:assert/strict";
import { type Email, fitted } from "../../../../domain/mail/record/email.ts";

const email: Email = {
  emailId: "e1",
  userId: "u1",
  mailboxId: "m1",
  threadId: "t1",
  direction: "inbound",
  isRead: false,
  labels: [],
  auth: null,
  automated: false,
  messageId: "<1@example.net>",
  inReplyTo: [],
  references: [],
  from: { address: "ada@example.net", name: "Ada" },
  replyTo: [],
  to: [],
  cc: [],
  bcc: [],
  subject: "Hello",
  date: 1_790_000_000_000,
  receivedAt: 1_790_000_000_001,
  size: 4_000,
  raw: { blobId: "b1", size: 4_000, chunks: 1, sha256: "0" },
  envelope: { from: "", to: [] },
  truncated: false,
  parsed: null,
};

Deno.test("a record keeps the first reference and the newest, 9,000 characters with In-Reply-To", () => {
  const ids = Array.from({ length: 90 }, (_, n) => `<${String(n).padStart(96, "r")}@x>`);
  const record = fitted({ ...email, inReplyTo: ids.slice(0, 10), references: ids });
  assert.equal(record.inReplyTo.length, 10);
  assert.deepEqual(record.references, [ids[0], ...ids.slice(11)]);
  assert.equal([...record.inReplyTo, ...record.references].join("").length, 9_000);
  assert.equal(record.truncated, true);
});

Deno.test("a record keeps a display name of 200 characters", () => {
  const from = { address: "ada@example.net", name: "n".repeat(200) };
  const record = fitted({ ...email, from });
  assert.deepEqual([record.from, record.truncated], [from, false]);
});
