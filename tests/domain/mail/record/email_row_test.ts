import assert from "node:assert/strict";
import { KeptRow, packRows, unpackRow } from "../../../../domain/mail/record/email_row.ts";
import { type Email } from "../../../../domain/mail/record/email.ts";
import { emailRecordOf } from "../../../../domain/mail/record/email_record.ts";

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

Deno.test("a row says what it was packed from, to the last odd character; its excerpt only in a thread", () => {
  assert.deepEqual(unpackRow(packRows(email).list), shown);
  assert.deepEqual(unpackRow(packRows(email).thread), {
    ...shown,
    parsed: { snippet: "short", attachmentIds: ["a1"], excerpt: "longer" },
  });
  const unread = { ...email, direction: "outbound" as const, parsed: null };
  assert.deepEqual(unpackRow(packRows(unread).list), {
    ...shown,
    direction: "outbound",
    parsed: null,
  });
});

Deno.test("the record of a row is that of its email, to the byte, read yet or not, packed or too long for it", () => {
  const long = "\u6771".repeat(40_000);
  const unread = { ...email, parsed: null };
  for (const each of [email, unread, { ...email, subject: long }, { ...unread, subject: long }]) {
    for (const use of ["list", "thread"] as const) {
      const row = new KeptRow(each.emailId, packRows(each)[use]);
      assert.equal(row.mailboxId, "m1");
      assert.equal(row.isParsed, each.parsed !== null);
      assert.equal(row.unpacked.subject, each.subject);
      for (const processed of [true, false]) {
        assert.equal(row.record(processed), JSON.stringify(emailRecordOf(each, processed)));
      }
    }
  }
});

Deno.test("a row of the form that they had at first is read like any other", () => {
  const people = (list: Email["to"]) => list.flatMap(({ address, name }) => [address, name]);
  const first = (parsed: unknown) =>
    JSON.stringify([
      ...["e1", "<1@example.net>", "t1", "m1", 0, people([email.from]), people(email.to), []],
      ...[email.subject, email.date, email.receivedAt, 4_000, parsed],
    ]);
  assert.deepEqual(unpackRow(first(["short", ["a1"]])), shown);
  assert.deepEqual(unpackRow(first(null)), { ...shown, parsed: null });
  const inThread = { ...shown, parsed: { ...shown.parsed, excerpt: "longer" } };
  assert.deepEqual(unpackRow(first(["short", ["a1"], "longer"])), inThread);
  const row = new KeptRow("e1", first(["short", ["a1"]]));
  assert.deepEqual([row.mailboxId, row.isParsed, row.unpacked], ["m1", true, shown]);
  assert.equal(row.record(true), JSON.stringify(emailRecordOf(email, true)));
  assert.equal(new KeptRow("e1", first(null)).isParsed, false);
});

Deno.test("a row that is too long for a string fits all the same, as it is", async () => {
  const many = Array.from({ length: 160 }, (_, n) => ({
    address: `${n}`.padStart(90, "x"),
    name: "n".repeat(90),
  }));
  const large = { ...email, to: many, cc: many, subject: "\u6771\u4eac".repeat(400) };
  const kv = await Deno.openKv(":memory:");
  for (const use of ["list", "thread"] as const) {
    const packed = packRows(large)[use];
    assert.equal(typeof packed, "object");
    await kv.set([use], packed);
    assert.deepEqual(unpackRow(packed).to, many);
  }
  assert.equal(typeof packRows(email).list, "string");
  kv.close();
});
