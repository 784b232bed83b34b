import { createHash } from "node:crypto";
import type { Tx } from "../store/entries.ts";
import * as keys from "../store/keys.ts";

/** A conversation of one account. An alias was merged into another, which is older. */
export interface Thread {
  threadId: string;
  alias?: string;
}

/** References that decide and remember: the newest, and each costs a check in the commit (at most 100 there). */
const maxThreadReferences = 20;

export function referenceKey(userId: string, messageId: string): Deno.KvKey {
  return keys.threadByReference(userId, createHash("sha256").update(messageId).digest("hex"));
}

/** The message ids, the message's own last, by which it finds and founds threads. */
export function threadReferences(
  message: { messageId: string; inReplyTo: string[]; references: string[] },
): string[] {
  const ancestors = [...new Set([...message.references, ...message.inReplyTo])].filter((id) =>
    id !== message.messageId
  );
  const kept = ancestors.length <= maxThreadReferences
    ? ancestors
    : [ancestors[0], ...ancestors.slice(1 - maxThreadReferences)];
  return [...kept, message.messageId];
}

/** Where an id stands today: an alias leads to the thread it was merged into. */
export async function resolveThread(
  tx: Pick<Tx, "get">,
  userId: string,
  threadId: string,
): Promise<string> {
  let at = threadId;
  for (let hops = 0; hops < 20; hops++) {
    const thread = await tx.get<Thread>(keys.thread(userId, at));
    if (!thread?.alias) return at;
    at = thread.alias;
  }
  return at;
}

/**
 * Finds the thread of a message within the account, or founds one, and remembers every id that the message
 * names, so that a parent which arrives late finds it (DECISIONS.md 6). Where the message shows several
 * threads to be one, the oldest id stays and the others become aliases of it.
 *
 * Answers the thread's id and the ids merged into it, whose rows a job moves (mergeThread).
 */
export async function joinThread(
  tx: Tx,
  userId: string,
  message: { messageId: string; inReplyTo: string[]; references: string[] },
  newThreadId: string,
): Promise<{ threadId: string; merged: string[] }> {
  const references = threadReferences(message).map((id) => referenceKey(userId, id));
  // Its own id is known beforehand only where a reply came first: the last, and hardly ever there.
  const known = await Promise.all(
    references.map((key, i) =>
      i < references.length - 1 ? tx.get<string>(key) : tx.getUnlikely<string>(key)
    ),
  );
  const found = new Set<string>();
  for (const id of known) if (id) found.add(await resolveThread(tx, userId, id));
  // Ids are UUIDv7: the smallest is the oldest.
  const [threadId = newThreadId, ...merged] = [...found].sort();
  if (found.size === 0) tx.set(keys.thread(userId, threadId), { threadId } satisfies Thread);
  for (const other of merged) {
    tx.set(keys.thread(userId, other), { threadId: other, alias: threadId } satisfies Thread);
  }
  references.forEach((key, i) => {
    if (known[i] !== threadId) tx.set(key, threadId);
  });
  return { threadId, merged };
}
