import type { Service } from "../service.ts";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";
import type { MailboxStats } from "./store_email.ts";

/**
 * Every so many emails of a mailbox one is written down with its place, so that a page far from the front
 * is found by its number without reading all before it. So small a step keeps a page of 50 in the middle
 * within 1.3 times the work of one at the front.
 */
export const emailsPerCheckpoint = 16;

/**
 * Writes the checkpoint that a new email founds, where it does; `before` is the mailbox without it.
 *
 * Ids are made before their commit, so one may be overtaken: a large message while it is signed, or mail of
 * another instance. The checkpoints that such an email comes to stand before have another place from then on
 * and go; pages there are found from the next one.
 */
export async function writeCheckpoints(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  before: { rows: number; newestId: string },
): Promise<void> {
  const { userId, mailboxId, emailId } = email;
  const { rows, newestId } = before;
  const key = (n: number) => keys.emailCheckpoint(userId, mailboxId, n);
  if (emailId < newestId) {
    for (let n = Math.floor((rows - 1) / emailsPerCheckpoint); n >= 0; n--) {
      const id = await tx.get<string>(key(n));
      if (id !== null && id < emailId) break;
      tx.delete(key(n));
    }
  }
  if (rows % emailsPerCheckpoint !== 0) return;
  tx.set(key(rows / emailsPerCheckpoint), emailId < newestId ? newestId : emailId);
}

/** Where to begin to read, and how many rows to pass over from there. */
export interface Start {
  selector: Deno.KvListSelector;
  skip: number;
}

/**
 * Where the emails after the first `offset` of a mailbox begin, in the given order, as a rule with fewer than
 * {@link emailsPerCheckpoint} rows to pass over. Null where it has not as many.
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
    for (let n = Math.floor(offset / emailsPerCheckpoint); n > 0; n--) {
      const start = await idAt(n);
      if (start === null) continue;
      return { selector: keys.range(prefix, { start }), skip: offset - n * emailsPerCheckpoint };
    }
    return { selector: keys.range(prefix), skip: offset };
  }
  const place = total - 1 - offset;
  for (let n = Math.floor(place / emailsPerCheckpoint) + 1; n * emailsPerCheckpoint < total; n++) {
    const end = await idAt(n);
    if (end === null) continue;
    const skip = n * emailsPerCheckpoint - 1 - place;
    return { selector: keys.range(prefix, { end }), skip };
  }
  // Beyond the last checkpoint the rows up to the end are read.
  return { selector: keys.range(prefix), skip: offset };
}
