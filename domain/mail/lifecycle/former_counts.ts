import type { MailboxStats } from "../../mailboxes/mailbox_stats.ts";
import type { Database } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Migration } from "../../store/migrations.ts";
import type { StoredRow } from "../record/email_row.ts";
import { readableRow } from "../record/read_email.ts";

/** Gives the stats of each mailbox the number of its received emails that are not marked read. */
export const unreadBefore: Migration = {
  from: 5,
  to: 6,
  async run(database) {
    for await (const { key } of database.list({ prefix: keys.users() })) {
      await countUnreadOf(database, String(key[1]));
    }
  },
};

async function countUnreadOf(database: Database, userId: string): Promise<void> {
  const mailboxes = await database.collect({ prefix: keys.mailboxes(userId) });
  const stats = mailboxes.map(({ key }) => keys.mailboxStats(userId, String(key.at(-1))));
  const before = await database.getMany<MailboxStats>(stats);
  if (before.every((each) => each?.unread !== undefined)) return;
  const unread = new Map<string, number>();
  for await (const { key, value } of database.list<StoredRow>({ prefix: keys.emails(userId) })) {
    const row = readableRow(database, String(key.at(-1)), value);
    if (row?.direction !== "inbound" || row.isRead) continue;
    unread.set(row.mailboxId, (unread.get(row.mailboxId) ?? 0) + 1);
  }
  for (const key of stats) {
    await database.transact(async (tx) => {
      const counted = unread.get(String(key.at(-1))) ?? 0;
      const known = await tx.get<MailboxStats>(key);
      // Mail that was counted in shards alone has no other row.
      if (known ? known.unread !== undefined : counted === 0) return;
      const { emails, lastEmailAt } = known ?? { emails: 0, lastEmailAt: 0 };
      tx.set(key, { ...known, emails, lastEmailAt, unread: counted } satisfies MailboxStats);
    });
  }
}
