import assert from "node:assert/strict";
import { createLog } from "../../../../domain/core/log.ts";
import type { Email } from "../../../../domain/mail/record/email.ts";
import { readRow, type StoredRow } from "../../../../domain/mail/record/email_row.ts";
import { mailMigrations } from "../../../../domain/mail/record/migration.ts";
import { Database } from "../../../../domain/store/database.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { bringForward, storeMigrations } from "../../../../domain/store/migrations.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });
const emails = 120;
const idOf = (n: number) => `e${String(n).padStart(3, "0")}`;

function emailOf(n: number): Email {
  const emailId = idOf(n);
  return {
    ...{ emailId, userId: `u${n % 2}`, mailboxId: "m1", threadId: `t${n % 7}` },
    ...{ direction: "inbound", messageId: `<${n}@example.net>`, inReplyTo: [], references: [] },
    from: { address: "ada@example.net", name: "Ada" },
    ...{ replyTo: [], to: [{ address: "agent@agents.test", name: "" }], cc: [], bcc: [] },
    ...{ subject: `Subject ${n}`, date: 1_790_000_000_000 + n, receivedAt: 1_790_000_000_000 },
    size: 400,
    raw: { blobId: `b${n}`, size: 400, chunks: 1, sha256: "0" },
    ...{ envelope: { from: "", to: [] }, truncated: false },
    parsed: { snippet: "short", excerpt: "longer", attachmentIds: [], problem: null },
  };
}

/** The three forms that rows had: an array without a version, a record between two lines, an object. */
function oldRow(email: Email): unknown {
  const { emailId, messageId, threadId, mailboxId, direction, from, to, cc, subject } = email;
  const { date, receivedAt, size } = email;
  const parsed = { snippet: "short", attachmentIds: [] };
  switch (Number(emailId.slice(1)) % 3) {
    case 0:
      return JSON.stringify([
        ...[emailId, messageId, threadId, mailboxId, 0, [from.address, from.name]],
        ...[["agent@agents.test", ""], [], subject, date, receivedAt, size, ["short", []]],
      ]);
    case 1:
      return `1${mailboxId}\n{"email_id":"${emailId}","subject":"${subject}"\n[[""],[]]`;
    default:
      return { ...{ emailId, messageId, threadId, mailboxId, direction, from, to, cc }, parsed };
  }
}

async function oldStore(): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  for (let n = 0; n < emails; n++) {
    const email = emailOf(n);
    for (const key of rowKeys(email)) await kv.set(key, oldRow(email));
    await kv.set(keys.email(email.userId, email.emailId), email);
  }
  return kv;
}

function rowKeys({ userId, mailboxId, threadId, date, emailId }: Email): Deno.KvKey[] {
  return [
    keys.emailByTime(userId, emailId),
    keys.emailByMailbox(userId, mailboxId, emailId),
    keys.emailByThread(userId, threadId, date, emailId),
  ];
}

async function start(kv: Deno.Kv): Promise<void> {
  const database = new Database(kv, { log, exclusive: true });
  const steps = [...storeMigrations, ...mailMigrations];
  await bringForward(database, steps, { path: "the.sqlite", log });
}

async function assertReadable(kv: Deno.Kv): Promise<void> {
  for (let n = 0; n < emails; n++) {
    const email = emailOf(n);
    for (const key of rowKeys(email)) {
      const { value } = await kv.get<StoredRow>(key);
      assert.ok(value !== null);
      assert.equal(readRow(value).subject, `Subject ${n}`);
    }
  }
  assert.equal((await kv.get(["meta", "schema_version"])).value, 1);
}

Deno.test("a start rewrites every list row of an older form, in commits of about 50 emails", async () => {
  using kv = await oldStore();
  const atomic = kv.atomic.bind(kv);
  let commits = 0;
  kv.atomic = () => (commits++, atomic());
  await start(kv);
  await assertReadable(kv);
  assert.ok(commits >= 3 && commits <= 12, `${commits} commits`);
});

Deno.test("a rewrite that is killed at any of its commits ends at the next start", async () => {
  for (let commits = 0; commits < 3; commits++) {
    using kv = await oldStore();
    const atomic = kv.atomic.bind(kv);
    let left = commits;
    kv.atomic = () => {
      if (left-- <= 0) throw new Error("killed");
      return atomic();
    };
    await assert.rejects(start(kv), /killed/);
    kv.atomic = atomic;
    assert.equal((await kv.get(["meta", "schema_version"])).value, null);
    await start(kv);
    await assertReadable(kv);
  }
});
