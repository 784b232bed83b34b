import type { Mailbox } from "../mailboxes/mailboxes.ts";
import type { Service } from "../service.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";
import { type CheckpointsHeld, writeCheckpoints } from "./checkpoints.ts";
import { packRows } from "./email_row.ts";
import type { Email } from "./message.ts";
import { LARGE_MESSAGE_BYTES } from "./parse_pool.ts";
import { rememberSubject, threadBySubject } from "./subject_threads.ts";
import { joinThread } from "./threads.ts";

/** Emails held and last seen of one mailbox (SPEC.md, Mailbox: email_count, last_email_date): inbound mail only. */
export interface MailboxStats {
  emails: number;
  lastEmailAt: number;
  /** Emails of either direction: the rows that its list has. */
  rows?: number;
  /** The greatest of their ids. */
  newestId?: string;
  /** Which checkpoints of its list hold, where not all do. */
  checkpoints?: CheckpointsHeld;
}

/** Kinds of jobs that storing an email causes. */
export const processEmailJob = "process_email";
/** The same for what a Worker parses: accounts take turns, and it holds up no small mail. */
export const processLargeEmailJob = "process_large_email";
export const mergeThreadJob = "merge_thread";
export interface ProcessEmail {
  userId: string;
  emailId: string;
}
export interface MergeThread {
  userId: string;
  from: string;
  into: string;
}

/**
 * Writes a new email, received or sent, with everything that makes it listed, threaded and processed, into
 * the caller's transaction. Answers the email with its thread.
 */
export async function storeEmail(tx: Tx, service: Service, draft: Email): Promise<Email> {
  const { userId, mailboxId, emailId } = draft;
  const address = (await tx.peek<Mailbox>(keys.mailbox(userId, mailboxId)))?.address ?? "";
  const { threadId, merged } = await joinThread(
    tx,
    userId,
    draft,
    service.ids.timed(service.clock.now()),
    () => threadBySubject(tx, draft, address),
  );
  const email: Email = { ...draft, threadId };
  await rememberSubject(tx, email, address);
  writeEmail(tx, email);
  for (const from of merged) {
    service.jobs.add(tx, mergeThreadJob, { userId, from, into: threadId } satisfies MergeThread);
  }
  const statsKey = keys.mailboxStats(userId, mailboxId);
  const stats = await tx.get<MailboxStats>(statsKey) ?? { emails: 0, lastEmailAt: 0, rows: 0 };
  const isInbound = email.direction === "inbound";
  const before = { rows: stats.rows ?? 0, newestId: stats.newestId ?? "" };
  const checkpoints = await writeCheckpoints(tx, email, { ...stats, ...before });
  const counted: MailboxStats = {
    emails: stats.emails + (isInbound ? 1 : 0),
    lastEmailAt: isInbound ? email.receivedAt : stats.lastEmailAt,
    rows: before.rows + 1,
    newestId: emailId < before.newestId ? before.newestId : emailId,
    ...(checkpoints ? { checkpoints } : {}),
  };
  tx.set(statsKey, counted);
  tx.set(keys.emailUnprocessed(userId, emailId), email.receivedAt);
  const kind = email.size < LARGE_MESSAGE_BYTES ? processEmailJob : processLargeEmailJob;
  service.jobs.add(tx, kind, { userId, emailId } satisfies ProcessEmail);
  return email;
}

/** Writes the record and every index row of an email: new, parsed, or moved. */
export function writeEmail(tx: Tx, email: Email): void {
  const { userId, mailboxId, emailId, threadId } = email;
  const { list, thread } = packRows(email);
  tx.set(keys.email(userId, emailId), email);
  tx.set(keys.emailByTime(userId, emailId), list);
  tx.set(keys.emailByMailbox(userId, mailboxId, emailId), list);
  tx.set(keys.emailByThread(userId, threadId, email.date, emailId), thread);
}
