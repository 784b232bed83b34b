import assert from "node:assert/strict";
import { createLog } from "../../../../domain/core/log.ts";
import type { Processing } from "../../../../domain/mail/lifecycle/processing.ts";
import type { Email } from "../../../../domain/mail/record/email.ts";
import { authWithoutCheck } from "../../../../domain/mail/record/stored_auth.ts";
import { emailRows } from "../../../../domain/mail/record/write_email.ts";
import { Database } from "../../../../domain/store/database.ts";
import type { Job } from "../../../../domain/store/jobs.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { bringForward } from "../../../../domain/store/migrations.ts";
import { migrations } from "../../../../assemble.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });
const userId = "u1";

function emailOf(emailId: string, change: Partial<Email>): Email {
  return {
    ...{ emailId, userId, mailboxId: "m1", threadId: "t1", direction: "inbound", isRead: false },
    ...{ labels: [], automated: false, auth: null, messageId: `<${emailId}@example.net>` },
    ...{ inReplyTo: [], references: [], from: { address: "ada@example.net", name: "" } },
    ...{ replyTo: [], to: [], cc: [], bcc: [], subject: "", date: 1, receivedAt: 1, size: 400 },
    ...{ raw: { blobId: emailId, size: 400, chunks: 1, sha256: "0" }, truncated: false },
    envelope: { from: "ada@example.net", to: [] },
    parsed: { snippet: "", attachmentIds: [], attachments: [], problem: null },
    ...change,
  };
}

const pass = authWithoutCheck("pass");
const pdf = {
  attachmentId: "a1",
  filename: "order.pdf",
  contentType: "application/pdf",
  size: 9,
};
const withFile = { snippet: "", attachmentIds: ["a1"], attachments: [pdf], problem: null };
const unread = { snippet: "", attachmentIds: [], attachments: [], problem: "unreadable" };
type Case = [
  email: Partial<Email>,
  rows: Partial<Record<keys.FormerTable, unknown>>,
  /** Whether it has a job for its vectors. */
  isEmbedding: boolean,
  expected: Processing | null,
];
const whole: Processing = {
  ...{ parsed: "done", checked: "done", indexed: "done", embedded: "done", problem: null },
};
/** Emails with the rows that schema version 2 had of them. */
const cases: Record<string, Case> = {
  fresh: [{}, { emails_unprocessed: 1 }, false, {
    ...{ ...whole, checked: "waiting", indexed: "waiting", embedded: "waiting" },
  }],
  large: [{ parsed: null, auth: pass }, { emails_unprocessed: 1 }, false, {
    ...{ ...whole, parsed: "waiting", indexed: "waiting", embedded: "waiting" },
  }],
  provider: [{ auth: pass }, { emails_unprocessed: 1 }, true, { ...whole, embedded: "waiting" }],
  files: [{ auth: pass, parsed: withFile }, { emails_unprocessed: 1 }, true, {
    ...{ ...whole, embedded: "waiting" },
  }],
  unchecked: [{}, { emails_unchecked: "indexed" }, false, { ...whole, checked: "waiting" }],
  unindexed: [{}, { emails_unchecked: "failed" }, false, {
    ...{ ...whole, checked: "waiting", problem: "The index did not take its text." },
  }],
  unreadable: [{ parsed: unread }, { emails_unchecked: "failed" }, false, {
    ...{ ...whole, parsed: "failed", checked: "waiting", problem: "unreadable" },
  }],
  background: [{ auth: pass }, { emails_without_vectors: 1 }, true, {
    ...{ ...whole, embedded: "later" },
  }],
  both: [{}, { emails_unchecked: "indexed", emails_without_vectors: 1 }, true, {
    ...{ ...whole, checked: "waiting", embedded: "later" },
  }],
  sent: [{ direction: "outbound" }, { emails_unprocessed: 1 }, false, {
    ...{ ...whole, checked: "none", indexed: "waiting", embedded: "waiting" },
  }],
  finished: [{ auth: pass }, {}, false, null],
};

async function oldStore(): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  await kv.set(keys.mark("schema_version"), 2);
  // Its email was deleted.
  await kv.set(["emails_unchecked", userId, "gone"], "indexed");
  for (const [emailId, [change, rows, isEmbedding]] of Object.entries(cases)) {
    for (const { key, value } of emailRows(emailOf(emailId, change), "")) await kv.set(key, value);
    for (const [table, value] of Object.entries(rows)) {
      await kv.set([table, userId, emailId], value);
    }
    if (!isEmbedding) continue;
    const job = { kind: "embed_email", payload: { userId, emailId }, jobId: emailId, dueAt: 1 };
    await kv.set(keys.jobDue(1, emailId), job);
  }
  return kv;
}

async function start(kv: Deno.Kv): Promise<void> {
  const database = new Database(kv, { log, exclusive: true });
  try {
    await bringForward(database, migrations, { path: "the.sqlite", now: 1, log });
  } finally {
    // A process that is killed commits nothing later.
    await database.settled();
  }
}

async function assertNew(kv: Deno.Kv): Promise<void> {
  for (const [emailId, [, , , expected]] of Object.entries(cases)) {
    const { value } = await kv.get(keys.emailProcessing(userId, emailId));
    assert.deepEqual(value, expected, emailId);
  }
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  const tables = new Set(rows.map(({ key }) => key[0]));
  assert.deepEqual([...tables].filter((each) => /^emails_(un|with)/.test(String(each))), []);
  const jobs = await Array.fromAsync(kv.list<Job>({ prefix: keys.jobsDue() }));
  // In the store before, this job followed the vectors.
  assert.deepEqual(
    jobs.filter(({ value }) => value.kind === "index_attachments").map(({ value }) =>
      value.payload
    ),
    [{ userId, emailId: "files" }],
  );
}

Deno.test("what three rows said of an email's processing, one row says after the first start", async () => {
  using kv = await oldStore();
  await start(kv);
  await assertNew(kv);
});

Deno.test("a step that is killed at any of its commits is completed at the next start, with the same rows", async () => {
  let commits = 0;
  for (let killed = true; killed; commits++) {
    using kv = await oldStore();
    const atomic = kv.atomic.bind(kv);
    let left = commits;
    killed = false;
    kv.atomic = () => {
      if (left-- <= 0) {
        killed = true;
        throw new Error("killed");
      }
      return atomic();
    };
    await start(kv).catch((error) => assert.match(String(error), /killed/));
    kv.atomic = atomic;
    await start(kv);
    await assertNew(kv);
  }
  assert.ok(commits > 3);
});
