import type { Database, Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";

/**
 * Threads are implicit: emails and references carry the thread id. A row exists only after a merge, or if the thread has
 * more participants than the rows of its ids hold. This saves one write in 14 per message.
 */
export interface Thread {
  threadId: string;
  /** The older thread that this one was merged into. */
  alias?: string;
  /** Threads merged into this one whose messages are not all moved yet; a reader reads them too. */
  absorbing?: string[];
  /** The participants, as short hashes, if the rows of its ids have no room for them. */
  people?: string[];
}

type Reader = Pick<Tx, "get">;

/** A longer chain of aliases is shortened when it is followed: each merge adds a step. */
const maxHops = 8;
/** Each row is checked in the commit, which has at most 100 checks. */
const rowsPerCommit = 80;

/** The thread of an id: an alias leads to the thread that it was merged into. */
export async function resolveThread(tx: Reader, userId: string, id: string): Promise<string> {
  return (await followAliases(tx, userId, id)).threadId;
}

/**
 * The same outside a transaction. A long chain is shortened to one step, so that the next reader is fast. If that fails (a
 * full disk), the answer is still right.
 */
export async function findThread(database: Database, userId: string, id: string): Promise<string> {
  return (await findThreadRow(database, userId, id)).threadId;
}

/** As `findThread`, together with the row of the thread. Another `reader` may take rows from memory. */
export async function findThreadRow(
  database: Database,
  userId: string,
  id: string,
  reader: Reader = database,
): Promise<{ threadId: string; thread: Thread | null }> {
  const { threadId, chain, thread } = await followAliases(reader, userId, id);
  if (chain.length > maxHops) await shorten(database, userId, chain, threadId).catch(() => {});
  return { threadId, thread };
}

async function followAliases(
  tx: Reader,
  userId: string,
  id: string,
): Promise<{ threadId: string; chain: string[]; thread: Thread | null }> {
  const chain: string[] = [];
  let at = id;
  for (;;) {
    const thread = await tx.get<Thread>(keys.thread(userId, at), { likelyAbsent: true });
    // An alias always leads to an older thread, so that there is no circle.
    if (thread?.alias === undefined || thread.alias >= at) {
      return { threadId: at, chain, thread };
    }
    chain.push(at);
    at = thread.alias;
  }
}

async function shorten(
  database: Database,
  userId: string,
  chain: readonly string[],
  threadId: string,
): Promise<void> {
  for (const ids of database.forCommits(chain, rowsPerCommit, 1)) {
    await database.transact(async (tx) => {
      for (const id of ids) {
        const thread = await tx.get<Thread>(keys.thread(userId, id));
        // It was merged again or removed meanwhile.
        if (!thread?.alias || thread.alias <= threadId) continue;
        tx.set(keys.thread(userId, id), { ...thread, alias: threadId } satisfies Thread);
      }
    });
  }
}

/** Records that every message of `from` has been moved to the thread that it is an alias of. */
export async function endAbsorbing(tx: Tx, userId: string, from: string): Promise<void> {
  const threadId = await resolveThread(tx, userId, from);
  const thread = await tx.get<Thread>(keys.thread(userId, threadId));
  if (!thread?.absorbing?.includes(from)) return;
  const { absorbing, ...rest } = thread;
  const left = absorbing.filter((each) => each !== from);
  tx.set(
    keys.thread(userId, threadId),
    (left.length > 0 ? { ...rest, absorbing: left } : rest) satisfies Thread,
  );
}
