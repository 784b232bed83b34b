import type { Email } from "../mail/record/email.ts";
import type { Service } from "../core/service.ts";
import type { MailPlace } from "../core/job_kinds.ts";
import * as keys from "../store/keys.ts";

/**
 * The next emails of all accounts after `after`: those whose mailbox still exists, and the place of the last email that was
 * read, null at the end.
 */
export async function pageOfAllMail(
  { database }: Service,
  after: MailPlace | null,
  limit: number,
): Promise<{ live: Email[]; last: MailPlace | null }> {
  const selector = after
    ? keys.allEmailsAfter(after.userId, after.emailId)
    : { prefix: keys.allEmails() };
  const live: Email[] = [];
  let last: MailPlace | null = null;
  for await (const { value: email } of database.list<Email>(selector, { limit })) {
    const { userId, emailId, mailboxId } = email;
    last = { userId, emailId };
    if (await database.get(keys.mailbox(userId, mailboxId)) !== null) live.push(email);
  }
  return { live, last };
}
