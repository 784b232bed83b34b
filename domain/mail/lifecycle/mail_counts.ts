import type { MailboxStats } from "../../mailboxes/mailbox_stats.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { checkpointsWithout, writeCheckpoints } from "../record/checkpoints.ts";
import type { EmailRow } from "../record/email_row.ts";

/**
 * Counts an email in the stats of its mailbox, with -1 no longer: the time of the last arrival stays then, and also if an
 * import is older. If another process counts new emails there too, they are counted in the row of this shard.
 */
export async function countInMailbox(
  tx: Tx,
  email: EmailRow & { userId: string },
  by: 1 | -1,
): Promise<void> {
  const { userId, mailboxId, emailId, receivedAt, importId } = email;
  const isNew = by > 0, isInbound = email.direction === "inbound";
  const statsKey = keys.mailboxStats(userId, mailboxId);
  const own = isNew && tx.shard !== null && tx.contended(statsKey)
    ? keys.mailboxStatsShard(userId, mailboxId, tx.shard)
    : null;
  const stats = await tx.get<MailboxStats>(own ?? statsKey, { likelyAbsent: own !== null });
  // A damaged row has none of them: the counts start again.
  const before: Partial<MailboxStats> = stats ?? {};
  const { emails = 0, unread = 0, lastEmailAt = 0, rows = 0, newestId = "" } = before;
  const { newestGone, checkpoints } = before;
  const checked = isNew ? writeCheckpoints : checkpointsWithout;
  const held = own
    ? undefined
    : await checked(tx, email, { rows, newestId, newestGone, checkpoints });
  const isGone = isNew ? newestGone && emailId < newestId : newestGone || emailId === newestId;
  // Counts of this row can be below zero: those of the shards are added to them.
  const counted: MailboxStats = {
    emails: emails + (isInbound ? by : 0),
    unread: unread + (isInbound && !email.isRead ? by : 0),
    lastEmailAt: !isNew || !isInbound || (importId !== undefined && receivedAt < lastEmailAt)
      ? lastEmailAt
      : receivedAt,
    rows: rows + by,
    newestId: isNew && emailId > newestId ? emailId : newestId,
    ...(isGone ? { newestGone: true } : {}),
    ...(held ? { checkpoints: held } : {}),
  };
  tx.set(own ?? statsKey, counted);
}

/** Counts a received email that was marked unread, with -1 read, in the stats of its mailbox. */
export async function countUnread(
  tx: Tx,
  { userId, mailboxId }: Pick<EmailRow, "mailboxId"> & { userId: string },
  by: 1 | -1,
): Promise<void> {
  const key = keys.mailboxStats(userId, mailboxId);
  // Without a row the mail was counted in shards.
  const stats = await tx.get<MailboxStats>(key) ?? { emails: 0, lastEmailAt: 0 };
  tx.set(key, { ...stats, unread: (stats.unread ?? 0) + by } satisfies MailboxStats);
}
