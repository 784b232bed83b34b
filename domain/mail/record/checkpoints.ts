import type { Service } from "../../core/service.ts";
import type { Database, Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import {
  type CheckpointsHeld,
  type MailboxStats,
  type ShardStats,
  withShards,
} from "../../mailboxes/mailbox_stats.ts";

/**
 * One in this many emails of a mailbox has a checkpoint with its number, so that a page by offset need not read all
 * rows before it. With this step a page of 50 in the middle takes less than 1.3 times the work of one at the front.
 */
export const emailsPerCheckpoint = 16;

/** The most checkpoints that one email deletes: a commit has at most 100 checks. */
const maxDeleted = 16;
/** A mailbox has fewer checkpoints than this. `generation * generationSpan + n` is an exact number. */
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
 * Writes the checkpoint of a new email if it is the next in step; `before` is the mailbox without the email. Returns
 * the checkpoints that are valid from now on, for the stats of the mailbox; undefined while all are.
 *
 * Ids are made before their commit, so an email can be stored after newer ones: a large message that took long to sign,
 * or mail of another instance. The checkpoints after it then have wrong numbers and are deleted; pages there start from
 * the next valid one. If the email is older than many others (a clock was hours ahead), a new generation begins
 * instead.
 */
export async function writeCheckpoints(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  before: { rows: number; newestId: string; newestGone?: true; checkpoints?: CheckpointsHeld },
): Promise<CheckpointsHeld | undefined> {
  const { emailId } = email;
  const { rows, newestId, newestGone } = before;
  const checkpoints = emailId < newestId
    ? await checkpointsBefore(tx, email, before, rows)
    : before.checkpoints;
  // If that one is missing, a page starts from the checkpoint before it.
  const isKnown = emailId > newestId || !newestGone;
  if (rows >= 0 && rows % emailsPerCheckpoint === 0 && isKnown) {
    const key = checkpointKey(email, checkpoints ?? allHeld, rows / emailsPerCheckpoint);
    tx.set(key, emailId < newestId ? newestId : emailId);
  }
  return checkpoints;
}

/** Deletes the checkpoints that an email's removal makes wrong; returns those that are valid. `before` counts the email. */
export async function checkpointsWithout(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  before: { rows: number; checkpoints?: CheckpointsHeld },
): Promise<CheckpointsHeld | undefined> {
  return await checkpointsBefore(tx, email, before, before.rows - 1);
}

/** Deletes the checkpoints from the email on. `rows` will be the number of the next one. */
async function checkpointsBefore(
  tx: Tx,
  email: { userId: string; mailboxId: string; emailId: string },
  before: { rows: number; checkpoints?: CheckpointsHeld },
  rows: number,
): Promise<CheckpointsHeld | undefined> {
  const held = before.checkpoints ?? allHeld;
  const last = Math.floor((before.rows - 1) / emailsPerCheckpoint);
  for (let n = last; n >= held.from; n--) {
    if (n === last - maxDeleted) {
      const from = Math.ceil(rows / emailsPerCheckpoint);
      return { generation: held.generation + 1, from };
    }
    // A commit that writes a checkpoint also writes the counts of the mailbox, which this one checks.
    const id = await tx.get<string>(checkpointKey(email, held, n));
    if (id !== null && id < email.emailId) break;
    tx.delete(checkpointKey(email, held, n));
  }
  return before.checkpoints;
}

/** The ids to read, and how many of the mailbox's first rows among them to skip. */
export interface Start {
  bounds: { start?: string; end?: string };
  skip: number;
}

/**
 * The range of the emails after the first `offset` of a mailbox, in the given order, usually with fewer than
 * {@link emailsPerCheckpoint} rows to skip. Null if the mailbox has fewer emails.
 */
export async function startAt(
  { database }: Pick<Service, "database">,
  userId: string,
  mailboxId: string,
  offset: number,
  order: "asc" | "desc",
): Promise<Start | null> {
  const [stats, shards] = await Promise.all([
    database.get<MailboxStats>(keys.mailboxStats(userId, mailboxId)),
    database.exclusive
      ? []
      : database.collect<ShardStats>({ prefix: keys.mailboxStatsShards(userId, mailboxId) }),
  ]);
  const total = withShards(stats, shards.map(({ value }) => value))?.rows;
  if (total === undefined || offset >= total) return null;
  const from = (start: Start) => withoutManyToSkip(database, userId, mailboxId, start, order);
  // Emails that were counted in shards are between those that the checkpoints count.
  if (shards.length > 0) return await from({ bounds: {}, skip: offset });
  const held = stats?.checkpoints ?? allHeld;
  const idAt = (n: number) => database.get<string>(checkpointKey({ userId, mailboxId }, held, n));
  if (order === "asc") {
    for (let n = Math.floor(offset / emailsPerCheckpoint); n > 0 && n >= held.from; n--) {
      const start = await idAt(n);
      if (start === null) continue;
      return await from({ bounds: { start }, skip: offset - n * emailsPerCheckpoint });
    }
    return await from({ bounds: {}, skip: offset });
  }
  const place = total - 1 - offset;
  const first = Math.max(Math.floor(place / emailsPerCheckpoint) + 1, held.from);
  for (let n = first; n * emailsPerCheckpoint < total; n++) {
    const end = await idAt(n);
    if (end === null) continue;
    const skip = n * emailsPerCheckpoint - 1 - place;
    return await from({ bounds: { end }, skip });
  }
  // After the last checkpoint, the rows from the end are read.
  return await from({ bounds: {}, skip: offset });
}

const maxSkipped = 500;

/** The same start, near enough that the rest can be skipped by rows: far ones are skipped by keys, which cost a tenth. */
async function withoutManyToSkip(
  database: Database,
  userId: string,
  mailboxId: string,
  { bounds, skip }: Start,
  order: "asc" | "desc",
): Promise<Start> {
  const prefix = keys.emailsByMailbox(userId, mailboxId);
  const reverse = order === "desc";
  for (; skip >= maxSkipped; skip -= maxSkipped) {
    const options = { reverse, limit: maxSkipped };
    const last = (await database.collect(keys.range(prefix, bounds), options)).at(-1);
    if (!last) break;
    const id = String(last.key.at(-1));
    bounds = reverse ? { ...bounds, end: id } : { ...bounds, start: `${id}\u0000` };
  }
  return { bounds, skip };
}
