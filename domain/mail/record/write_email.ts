import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { storedDetails } from "./email_details.ts";
import { type EmailRow, storedRow } from "./email_row.ts";
import type { Email } from "./email.ts";

/** Writes every row of an email that is new or was parsed. `excerpt` is of its body; "" if there is none yet. */
export function writeEmail(tx: Pick<Tx, "set">, email: Email, excerpt: string): void {
  for (const { key, value } of emailRows(email, excerpt)) tx.set(key, value);
}

/** The rows of an email: what lists show, the rest, and its places in the ranges of its mailbox and its thread. */
export function emailRows(email: Email, excerpt: string): { key: Deno.KvKey; value: unknown }[] {
  const { userId, mailboxId, emailId, threadId, importId } = email;
  const imported = importId === undefined
    ? []
    : [{ key: keys.importedEmail(userId, mailboxId, importId), value: emailId }];
  return [
    { key: keys.email(userId, emailId), value: storedRow(email) },
    { key: keys.emailDetails(userId, emailId), value: storedDetails(email) },
    { key: keys.emailByMailbox(userId, mailboxId, emailId), value: imported.length },
    ...imported,
    {
      key: keys.emailByThread(userId, threadId, email.date, emailId),
      // The snippet is the beginning of the excerpt.
      value: excerpt.slice(email.parsed?.snippet.length ?? 0),
    },
  ];
}

/** Deletes every row of an email, and that of its processing. */
export function deleteRows(tx: Tx, email: Email): void {
  const { userId, mailboxId, emailId, threadId, date, importId } = email;
  tx.delete(keys.email(userId, emailId));
  tx.delete(keys.emailDetails(userId, emailId));
  tx.delete(keys.emailByMailbox(userId, mailboxId, emailId));
  if (importId !== undefined) tx.delete(keys.importedEmail(userId, mailboxId, importId));
  tx.delete(keys.emailByThread(userId, threadId, date, emailId));
  tx.delete(keys.emailProcessing(userId, emailId));
}

/** Writes the fields that no list shows, after a change of `status`, `truncated` or `problem`. */
export function writeDetails(tx: Tx, email: Email): void {
  tx.set(keys.emailDetails(email.userId, email.emailId), storedDetails(email));
}

/** Writes the fields that lists show, after a change of a mark or of `auth`. */
export function writeRow(tx: Tx, userId: string, row: EmailRow | Email): void {
  tx.set(keys.email(userId, row.emailId), storedRow(row));
}

/** Moves an email to another thread. `excerptEnd` is the value of its row in the former thread, which the caller deletes. */
export function moveToThread(
  tx: Tx,
  userId: string,
  row: EmailRow,
  threadId: string,
  excerptEnd: string,
): void {
  tx.set(keys.email(userId, row.emailId), storedRow({ ...row, threadId }));
  tx.set(keys.emailByThread(userId, threadId, row.date, row.emailId), excerptEnd);
}
