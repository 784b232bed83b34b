import type { Email } from "../mail/record/email.ts";
import type { Service } from "../core/service.ts";
import type { MailPlace } from "../core/job_kinds.ts";
import type { StoredRow } from "../mail/record/email_row.ts";
import { emailsOfRows } from "../mail/record/read_email.ts";
import * as keys from "../store/keys.ts";

/** A page of all mail: its emails whose mailbox still exists, and the place of its last email, null at the end. */
export interface MailPage {
  live: Email[];
  last: MailPlace | null;
}

/**
 * The next emails of all accounts after `after`.
 */
export async function pageOfAllMail(
  { database }: Service,
  after: MailPlace | null,
  limit: number,
): Promise<MailPage> {
  const selector = after
    ? keys.allEmailsAfter(after.userId, after.emailId)
    : { prefix: keys.allEmails() };
  const entries = await database.collect<StoredRow>(selector, { limit });
  const emails = await emailsOfRows(database, entries);
  const last = entries.at(-1)?.key;
  const mailboxes = await database.getMany(
    emails.map(({ userId, mailboxId }) => keys.mailbox(userId, mailboxId)),
  );
  return {
    live: emails.filter((_email, n) => mailboxes[n] !== null),
    last: last ? { userId: String(last[1]), emailId: String(last[2]) } : null,
  };
}

/** Which of the emails are deleted now, alone or with their mailbox. */
export async function deletedOf({ database }: Service, emails: readonly Email[]): Promise<Email[]> {
  const [rows, mailboxes] = await Promise.all([
    database.getMany(emails.map(({ userId, emailId }) => keys.email(userId, emailId))),
    database.getMany(emails.map(({ userId, mailboxId }) => keys.mailbox(userId, mailboxId))),
  ]);
  return emails.filter((_email, n) => rows[n] === null || mailboxes[n] === null);
}
