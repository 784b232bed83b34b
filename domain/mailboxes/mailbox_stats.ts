import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/** `email_count` and `last_email_date` of one mailbox: received mail only. */
export interface MailboxStats {
  emails: number;
  lastEmailAt: number;
  /** Received emails that are not marked read. */
  unread?: number;
  /** Emails of either direction: the rows that its list has. */
  rows?: number;
  /** The greatest of their ids. */
  newestId?: string;
  /** The email of `newestId` was deleted. */
  newestGone?: true;
  /** The valid checkpoints of its list, if not all are valid. */
  checkpoints?: CheckpointsHeld;
}

/** The valid checkpoints: those of this generation, the first of them numbered `from`. */
export interface CheckpointsHeld {
  generation: number;
  from: number;
}

/**
 * What the processes of a shard have counted of a mailbox in addition to its row, so that arrivals on several instances
 * do not write the same row. Emails that are counted here have no checkpoints.
 */
export type ShardStats =
  & Required<Omit<MailboxStats, "checkpoints" | "newestGone" | "unread">>
  & Pick<MailboxStats, "unread">;

/** The stats with what the shards have counted. */
export function withShards(
  stats: MailboxStats | null,
  shards: readonly ShardStats[],
): MailboxStats | null {
  if (shards.length === 0) return stats;
  const all = { emails: 0, lastEmailAt: 0, unread: 0, rows: 0, newestId: "", ...stats };
  for (const { emails, lastEmailAt, unread = 0, rows, newestId } of shards) {
    all.emails += emails;
    all.unread += unread;
    all.lastEmailAt = Math.max(all.lastEmailAt, lastEmailAt);
    all.rows += rows;
    if (newestId > all.newestId) all.newestId = newestId;
  }
  return all;
}

/** The stats of mailboxes of an account, in the order of their ids; null without mail. */
export async function readStats(
  database: Pick<Database, "getMany" | "collect" | "exclusive">,
  userId: string,
  mailboxIds: readonly string[],
): Promise<(MailboxStats | null)[]> {
  const [stats, shards] = await Promise.all([
    database.getMany<MailboxStats>(mailboxIds.map((each) => keys.mailboxStats(userId, each))),
    database.exclusive
      ? []
      : database.collect<ShardStats>({ prefix: keys.mailboxStatsShards(userId) }),
  ]);
  return mailboxIds.map((mailboxId, i) => {
    const its = shards.filter(({ key }) => key[2] === mailboxId).map(({ value }) => value);
    return withShards(stats[i], its);
  });
}
