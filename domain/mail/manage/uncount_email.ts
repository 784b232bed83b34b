import type { MailboxStats } from "../../mailboxes/mailbox_stats.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { checkpointsWithout } from "../record/checkpoints.ts";
import type { Email } from "../record/email.ts";

/** Subtracts a deleted email from the stats of its mailbox. The time of the last arrival stays. */
export async function uncountEmail(tx: Tx, email: Email): Promise<void> {
  const { userId, mailboxId, emailId, direction } = email;
  const key = keys.mailboxStats(userId, mailboxId);
  const { emails, lastEmailAt, rows = 0, newestId = "", newestGone, checkpoints }: MailboxStats =
    await tx.get<MailboxStats>(key) ?? { emails: 0, lastEmailAt: 0 };
  const held = await checkpointsWithout(tx, email, { rows, checkpoints });
  // Counts of this row can be below zero: those of the lanes are added to them.
  const counted: MailboxStats = {
    emails: emails - (direction === "inbound" ? 1 : 0),
    lastEmailAt,
    rows: rows - 1,
    newestId,
    ...(newestGone || emailId === newestId ? { newestGone: true } : {}),
    ...(held ? { checkpoints: held } : {}),
  };
  tx.set(key, counted);
}
