import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { storedRows } from "./email_row.ts";
import type { Email } from "./email.ts";

/** Writes the record and every index row of an email: new, parsed, or moved. */
export function writeEmail(tx: Tx, email: Email): void {
  const { userId, mailboxId, emailId, threadId } = email;
  const { list, thread } = storedRows(email);
  tx.set(keys.email(userId, emailId), email);
  tx.set(keys.emailByTime(userId, emailId), list);
  tx.set(keys.emailByMailbox(userId, mailboxId, emailId), list);
  tx.set(keys.emailByThread(userId, threadId, email.date, emailId), thread);
}
