import assert from "node:assert/strict";
import { createLog } from "../../../../domain/core/log.ts";
import type { Email } from "../../../../domain/mail/record/email.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import { authWithoutCheck } from "../../../../domain/mail/record/stored_auth.ts";
import { emailRows } from "../../../../domain/mail/record/write_email.ts";
import { mailMigrations } from "../../../../domain/mail/record/migration.ts";
import { Database } from "../../../../domain/store/database.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { bringForward, storeMigrations } from "../../../../domain/store/migrations.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });
const emails = 120;
const idOf = (n: number) => `e${String(n).padStart(3, "0")}`;

function emailOf(n: number) {
  const emailId = idOf(n);
  return {
    ...{ emailId, userId: `u${n % 2}`, mailboxId: "m1", threadId: `t${n % 7}` },
    ...{
      direction: n % 3 === 0 ? "outbound" : "inbound",
      messageId: `<${n}@example.net>`,
      inReplyTo: [],
      references: [],
    },
    from: { address: "ada@example.net", name: "Ada" },
    ...{ replyTo: [], to: [{ address: "agent@agents.test", name: "" }], cc: [], bcc: [] },
    ...{ subject: `Subject ${n}`, date: 1_790_000_000_000 + n, receivedAt: 1_790_000_000_000 },
    size: 400,
    raw: { blobId: `b${n}`, size: 400, chunks: 1, sha256: "0" },
    ...{ envelope: { from: n % 2 === 0 ? "" : "ada@example.net", to: [] }, truncated: false },
    parsed: n % 5 === 0 ? null : {
      ...{
        snippet: "short",
        excerpt: "short, then longer",
        attachmentIds: n % 4 === 0 ? [] : [`a${n}`],
      },
      problem: n % 5 === 1 ? "unreadable" : null,
    },
  };
}

/** A store of schema version 1; with `version` null a store of development, whose list rows had other forms. */
async function oldStore(version: number | null = 1): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  for (let n = 0; n < emails; n++) {
    const email = emailOf(n);
    const { userId, mailboxId, threadId, date, emailId } = email;
    const row = version === null
      ? { emailId, subject: email.subject }
      : JSON.stringify([1, emailId]);
    await kv.set(["emails_by_time", userId, emailId], row);
    await kv.set(keys.emailByMailbox(userId, mailboxId, emailId), row);
    await kv.set(keys.emailByThread(userId, threadId, date, emailId), row);
    await kv.set(keys.email(userId, emailId), email);
  }
  if (version !== null) await kv.set(keys.mark("schema_version"), version);
  return kv;
}

async function start(kv: Deno.Kv): Promise<void> {
  const database = new Database(kv, { log, exclusive: true });
  const steps = [...storeMigrations, ...mailMigrations];
  await bringForward(database, steps, { path: "the.sqlite", log });
}

/** Every row of the store has the form of this release, and there are no other rows. */
async function assertNew(kv: Deno.Kv): Promise<void> {
  const expected = new Map<string, unknown>([["meta schema_version", 3]]);
  for (let n = 0; n < emails; n++) {
    const { parsed, ...email } = emailOf(n);
    const written = {
      ...email,
      ...{ isRead: n % 3 === 0, labels: [], automated: n % 3 !== 0 && n % 2 === 0 },
      auth: n % 3 === 0 ? null : authWithoutCheck("none"),
      parsed: parsed && {
        snippet: parsed.snippet,
        attachmentIds: parsed.attachmentIds,
        // Their records are unknown: a list parses the message.
        attachments: n % 4 === 0 ? [] : null,
        problem: parsed.problem,
      },
    } as Email;
    const excerpt = parsed?.excerpt ?? "";
    for (const { key, value } of emailRows(written, excerpt)) expected.set(key.join(" "), value);
    const database = new Database(kv, { log, exclusive: true });
    assert.deepEqual(await storedEmail(database, email.userId, email.emailId), written);
  }
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  assert.deepEqual(new Map(rows.map(({ key, value }) => [key.join(" "), value])), expected);
}

for (const version of [1, null]) {
  Deno.test(`a start splits every record of a store of version ${version}, in commits of about 50 emails`, async () => {
    using kv = await oldStore(version);
    const atomic = kv.atomic.bind(kv);
    let commits = 0;
    kv.atomic = () => (commits++, atomic());
    await start(kv);
    await assertNew(kv);
    assert.ok(commits >= 3 && commits <= 12, `${commits} commits`);
    commits = 0;
    await start(kv);
    assert.equal(commits, 0);
  });
}

Deno.test("a migration that is killed at any of its commits is completed at the next start", async () => {
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
    assert.equal((await kv.get(["meta", "schema_version"])).value, 1);
    await start(kv);
    await assertNew(kv);
  }
});
