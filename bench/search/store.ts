import { Buffer } from "node:buffer";
import type { Email } from "../../domain/mail/record/email.ts";
import { openEmbeddedIndex } from "../../adapters/search_index/embedded.ts";
import type { IndexedEmail } from "../../domain/ports/search_index.ts";
import { BlobWriter } from "../../domain/store/blobs.ts";
import * as keys from "../../domain/store/keys.ts";
import {
  account,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../tests/service.ts";
import { seeded } from "../invented_mail.ts";
import { writeEmail } from "../../domain/mail/record/write_email.ts";
import type { MailboxStats } from "../../domain/mailboxes/mailbox_stats.ts";

export const idleAccounts = 100;
const emailsOfIdle = 20;
/** How many emails are written to the store, and given to the index, at a time. */
const batchEmails = 64;

/** The result of filling: the large account, and the speed. */
export interface Filled {
  key: string;
  address: string;
  /** Emails a second, store and index together. */
  rate: number;
}

/** Fills the store and the index that the service will open, with the same rows as arrivals. */
export async function fillStore(dir: string, mail: IndexedEmail[], size: number): Promise<Filled> {
  const kv = await Deno.openKv(`${dir}/kv.sqlite`);
  try {
    const searchIndex = openEmbeddedIndex({ path: `${dir}/kv.index.sqlite` });
    await using test = await testService({ kv, parts: { searchIndex } });
    const random = seeded(3);
    for (let n = 0; n < idleAccounts; n++) {
      const owner = await account(test);
      await fillMailbox(test, owner, mail, random, emailsOfIdle);
    }
    const owner = await account(test);
    const begun = performance.now();
    const address = await fillMailbox(test, owner, mail, random, size);
    return { key: owner.key, address, rate: size / ((performance.now() - begun) / 1_000) };
  } finally {
    kv.close();
  }
}

async function fillMailbox(
  test: TestService,
  { userId, ...owner }: TestAccount,
  mail: IndexedEmail[],
  random: () => number,
  size: number,
): Promise<string> {
  const { service } = test;
  const box = await mailbox(test, { userId, ...owner });
  let indexing = Promise.resolve();
  let storing = Promise.resolve();
  for (let n = 0; n < size; n += batchEmails) {
    const batch = Array.from({ length: Math.min(batchEmails, size - n) }, (_, k) => {
      const arrivedMs = service.clock.now() - (size - n - k) * 60_000;
      const { text, ...made } = madeEmail(mail, random, n + k);
      const emailId = service.ids.timed(arrivedMs);
      const mailboxId = box.mailbox_id;
      return { ...made, text, userId, emailId, mailboxId, dateMs: arrivedMs, arrivedMs };
    });
    await indexing;
    indexing = service.searchIndex.add(batch);
    const blobs = await Promise.all(batch.map(async (email) => {
      const writer = new BlobWriter(service);
      await writer.write(rawOf(email));
      return await writer.finish();
    }));
    // One transaction for all: separate commits would cost more in the queue and the row cache than on the disk.
    await storing;
    storing = service.database.transact(async (tx) => {
      for (const [k, email] of batch.entries()) {
        await blobs[k].attach(tx);
        const line = email.text.replace(/\s+/g, " ").slice(0, 500);
        writeEmail(tx, storedEmail(email, line, blobs[k].ref), line);
      }
    });
  }
  await Promise.all([indexing, storing]);
  const stats: MailboxStats = { emails: size, lastEmailAt: service.clock.now(), rows: size };
  await service.database.transact((tx) => tx.set(keys.mailboxStats(userId, box.mailbox_id), stats));
  return box.email_address;
}

function storedEmail(email: IndexedEmail, line: string, raw: Email["raw"]): Email {
  const { userId, emailId, mailboxId, subject, dateMs, arrivedMs } = email;
  return {
    userId,
    emailId,
    mailboxId,
    threadId: emailId,
    direction: "inbound",
    isRead: false,
    labels: [],
    auth: null,
    automated: false,
    messageId: `<${emailId}@example.net>`,
    inReplyTo: [],
    references: [],
    from: senderOf(email.from),
    replyTo: [],
    to: [{ address: "agent@agents.test", name: "" }],
    cc: [],
    bcc: [],
    subject: subject.slice(0, 400),
    date: dateMs,
    receivedAt: arrivedMs,
    size: raw.size,
    raw,
    envelope: { from: "", to: [] },
    truncated: false,
    parsed: {
      snippet: line.slice(0, 200),
      attachmentIds: [],
      attachments: [],
      problem: null,
    },
  };
}

export function senderOf(from: string) {
  const [, name = "", address = from] = /^(.*?)\s*<([^>]*)>$/.exec(from) ?? [];
  return { name: name.slice(0, 100), address: address.slice(0, 200) };
}

/** Halves of two mails, joined, with a unique number. */
export function madeEmail(mail: IndexedEmail[], random: () => number, n: number): IndexedEmail {
  const pick = () => mail[Math.floor(random() * mail.length)];
  const [one, other] = [pick(), pick()];
  const half = (text: string) => text.slice(0, 1 + Math.floor(random() * 2000));
  return {
    ...one,
    subject: `${one.subject} ${n % 9973}`,
    text: `${half(one.text)}\n${half(other.text)}\nReference ${n.toString(36)}-${n}`,
  };
}

export function rawOf({ from, subject, text }: IndexedEmail): Uint8Array {
  const encoded = (field: string) =>
    /^[\x20-\x7e]*$/.test(field) ? field : `=?utf-8?B?${Buffer.from(field).toString("base64")}?=`;
  const { address } = senderOf(from);
  return new TextEncoder().encode(
    `From: ${/^[\w.+-]+@[\w.-]+$/.test(address) ? address : "sender@example.net"}\r\n` +
      `To: agent@agents.test\r\nSubject: ${encoded(subject.replace(/\s+/g, " "))}\r\n` +
      "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" +
      text.replace(/\r?\n/g, "\r\n"),
  );
}
