import assert from "node:assert/strict";
import { serialize } from "node:v8";
import type { Email } from "../../../../domain/mail/record/email.ts";
import { storedDetails, withDetails } from "../../../../domain/mail/record/email_details.ts";
import { readRow, storedRow } from "../../../../domain/mail/record/email_row.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import { packed, unpacked } from "../../../../domain/mail/record/row_text.ts";
import { emailRows } from "../../../../domain/mail/record/write_email.ts";

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
  inReplyTo: ["<0@example.net>"],
  references: ["<0@example.net>"],
  from: { address: "ada@example.net", name: "Ada \ud83d\udc4b" },
  replyTo: [{ address: "r@example.net", name: "R" }],
  to: [{ address: "agent@agents.test", name: "" }, { address: "b@example.net", name: 'B "b" \\' }],
  cc: [],
  bcc: [{ address: "hidden@example.net", name: "" }],
  subject: "Caf\u00e9 \u0000 \ud800 end",
  date: 1_790_000_000_000,
  receivedAt: 1_790_000_000_001,
  size: 4_000,
  raw: { blobId: "b1", size: 4_000, chunks: 1, sha256: "0" },
  envelope: { from: "", to: ["agent@agents.test", "Agent+tag@agents.test"] },
  envelopeTo: ["agent@agents.test", "Agent+tag@agents.test"],
  truncated: false,
  parsed: {
    snippet: "short",
    attachmentIds: ["a1"],
    attachments: [{ attachmentId: "a1", filename: null, contentType: "image/png", size: 9 }],
    problem: null,
  },
};

const sentEnvelope = { envelopeTo: undefined };

function readBack(written: Email): Email {
  const row = readRow(written.emailId, storedRow(written));
  return withDetails(written.userId, row, storedDetails(written));
}

Deno.test("an email is read as it was stored, odd characters included", () => {
  assert.deepEqual(readBack(email), email);
  for (
    const other of [
      { direction: "outbound", status: "queued", parsed: null, ...sentEnvelope },
      {
        truncated: true,
        parsed: { snippet: "", attachmentIds: [], attachments: [], problem: "too deep" },
      },
      { isRead: true, labels: ["a", "b:c"] },
      { direction: "outbound", isRead: false, automated: true, ...sentEnvelope },
      { parsed: { ...email.parsed!, attachments: null } },
      { raw: { ...email.raw, blobId: email.emailId, chunks: 9 } },
      { importId: "i1" },
      { importId: "i1", labels: ["imported"], direction: "outbound", ...sentEnvelope },
    ] as Partial<Email>[]
  ) {
    const { envelopeTo, ...written } = { ...email, ...other };
    const expected = { ...written, ...envelopeTo && { envelopeTo } };
    assert.deepEqual(readBack(expected), expected);
  }
});

Deno.test("the rows of an email repeat nothing: the rows in ranges are empty except for the end of the excerpt", () => {
  const values = Object.fromEntries(
    emailRows(email, "short and so on").map(({ key, value }) => [key.join(" "), value]),
  );
  assert.deepEqual(values, {
    "emails u1 e1": storedRow(email),
    "email_details u1 e1": storedDetails(email),
    "emails_by_mailbox u1 m1 e1": 0,
    "emails_by_thread u1 t1 1790000000000 e1": " and so on",
  });
  const imported = emailRows({ ...email, importId: "i1" }, "").flatMap(({ key, value }) =>
    key[0] === "emails" || value === "" ? [] : [[key.join(" "), value]]
  );
  assert.deepEqual(Object.fromEntries(imported.slice(1)), {
    "emails_by_mailbox u1 m1 e1": 1,
    "emails_imported u1 m1 i1": "e1",
  });
  const unread = emailRows({ ...email, parsed: null }, "");
  assert.equal(unread.at(-1)?.value, "");
});

Deno.test("storedEmail() returns null if either row is gone", async () => {
  const rows = new Map(emailRows(email, "short").map(({ key, value }) => [key.join(" "), value]));
  const store = {
    get: <T>(key: Deno.KvKey) => Promise.resolve((rows.get(key.join(" ")) ?? null) as T | null),
  };
  assert.deepEqual(await storedEmail(store, "u1", "e1"), email);
  for (const table of ["emails", "email_details"]) {
    const kept = rows.get(`${table} u1 e1`);
    rows.delete(`${table} u1 e1`);
    assert.equal(await storedEmail(store, "u1", "e1"), null);
    rows.set(`${table} u1 e1`, kept);
  }
});

Deno.test("a row carries its version, and one of another version is refused", () => {
  const row = unpacked(storedRow(email)), details = unpacked(storedDetails(email));
  assert.deepEqual([row[0], details[0]], [3, 2]);
  const other = JSON.stringify([4, ...row.slice(1)]);
  assert.throws(() => readRow("e1", other), /an email row of version 4/);
  const otherDetails = JSON.stringify([3, ...details.slice(1)]);
  assert.throws(
    () => withDetails("u1", readRow("e1", storedRow(email)), otherDetails),
    /email details of version 3/,
  );
});

Deno.test("a usual row and its key are below the 1,002 bytes that SQLite keeps in a page with others", () => {
  const uuid = "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a";
  const usual: Email = {
    ...{ ...email, emailId: uuid, userId: uuid, mailboxId: uuid, threadId: uuid },
    ...{ subject: "s".repeat(80), messageId: `<${"i".repeat(70)}@example.net>` },
    parsed: {
      snippet: "\u201c" + "n".repeat(199),
      attachmentIds: ["att_2"],
      attachments: [{
        ...{ attachmentId: "att_2", filename: `${"f".repeat(30)}.pdf`, size: 4_000 },
        contentType: "application/pdf",
      }],
      problem: null,
    },
    references: Array.from({ length: 6 }, (_, n) => `<${"r".repeat(50)}.${n}@example.net>`),
    raw: { ...email.raw, blobId: uuid, sha256: "0".repeat(64) },
  };
  for (const { key, value } of emailRows(usual, "n".repeat(500))) {
    const bytes = key.join(" ").length + 10 + String(value).length;
    assert.ok(bytes < 960, `${String(key[0])} has ${bytes} bytes`);
    assert.doesNotMatch(String(value), /[^\x20-\xff]/, "two bytes a character");
  }
});

Deno.test("packed() is text; characters beyond Latin-1 are escaped if they are few", () => {
  assert.equal(packed(["caf\u00e9", 1]), '["caf\u00e9",1]');
  assert.equal(packed(["\u201cquoted\u201d text"]), '["\\u201cquoted\\u201d text"]');
  assert.equal(packed(["\u6771\u4eac"]), '["\u6771\u4eac"]');
  for (
    const text of ["\u201cquoted\u201d text", "\u6771\u4eac", "\ud83d\udc4b waves"]
  ) {
    assert.deepEqual(unpacked(packed([text])), [text]);
    const stored = packed([text]) as string;
    // deno-lint-ignore no-control-regex -- the range is the point
    const bytes = /^[\x00-\xff]*$/.test(stored) ? 1 : 2;
    assert.ok(serialize(stored).length < bytes * stored.length + 10, stored);
  }
});

Deno.test("a row that is too long for a value as text is stored as an array, and both are values of Deno KV", async () => {
  using kv = await Deno.openKv(":memory:");
  // As `fitted` leaves it: the bytes of a Latin address and of a wide name are counted separately.
  const people = (letter: string) =>
    Array.from({ length: 85 }, (_, n) => ({
      address: `${n}`.padStart(90, letter),
      name: "\u6771".repeat(40),
    }));
  const attachmentIds = Array.from({ length: 500 }, (_, n) => `att_${n}`.padEnd(20, "0"));
  const attachments = attachmentIds.map((attachmentId, n) => ({
    ...{ attachmentId, filename: n < 250 ? "\u6771" : "", contentType: "text/plain", size: 9 },
  }));
  const parsed = { snippet: "", attachmentIds, attachments, problem: null };
  const large = { ...email, to: people("x"), cc: people("y"), parsed };
  const stored = storedRow(large);
  assert.equal(typeof stored, "object");
  await kv.set(["row"], stored);
  assert.deepEqual(readRow("e1", stored).cc, people("y"));
  for (const letter of ["x", "\u6771"]) {
    // The longest text of its kind that is kept as text.
    let text = letter.repeat(letter === "x" ? 59_900 : 29_900);
    while (typeof packed([text + letter]) === "string") text += letter;
    await kv.set(["text"], packed([text]));
    assert.deepEqual((await kv.get(["text"])).value, JSON.stringify([text]));
  }
});

Deno.test("a row has only as many attachments as fit next to everything else", () => {
  const of = (filename: string) => {
    const ids = Array.from({ length: 500 }, (_, n) => `att_${n}`);
    const attachments = ids.map((attachmentId) => ({
      ...{ attachmentId, filename, contentType: "text/plain", size: 9 },
    }));
    const parsed = { snippet: "", attachmentIds: ids, attachments, problem: null };
    return readRow("e1", storedRow({ ...email, parsed })).parsed!.attachments;
  };
  assert.equal(of("")?.length, 500);
  assert.equal(of("f".repeat(20)), null);
});
