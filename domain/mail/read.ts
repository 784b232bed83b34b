import { notFound } from "../errors.ts";
import { type Caller, seesMailbox } from "../operation.ts";
import type { Service } from "../service.ts";
import * as keys from "../store/keys.ts";
import { parsedFields, readBody } from "./body.ts";
import type { Email, EmailRow } from "./message.ts";

/** The caller's email, or NOT_FOUND: unknown, foreign, of a deleted mailbox or of one its key may not see. */
export async function readEmail(service: Service, caller: Caller, emailId: string): Promise<Email> {
  const email = await service.entries.get<Email>(keys.email(caller.userId, emailId));
  if (!email || !seesMailbox(caller, email.mailboxId)) throw notFound("email");
  if (await service.entries.get(keys.mailbox(caller.userId, email.mailboxId)) === null) {
    throw notFound("email");
  }
  return email;
}

/** Rows as they are shown: what the job has not parsed yet is parsed now, without writing. */
export async function shownRows(
  service: Service,
  userId: string,
  rows: EmailRow[],
): Promise<EmailRow[]> {
  return await Promise.all(rows.map(async (row) => {
    if (row.parsed) return row;
    const email = await service.entries.get<Email>(keys.email(userId, row.emailId));
    if (!email) return row;
    return { ...row, parsed: email.parsed ?? parsedFields(await readBody(service, email)) };
  }));
}

/** Which of the emails between the two ids (inclusive, either order) are not processed yet. */
export async function unprocessedBetween(
  service: Service,
  userId: string,
  one: string,
  other: string,
): Promise<Set<string>> {
  const [first, last] = one < other ? [one, other] : [other, one];
  const range = keys.range(keys.emailsUnprocessed(userId), { start: first, end: `${last}\u0000` });
  const rows = await service.entries.collect(range);
  return new Set(rows.map((row) => row.key.at(-1) as string));
}
