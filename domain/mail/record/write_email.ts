import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { storedRows } from "./email_row.ts";
import type { Email } from "./email.ts";

/** Writes the record and every index row of an email that is new, was parsed, or has another thread. */
export function writeEmail(tx: Tx, email: Email): void {
  const { userId, mailboxId, emailId, threadId } = email;
  const { list, thread } = storedRows(email);
  tx.set(keys.email(userId, emailId), email);
  tx.set(keys.emailByTime(userId, emailId), list);
  tx.set(keys.emailByMailbox(userId, mailboxId, emailId), list);
  tx.set(keys.emailByThread(userId, threadId, email.date, emailId), thread);
}

/** Writes the index rows of an email again from its record: for a store whose rows have an older form. */
export async function rewriteRows(tx: Tx, userId: string, emailId: string): Promise<void> {
  const email = await tx.get<Email>(keys.email(userId, emailId));
  if (email) writeEmail(tx, email);
}
