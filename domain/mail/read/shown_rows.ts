import { notFound } from "../../core/errors.ts";
import type { Reads } from "./reads.ts";
import { TookTooLong, within } from "../../core/work/within.ts";
import { readBody } from "./parsing/parsed_bodies.ts";
import { parsedFields } from "../record/email.ts";
import { nullIfDeleted } from "./parsing/stored_message.ts";
import type { EmailRow } from "../record/email_row.ts";
import { storedEmail } from "../record/read_email.ts";
import type { Email } from "../record/email.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { type Caller, seesMailbox } from "../../core/caller.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";

/**
 * The caller's email. Throws NOT_FOUND if it is unknown, another account's, of a deleted mailbox or of one hidden from
 * the key.
 */
export async function readEmail(service: Reads, caller: Caller, emailId: string): Promise<Email> {
  return (await readEmailWith(service, caller, emailId, () => Promise.resolve(null))).email;
}

/** As `readEmail`, but returns the result of `read`, which runs while the email's mailbox is checked. */
export async function readEmailWith<Beside>(
  service: Reads,
  caller: Caller,
  emailId: string,
  read: (email: Email) => Promise<Beside>,
): Promise<{ email: Email; mailbox: Mailbox; beside: Beside }> {
  const email = await storedEmail(service.database, caller.userId, emailId);
  if (!email || !seesMailbox(caller, email.mailboxId)) throw notFound("email", emailId);
  const [mailbox, beside] = await Promise.allSettled([
    readMailbox(service.database, caller, email.mailboxId, "email"),
    read(email),
  ]);
  if (mailbox.status === "rejected") throw mailbox.reason;
  if (beside.status === "rejected") throw beside.reason;
  return { email, mailbox: mailbox.value, beside: beside.value };
}

/** How long a list waits for a message that is not parsed yet; after that it has no snippet. */
const largeWaitMs = 250;
/** The body of a larger message may not fit into what is kept, and would be parsed again: a list leaves it to its job. */
const largestForList = 1024 * 1024;
/**
 * How long a list waits for the names of attachments that do not fit into the rows of their emails; then they are left
 * out.
 */
const namesWaitMs = 2_000;

/**
 * The rows with their snippets and attachments. If a row lacks them, its email is parsed now, without a write. A large
 * email that no job has parsed yet is returned unparsed if parsing takes longer than 250 ms, and one above 1 MiB if nobody
 * parses it now; names of attachments are left out after 2 s. With `patient` there is no limit.
 */
export async function shownRows(
  service: Reads,
  userId: string,
  rows: EmailRow[],
  options: { patient?: boolean } = {},
): Promise<EmailRow[]> {
  if (rows.every((row) => row.parsed?.attachments)) return rows;
  return await Promise.all(rows.map((row) => shownRow(service, userId, row, options)));
}

async function shownRow(
  service: Reads,
  userId: string,
  row: EmailRow,
  { patient = false }: { patient?: boolean },
): Promise<EmailRow> {
  if (row.parsed?.attachments) return row;
  const email = await storedEmail(service.database, userId, row.emailId);
  if (!email) return row;
  if (email.parsed) {
    const { parsed } = email;
    const excerpt = row.parsed?.excerpt ?? parsed.snippet;
    // A job has just parsed it.
    if (parsed.attachments) return { ...row, parsed: { ...parsed, excerpt } };
    const inTime = await bodyWithin(service, email, patient ? null : namesWaitMs);
    const { attachments } = inTime ? parsedFields(inTime) : parsed;
    return { ...row, parsed: { ...parsed, attachments, excerpt } };
  }
  const mayRead = patient || email.size <= largestForList || service.parsedBodies.isAtHand(email);
  if (!mayRead) return row;
  const inTime = await bodyWithin(service, email, patient ? null : largeWaitMs);
  return inTime ? { ...row, parsed: { ...parsedFields(inTime), excerpt: inTime.excerpt } } : row;
}

/** The body of an email; null if parsing takes longer than `ms`, or if the email was deleted meanwhile. */
async function bodyWithin(
  service: Reads,
  email: Email,
  ms: number | null,
): Promise<MessageBody | null> {
  const body = nullIfDeleted(readBody(service, email));
  if (ms === null) return await body;
  return await within(service.clock, body, ms).catch((error) => {
    // The job logs how it ends.
    if (error instanceof TookTooLong) return null;
    throw error;
  });
}

/** Whether an email has attachments; one that is not parsed yet is parsed. */
export async function hasAttachments(
  service: Reads,
  userId: string,
  row: EmailRow,
): Promise<boolean> {
  const [shown] = row.parsed ? [row] : await shownRows(service, userId, [row], { patient: true });
  return (shown.parsed?.attachmentIds.length ?? 0) > 0;
}
