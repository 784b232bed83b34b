import type { Service } from "../service.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";
import type { MailboxStats } from "./store_email.ts";

/**
 * Every so many emails of a mailbox one is written down with its place, so that a page far from the front
 * is found by its number without reading all before it. Emails of a mailbox are only ever added at the end
 * of their order, or removed all together. So small a step keeps a page of 50 in the middle within 1.3
 * times the work of one at the front.
 */
export const emailsPerCheckpoint = 16;

/** Writes the checkpoint that an email founds, where it does; `place` counts the mailbox's emails from 0. */
export function writeCheckpoint(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  place: number,
): void {
  if (place % emailsPerCheckpoint !== 0) return;
  const { userId, mailboxId, emailId } = email;
  tx.set(keys.emailCheckpoint(userId, mailboxId, place / emailsPerCheckpoint), emailId);
}

/** Where to begin to read, and how many rows to pass over from there. */
export interface Start {
  selector: Deno.KvListSelector;
  skip: number;
}

/**
 * Where the emails after the first `offset` of a mailbox begin, in the given order, with fewer than
 * {@link emailsPerCheckpoint} rows to pass over. Null where it has not as many, or where it is not known.
 */
export async function startAt(
  service: Service,
  userId: string,
  mailboxId: string,
  offset: number,
  order: "asc" | "desc",
): Promise<Start | null> {
  const { entries } = service;
  const stats = await entries.get<MailboxStats>(keys.mailboxStats(userId, mailboxId));
  const total = stats?.rows;
  if (total === undefined || offset >= total) return null;
  const prefix = keys.emailsByMailbox(userId, mailboxId);
  const idAt = (n: number) => entries.get<string>(keys.emailCheckpoint(userId, mailboxId, n));
  if (order === "asc") {
    const n = Math.floor(offset / emailsPerCheckpoint);
    const start = await idAt(n);
    if (start === null) return null;
    return { selector: keys.range(prefix, { start }), skip: offset - n * emailsPerCheckpoint };
  }
  const place = total - 1 - offset;
  const n = Math.floor(place / emailsPerCheckpoint) + 1;
  const first = n * emailsPerCheckpoint;
  // Beyond the last checkpoint the rows up to the end are read.
  if (first >= total) return { selector: keys.range(prefix), skip: offset };
  const end = await idAt(n);
  return end === null ? null : { selector: keys.range(prefix, { end }), skip: first - 1 - place };
}
