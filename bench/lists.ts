import type { Email } from "../domain/mail/record/email.ts";
import { storedRows } from "../domain/mail/record/email_row.ts";
import { emailsPerCheckpoint } from "../domain/mail/record/checkpoints.ts";
import { getEmailThread } from "../domain/mail/reading/get_email_thread.ts";
import { listEmails } from "../domain/mail/reading/list_emails.ts";
import { perform } from "../domain/core/operation.ts";
import type { Service } from "../domain/core/service.ts";
import * as keys from "../domain/store/keys.ts";
import { account, mailbox, testService } from "../tests/service.ts";
import type { MailboxStats } from "../domain/mailboxes/mailbox_stats.ts";
import type { Figure } from "./figure.ts";
import type { BenchOptions } from "./options.ts";

export const description = "A page of 50 among 100,000 emails; forty rounds";

const [few, many] = [1_000, 100_000];
const threadLength = 10_000;

/** A page of 50 at the front, the middle and the end of a mailbox of 100,000 emails, beside one of 1,000. */
export async function run({ rounds = 40 }: BenchOptions): Promise<Figure[]> {
  const dir = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${dir}/kv.sqlite`);
  try {
    await using test = await testService({ kv });
    const caller = async (emails: number) => {
      const owner = await account(test);
      const { mailbox_id } = await mailbox(test, owner);
      await fill(test.service, owner.userId, mailbox_id, emails);
      return { userId: owner.userId, plan: "enterprise" as const, mailbox_id };
    };
    const [small, large] = [await caller(few), await caller(many)];
    const page = async ({ mailbox_id, ...who }: typeof small, query: Record<string, unknown>) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        const { emails } = await perform(listEmails, test.service, who, {
          mailbox_id,
          limit: 50,
          ...query,
        });
        times.push(performance.now() - startedAt);
        if (emails.length !== 50) throw new Error(`${emails.length} of 50`);
      }
      return times.sort((a, b) => a - b)[rounds >> 1];
    };
    const cursorAt = async ({ mailbox_id, ...who }: typeof small, offset: number) =>
      (await perform(listEmails, test.service, who, { mailbox_id, limit: 50, offset })).next_cursor;
    const figures: Figure[] = [];
    const compare = async (
      name: string,
      query: (who: typeof small, emails: number) => Promise<Record<string, unknown>>,
    ) => {
      // Once for nothing: the first pages of all would pay for the compiler.
      await page(large, await query(large, many));
      const ours = await page(large, await query(large, many));
      const bare = await page(small, await query(small, few));
      figures.push({ name: `${name}, 100,000 emails beside 1,000`, ours, bare, unit: "ms" });
    };
    await compare("page of 50 at the front", () => Promise.resolve({}));
    await compare(
      "page of 50 in the middle, by cursor",
      async (who, emails) => ({ cursor: await cursorAt(who, emails / 2) }),
    );
    await compare(
      "page of 50 in the middle, by offset",
      (_who, emails) => Promise.resolve({ offset: emails / 2 }),
    );
    await compare(
      "page of 50 at the end, by offset",
      (_who, emails) => Promise.resolve({ offset: emails - 50 }),
    );
    const thread = async (limit: number) => {
      const { mailbox_id: _, ...who } = large;
      const startedAt = performance.now();
      const { thread } = await perform(getEmailThread, test.service, who, {
        thread_id: threadId,
        limit,
      });
      if (thread.length !== limit) throw new Error(`${thread.length} of ${limit}`);
      return performance.now() - startedAt;
    };
    figures.push({
      name: "thread of 10,000, page of 1,000",
      ours: await thread(1_000),
      unit: "ms",
    });
    figures.push({ name: "thread of 10,000, page of 50", ours: await thread(50), unit: "ms" });
    return figures;
  } finally {
    kv.close();
    await Deno.remove(dir, { recursive: true });
  }
}

const threadId = "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a";

/** Writes list rows, checkpoints and counters as storing so many emails would. */
async function fill(
  service: Service,
  userId: string,
  mailboxId: string,
  emails: number,
): Promise<void> {
  let rows: { key: Deno.KvKey; value: unknown }[] = [];
  for (let n = 0; n < emails; n++) {
    const emailId = service.ids.timed(service.clock.now() + n);
    const email = emailOf(userId, mailboxId, emailId, n);
    const { list, thread } = storedRows(email);
    rows.push({ key: keys.emailByMailbox(userId, mailboxId, emailId), value: list });
    rows.push({ key: keys.emailByTime(userId, emailId), value: list });
    if (n < threadLength) {
      rows.push({
        key: keys.emailByThread(userId, threadId, email.date, emailId),
        value: thread,
      });
    }
    if (n % emailsPerCheckpoint === 0) {
      const key = keys.emailCheckpoint(userId, mailboxId, n / emailsPerCheckpoint);
      rows.push({ key, value: emailId });
    }
    if (rows.length > 500) {
      await service.database.write(rows);
      rows = [];
    }
  }
  const stats: MailboxStats = { emails, lastEmailAt: service.clock.now(), rows: emails };
  await service.database.write(rows);
  await service.database.transact((tx) => tx.set(keys.mailboxStats(userId, mailboxId), stats));
}

function emailOf(userId: string, mailboxId: string, emailId: string, n: number): Email {
  const ada = { address: "ada@example.net", name: "Ada Lovelace" };
  const at = 1_790_000_000_000 + n * 1000;
  return {
    emailId,
    userId,
    mailboxId,
    threadId,
    direction: "inbound",
    messageId: `<${n}@example.net>`,
    inReplyTo: [],
    references: [],
    from: ada,
    replyTo: [],
    to: [{ address: "agent@agents.test", name: "" }],
    cc: [],
    bcc: [],
    subject: `Number ${n} of many`,
    date: at,
    receivedAt: at,
    size: 3_600,
    raw: { blobId: emailId, size: 3_600, chunks: 1, sha256: "0".repeat(64) },
    envelope: { from: ada.address, to: [] },
    truncated: false,
    parsed: {
      snippet: "A snippet as long as they usually are, a hundred and some characters of text. "
        .repeat(2),
      excerpt: "An excerpt is longer, up to five hundred characters of text. ".repeat(6),
      attachmentIds: [],
      problem: null,
    },
  };
}
