import { notFound } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { TookTooLong, within } from "../../core/within.ts";
import { parsedFields, readBody } from "./parsed_bodies.ts";
import type { EmailRow } from "../record/email_row.ts";
import type { Email } from "../record/email.ts";
import type { Caller } from "../../core/caller.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";

/** The caller's email, or NOT_FOUND: unknown, foreign, of a deleted mailbox or of one its key may not see. */
export async function readEmail(service: Service, caller: Caller, emailId: string): Promise<Email> {
  const email = await service.database.get<Email>(keys.email(caller.userId, emailId));
  if (!email) throw notFound("email");
  await readMailbox(service.database, caller, email.mailboxId, "email");
  return email;
}

/** Bodies parsed at once for a list; each small one takes about half a millisecond of the main thread. */
const parsedAtOnce = 20;

/** How long a list waits for a large message that the job has not come to: it shows it without snippet then. */
const largeWaitMs = 250;

/**
 * Rows as they are shown: what the job has not parsed yet is parsed now, without writing. A large message
 * holds up a list only for a moment: it is shown as far as it is known, unless the caller is `patient`.
 */
export async function shownRows(
  service: Service,
  userId: string,
  rows: EmailRow[],
  options: { patient?: boolean } = {},
): Promise<EmailRow[]> {
  const shown: EmailRow[] = [];
  for (let at = 0; at < rows.length; at += parsedAtOnce) {
    const page = rows.slice(at, at + parsedAtOnce);
    if (page.every((row) => row.parsed)) shown.push(...page);
    else {shown.push(
        ...await Promise.all(page.map((row) => shownRow(service, userId, row, options))),
      );}
  }
  return shown;
}

async function shownRow(
  service: Service,
  userId: string,
  row: EmailRow,
  { patient = false }: { patient?: boolean },
): Promise<EmailRow> {
  if (row.parsed) return row;
  const email = await service.database.get<Email>(keys.email(userId, row.emailId));
  if (!email) return row;
  if (email.parsed) return { ...row, parsed: email.parsed };
  const body = readBody(service, email);
  const inTime = patient || email.size < largeMessageBytes
    ? await body
    : await within(service.clock, body, largeWaitMs).catch((error) => {
      // What becomes of it is in the log of the job.
      if (error instanceof TookTooLong) return null;
      throw error;
    });
  return inTime ? { ...row, parsed: parsedFields(inTime) } : row;
}

/** Rows of a backlog that are read as a range; where there are more, each email is asked for. */
const maxRangeRows = 500;

/** Which of the emails, besides others, are not processed yet; `emailIds` in order, either way. */
export async function unprocessedOf(
  service: Service,
  userId: string,
  emailIds: readonly string[],
): Promise<Set<string>> {
  if (emailIds.length === 0) return new Set();
  const waiting = await service.database.rememberedIfSmall(keys.emailsUnprocessed(userId));
  if (waiting) return new Set(waiting.map((row) => row.key.at(-1) as string));
  const [one, other] = [emailIds[0], emailIds[emailIds.length - 1]];
  const [first, last] = one < other ? [one, other] : [other, one];
  const range = keys.range(keys.emailsUnprocessed(userId), { start: first, end: `${last}\u0000` });
  const rows = await service.database.collect(range, { limit: maxRangeRows });
  if (rows.length < maxRangeRows) return new Set(rows.map((row) => row.key.at(-1) as string));
  const asked = await service.database.getMany(
    emailIds.map((emailId) => keys.emailUnprocessed(userId, emailId)),
  );
  return new Set(emailIds.filter((_id, n) => asked[n] !== null));
}
