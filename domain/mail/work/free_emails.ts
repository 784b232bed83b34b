import { clockSlackMs } from "../../core/clock.ts";
import type { Service } from "../../core/service.ts";
import type { Parts } from "../lifecycle/apply.ts";
import type { Reads } from "../read/reads.ts";
import * as keys from "../../store/keys.ts";
import { rowsInOrder } from "../read/rows_in_order.ts";
import { type EmailRow, hasArrived } from "../record/email_row.ts";
import { rowsByIds } from "../record/read_email.ts";
import { type ClaimRow, latestDueAt, writeClaim } from "../manage/claim_row.ts";

/** What claims use of the service. */
export type Claims = Reads & Parts & Pick<Service, "claimTurns" | "ids">;

/** An email that nobody has. */
export interface FreeEmail {
  row: EmailRow;
  /** It was handed out before. */
  wasClaimed: boolean;
}

export interface MailboxRef {
  userId: string;
  mailboxId: string;
}

const rowsAtOnce = 64;
/** Rows of handled emails that one commit removes. */
const maxRemoved = 200;

/** The emails of a mailbox that nobody has, oldest first. */
export async function* freeEmails(
  service: Claims,
  mailbox: MailboxRef,
  from: "memory" | "store",
): AsyncGenerator<FreeEmail> {
  const again = await againEmails(service, mailbox);
  let next = again.shift();
  for await (const row of freshEmails(service, mailbox, from)) {
    for (; next && next.emailId < row.emailId; next = again.shift()) {
      yield { row: next, wasClaimed: true };
    }
    yield { row, wasClaimed: false };
  }
  for (; next; next = again.shift()) yield { row: next, wasClaimed: true };
}

/**
 * When the first lease of a mailbox after `lookedAt` ends or a released email can be claimed, in ms since 1970; null if
 * there is none. It may be over by now: whoever looked for free emails at `lookedAt` has not seen it.
 */
export async function nextDue(
  { database }: Claims,
  { userId, mailboxId }: MailboxRef,
  lookedAt: number,
): Promise<number | null> {
  const later = keys.range(keys.claimsDue(userId, mailboxId), { start: lookedAt + 1 });
  const [first] = await database.collect(later, { limit: 1 });
  return first ? Number(first.key[3]) : null;
}

/** The emails whose lease has ended, or that were released, oldest first. The claims of deleted ones are removed. */
async function againEmails(
  { database, clock }: Claims,
  { userId, mailboxId }: MailboxRef,
): Promise<EmailRow[]> {
  const now = clock.now(), all = keys.claimsDue(userId, mailboxId);
  const due = [{ end: now + 1 }, { start: latestDueAt(now) + 1 }];
  const found = await Promise.all(due.map((part) => database.collect(keys.range(all, part))));
  const ids = found.flat().map(({ key }) => String(key[4])).sort();
  const rows = await rowsByIds(database, userId, ids);
  if (rows.length === ids.length) return rows;
  const there = new Set(rows.map(({ emailId }) => emailId));
  for (const emailId of ids.filter((each) => !there.has(each))) {
    await database.transact(async (tx) => {
      const claim = await tx.get<ClaimRow>(keys.claim(userId, mailboxId, emailId));
      const isThere = await tx.get(keys.email(userId, emailId)) !== null;
      if (claim && !isThere) writeClaim(tx, { userId, mailboxId, emailId }, claim, null);
    });
  }
  return rows;
}

/**
 * The received emails that were never handed out, in order. All emails before the mark of the mailbox were handed out, or
 * are never handed out: sent and imported ones, which may also come later.
 * From the store the walk begins at the mark and moves it on; from memory it begins where this process found nothing
 * left.
 */
async function* freshEmails(
  service: Claims,
  mailbox: MailboxRef,
  from: "memory" | "store",
): AsyncGenerator<EmailRow> {
  const { database, clock, claimTurns } = service;
  const { userId, mailboxId } = mailbox;
  const mark = await database.get<string>(keys.claimMark(userId, mailboxId)) ?? "";
  const seen = claimTurns.handedOut.get(mailboxId) ?? "";
  const start = from === "memory" && seen > mark ? seen : mark;
  const bounds = start === "" ? {} : { start: `${start}\u0000` };
  // Ids are in order of arrival, except that the clocks of instances may differ.
  const settledBefore = clock.now() - clockSlackMs;
  let isUnbroken = true, isSettled = from === "store";
  const passed: { emailId: string; isAcked: boolean }[] = [];
  try {
    for await (
      const rows of rowsInOrder(service, { ...mailbox, bounds, reverse: false }, rowsAtOnce)
    ) {
      const claims = await database.getMany<ClaimRow>(
        rows.map(({ emailId }) => keys.claim(userId, mailboxId, emailId)),
      );
      for (const [n, row] of rows.entries()) {
        const claim = claims[n];
        if (hasArrived(row) && claim === null) {
          isUnbroken = false;
          yield row;
          continue;
        }
        if (!isUnbroken) continue;
        claimTurns.handedOut.set(mailboxId, row.emailId);
        isSettled &&= row.receivedAt < settledBefore;
        if (isSettled) passed.push({ emailId: row.emailId, isAcked: claim?.state === "acked" });
      }
    }
  } finally {
    for (const some of service.database.forCommits(passed, maxRemoved)) {
      await moveMark(service, mailbox, some);
    }
  }
}

/** Sets the mark behind emails that were handed out, and removes the rows of those that were handled. */
async function moveMark(
  { database }: Claims,
  { userId, mailboxId }: MailboxRef,
  passed: readonly { emailId: string; isAcked: boolean }[],
): Promise<void> {
  const last = passed[passed.length - 1].emailId;
  await database.transact(async (tx) => {
    const key = keys.claimMark(userId, mailboxId);
    if ((await tx.get<string>(key) ?? "") >= last) return;
    tx.set(key, last);
    for (const { emailId, isAcked } of passed) {
      if (isAcked) tx.delete(keys.claim(userId, mailboxId, emailId));
    }
  });
}
