import type { Database, Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** What is known of a thread besides its messages; one that was not merged and has few participants needs no row. */
export interface Thread {
  threadId: string;
  /** This one was merged into another, which is older. */
  alias?: string;
  /** Threads merged into this one whose messages are not all moved yet: who reads it reads them too. */
  absorbing?: string[];
  /** Who takes part, as short hashes, if they are more than the rows of its ids hold. */
  people?: string[];
}

type Reader = Pick<Tx, "get">;

/** A longer way is shortened when it is gone: a merge adds a step, and a thread can be merged any number of times. */
const maxHops = 8;
/** Each is checked in the commit, which has at most 100 checks. */
const rowsPerCommit = 80;

/** Where an id stands today: an alias leads to the thread it was merged into. */
export async function resolveThread(tx: Reader, userId: string, id: string): Promise<string> {
  return (await wayOfAlias(tx, userId, id)).threadId;
}

/**
 * The same outside a transaction. A long way is made a step for the next who asks, so that a chain of merges costs
 * a read a merge, once. Shortening may fail (a full disk): the answer stands without it.
 */
export async function findThread(database: Database, userId: string, id: string): Promise<string> {
  const { threadId, way } = await wayOfAlias(database, userId, id);
  if (way.length > maxHops) await shorten(database, userId, way, threadId).catch(() => {});
  return threadId;
}

async function wayOfAlias(
  tx: Reader,
  userId: string,
  id: string,
): Promise<{ threadId: string; way: string[] }> {
  const way: string[] = [];
  let at = id;
  for (;;) {
    const thread = await tx.get<Thread>(keys.thread(userId, at), { likelyAbsent: true });
    // An alias leads to an older thread, always: no way is a circle.
    if (thread?.alias === undefined || thread.alias >= at) return { threadId: at, way };
    way.push(at);
    at = thread.alias;
  }
}

async function shorten(
  database: Database,
  userId: string,
  way: readonly string[],
  threadId: string,
): Promise<void> {
  for (let i = 0; i < way.length; i += rowsPerCommit) {
    await database.transact(async (tx) => {
      for (const id of way.slice(i, i + rowsPerCommit)) {
        const thread = await tx.get<Thread>(keys.thread(userId, id));
        // Merged further meanwhile, or swept away.
        if (!thread?.alias || thread.alias <= threadId) continue;
        tx.set(keys.thread(userId, id), { ...thread, alias: threadId } satisfies Thread);
      }
    });
  }
}

/** Notes that every message of `from` has been moved to where it is an alias of now. */
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
