import type { Tx } from "../store/entries.ts";
import { keyHash } from "../store/key_hash.ts";
import * as keys from "../store/keys.ts";

/** A conversation of one account that has been merged; one that has not needs no row. */
export interface Thread {
  threadId: string;
  /** This one was merged into another, which is older. */
  alias?: string;
  /** Threads merged into this one whose messages are not all moved yet: who reads it reads them too. */
  absorbing?: string[];
}

/** What a message says of its place in a conversation. */
export interface Lineage {
  messageId: string;
  inReplyTo: string[];
  references: string[];
}

/**
 * References whose rows are checked in the commit, of at most 100 checks that it may have; the others are
 * only read. Within a process nothing comes between; two processes that found threads on one old reference
 * at the same moment leave two threads, which the next message joins.
 */
const maxCheckedReferences = 30;
/** The same for the threads that they lead to: a message may name a hundred. */
const maxCheckedThreads = 24;

function referenceKey(userId: string, messageId: string): Deno.KvKey {
  return keys.threadByReference(userId, keyHash(messageId));
}

/** The keys of the ids that a message names, and of its own: what joinThread reads. */
export function referenceKeys(
  userId: string,
  { messageId, references, inReplyTo }: Lineage,
): { others: Deno.KvKey[]; own: Deno.KvKey } {
  const ids = new Set([...references, ...inReplyTo]);
  ids.delete(messageId);
  return {
    others: [...ids].map((id) => referenceKey(userId, id)),
    own: referenceKey(userId, messageId),
  };
}

/** Where an id stands today: an alias leads to the thread it was merged into. */
export async function resolveThread(
  tx: Pick<Tx, "get">,
  userId: string,
  threadId: string,
): Promise<string> {
  let at = threadId;
  for (let hops = 0; hops < 100; hops++) {
    const thread = await tx.get<Thread>(keys.thread(userId, at), { likelyAbsent: true });
    if (!thread?.alias) return at;
    at = thread.alias;
  }
  return at;
}

/**
 * Finds the thread of a message within the account, or founds one, and remembers every id that the message
 * names, so that a parent which arrives late finds it (DECISIONS.md 6). Where the message shows several
 * threads to be one, the oldest id stays and the others become aliases of it. Where it names no ancestor
 * that is known, `otherwise` may know a thread; else `newThreadId` is founded.
 *
 * Answers the thread's id and the ids merged into it, whose rows a job moves (mergeThread).
 */
export async function joinThread(
  tx: Tx,
  userId: string,
  lineage: Lineage,
  newThreadId: string,
  otherwise: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<{ threadId: string; merged: string[] }> {
  const { others, own } = referenceKeys(userId, lineage);
  const references = [...others, own];
  const firstChecked = references.length - maxCheckedReferences;
  const known = await Promise.all(
    references.map((key, n) =>
      n >= firstChecked ? tx.get<string>(key, { likelyAbsent: key === own }) : tx.peek<string>(key)
    ),
  );
  const threads = checkedAtMost(tx, maxCheckedThreads);
  const found = new Set<string>();
  for (const id of known) if (id) found.add(await resolveThread(threads, userId, id));
  if (found.size === 0) {
    const other = await otherwise();
    if (other) found.add(await resolveThread(threads, userId, other));
  }
  // Ids are UUIDv7: the smallest is the oldest.
  const [threadId = newThreadId, ...merged] = [...found].sort();
  if (merged.length > 0) {
    const rows = await absorb(threads, userId, threadId, merged);
    for (const row of rows) tx.set(keys.thread(userId, row.threadId), row);
  }
  references.forEach((key, n) => {
    if (known[n] !== threadId) tx.set(key, threadId);
  });
  return { threadId, merged };
}

/** Reads that the commit checks up to `limit` different rows, and unchecked reads of more. */
function checkedAtMost(tx: Tx, limit: number): Pick<Tx, "get"> {
  const checked = new Set<string>();
  return {
    get(key, expected) {
      const name = String(key.at(-1));
      if (!checked.has(name) && checked.size >= limit) return tx.peek(key);
      checked.add(name);
      return tx.get(key, expected);
    },
  };
}

/** The rows of a thread that takes in others, and of those. */
async function absorb(
  threads: Pick<Tx, "get">,
  userId: string,
  threadId: string,
  merged: string[],
): Promise<Thread[]> {
  const thread = await threads.get<Thread>(keys.thread(userId, threadId));
  const absorbing = new Set(thread?.absorbing);
  for (const other of merged) {
    const thread = await threads.get<Thread>(keys.thread(userId, other));
    // What the other has not finished taking in is taken in here.
    for (const each of [...thread?.absorbing ?? [], other]) absorbing.add(each);
  }
  return [
    { threadId, absorbing: [...absorbing] },
    ...merged.map((other) => ({ threadId: other, alias: threadId })),
  ];
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
