import { isRecent } from "../../core/clock.ts";
import { rateLimited, type ServiceError } from "../../core/errors.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { PacedThread } from "../record/outgoing.ts";
import { sha256Of } from "../record/content_hash.ts";

/** Sends of one thread, oldest first: the time, and a hash of the recipient. */
type SendPace = [at: number, recipient: string][];

const shownMs = 86_400_000;

/** Two programs that answer each other stop after this many mails (docs/sending.md "Loops"). */
const mostSends = 12;
const paceMs = 600_000;
/**
 * 40 bytes each: the row stays below the 64 KiB of a value. Nobody sends this many mails in one thread in ten minutes.
 */
const mostEntries = 1_200;
const hashChars = 16;

/**
 * Counts a send to each recipient in its thread, in the commit of the send; after the twelfth, people see a notice.
 * Throws RATE_LIMIT_EXCEEDED if one of them got 12 in the last ten minutes: then nobody gets the mail.
 */
export async function countInThread(
  tx: Tx,
  userId: string,
  threadId: string,
  recipients: readonly string[],
  now: number,
  { isReply, mailboxId }: { isReply: boolean; mailboxId: string },
): Promise<void> {
  const row = keys.sendPace(userId, threadId);
  const stored = await tx.get<SendPace>(row, { likelyAbsent: !isReply }) ?? [];
  const recent = stored.filter(([at]) => isRecent(at, now, paceMs));
  // One mailbox is one recipient, whatever the letter case and tag of its address.
  const people = new Map(
    recipients.map((each) => [sha256Of(mailboxForm(each)).slice(0, hashChars), each]),
  );
  for (const [person, recipient] of people) {
    const sends = recent.filter(([, to]) => to === person);
    if (sends.length >= mostSends) throw tooFast(sends[sends.length - mostSends][0], now);
    if (sends.length === mostSends - 1) {
      // Written here because a refused send has no commit.
      const paced: PacedThread = { at: now, until: sends[0][0] + paceMs, mailboxId, recipient };
      tx.set(keys.pacedThread(userId, threadId), paced, { expireInMs: shownMs });
    }
  }
  if (recent.length + people.size > mostEntries) throw tooFast(recent[0][0], now);
  const counted = [...recent, ...[...people.keys()].map((person) => [now, person])];
  tx.set(row, counted, { expireInMs: paceMs });
}

function tooFast(first: number, now: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((first + paceMs - now) / 1_000));
  const message =
    `${mostSends} mails of this thread went to one recipient within 10 minutes; this may be a loop of two programs.`;
  return rateLimited(mostSends, "thread", retryAfter, message);
}

/** Two programs that answer each other's automatic mail exchange one an hour in a thread. */
const automaticReplyPauseMs = 3_600_000;

/** Throws RATE_LIMIT_EXCEEDED if automatic mail of this thread was answered within the last hour. */
export async function pauseAutomaticReplies(
  tx: Tx,
  userId: string,
  threadId: string,
  now: number,
): Promise<void> {
  const row = keys.automaticReply(userId, threadId);
  const waitMs = (await tx.get<number>(row) ?? 0) + automaticReplyPauseMs - now;
  if (waitMs > 0) {
    const retryAfter = Math.ceil(waitMs / 1_000);
    const message =
      "Automatic mail in this thread was answered less than an hour ago; this may be a loop.";
    throw rateLimited(1, "hour", retryAfter, message);
  }
  tx.set(row, now, { expireInMs: automaticReplyPauseMs });
}
