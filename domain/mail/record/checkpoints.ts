import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { CheckpointsHeld, MailboxStats } from "../../mailboxes/mailbox_stats.ts";

/**
 * Every so many emails of a mailbox one is written down with its place, so that a page far from the front
 * is found by its number without reading all before it. So small a step keeps a page of 50 in the middle
 * within 1.3 times the work of one at the front.
 */
export const emailsPerCheckpoint = 16;

/** Checkpoints that one email takes back, at most: a commit may have a hundred checks. */
const maxTakenBack = 16;
/** More than a mailbox has checkpoints, and numbers stay exact. */
const generationSpan = 2 ** 32;

const allHeld: CheckpointsHeld = { generation: 0, from: 0 };

function checkpointKey(
  { userId, mailboxId }: { userId: string; mailboxId: string },
  { generation }: CheckpointsHeld,
  n: number,
): Deno.KvKey {
  return keys.emailCheckpoint(userId, mailboxId, generation * generationSpan + n);
}

/**
 * Writes the checkpoint that a new email founds, where it does; `before` is the mailbox without it. Answers which
 * checkpoints hold from now on, for the mailbox's stats; undefined while all do.
 *
 * Ids are made before their commit, so one may be overtaken: a large message while it is signed, or mail of
 * another instance. The checkpoints that such an email comes to stand before have another place from then on
 * and go; pages there are found from the next one. An email that comes to stand before many (a clock was hours
 * ahead once) begins a new generation instead.
 */
export async function writeCheckpoints(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  before: { rows: number; newestId: string; checkpoints?: CheckpointsHeld },
): Promise<CheckpointsHeld | undefined> {
  const { emailId } = email;
  const { rows, newestId } = before;
  let { checkpoints } = before;
  if (emailId < newestId) {
    const held = checkpoints ?? allHeld;
    const last = Math.floor((rows - 1) / emailsPerCheckpoint);
    for (let n = last; n >= held.from; n--) {
      if (n === last - maxTakenBack) {
        const from = Math.ceil(rows / emailsPerCheckpoint);
        checkpoints = { generation: held.generation + 1, from };
        break;
      }
      const id = await tx.get<string>(checkpointKey(email, held, n));
      if (id !== null && id < emailId) break;
      tx.delete(checkpointKey(email, held, n));
    }
  }
  if (rows % emailsPerCheckpoint === 0) {
    const key = checkpointKey(email, checkpoints ?? allHeld, rows / emailsPerCheckpoint);
    tx.set(key, emailId < newestId ? newestId : emailId);
  }
  return checkpoints;
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
  const { database } = service;
  const stats = await database.get<MailboxStats>(keys.mailboxStats(userId, mailboxId));
  const total = stats?.rows;
  if (total === undefined || offset >= total) return null;
  const prefix = keys.emailsByMailbox(userId, mailboxId);
  const held = stats?.checkpoints ?? allHeld;
  const idAt = (n: number) => database.get<string>(checkpointKey({ userId, mailboxId }, held, n));
  if (order === "asc") {
    for (let n = Math.floor(offset / emailsPerCheckpoint); n > 0 && n >= held.from; n--) {
      const start = await idAt(n);
      if (start === null) continue;
      return { selector: keys.range(prefix, { start }), skip: offset - n * emailsPerCheckpoint };
    }
    return { selector: keys.range(prefix), skip: offset };
  }
  const place = total - 1 - offset;
  const first = Math.max(Math.floor(place / emailsPerCheckpoint) + 1, held.from);
  for (let n = first; n * emailsPerCheckpoint < total; n++) {
    const end = await idAt(n);
    if (end === null) continue;
    const skip = n * emailsPerCheckpoint - 1 - place;
    return { selector: keys.range(prefix, { end }), skip };
  }
  // Beyond the last checkpoint the rows up to the end are read.
  return { selector: keys.range(prefix), skip: offset };
}
