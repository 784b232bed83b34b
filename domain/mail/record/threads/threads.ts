import type { Tx } from "../../../store/database.ts";
import { keyHash } from "../../../store/key_hash.ts";
import * as keys from "../../../store/keys.ts";
import { absorbedBy, type KnownThread, KnownThreads } from "./known_threads.ts";
import type { Participants } from "./participants.ts";
import type { Thread } from "./thread_aliases.ts";
import { type Mention, packMentions, unpackMentions, withMention } from "./thread_mentions.ts";

/** The ids in a message that place it in a conversation. */
export interface Lineage {
  messageId: string;
  inReplyTo: string[];
  references: string[];
}

/** A message, received or sent, that has no thread yet. */
export interface UnthreadedMessage extends Lineage {
  userId: string;
  direction: "inbound" | "outbound";
  /** The thread of the email that it answers, if this account wrote the reply; otherwise "". */
  threadId: string;
  participants: Participants;
}

/**
 * Ids whose rows the commit checks; the others are only read. A commit has at most 100 checks. Commits of one process
 * never interleave. If two processes start threads from one old reference at the same moment there are two threads,
 * which the next message merges.
 */
const maxCheckedReferences = 30;
/** The earliest participants of a thread are kept, as many as one message can name. */
const maxPeople = 512;
/** Participants in the row of an id; a thread with more has its own row. */
const maxPeopleOfMention = 8;

function referenceKey(userId: string, messageId: string): Deno.KvKey {
  return keys.threadByReference(userId, keyHash(messageId));
}

/** The threads in which mail with this id was received or sent, or named it. */
export async function mentionsOf(
  store: Pick<Tx, "get">,
  userId: string,
  messageId: string,
): Promise<Mention[]> {
  return unpackMentions(await store.get<string>(referenceKey(userId, messageId)));
}

/** The keys that joinThread reads: of the ids that a message names, the newest first, and of its own id. */
export function referenceKeys(
  userId: string,
  { messageId, references, inReplyTo }: Lineage,
): { others: Deno.KvKey[]; own: Deno.KvKey } {
  const ids = new Set([...inReplyTo, ...references.toReversed()]);
  ids.delete(messageId);
  return {
    others: [...ids].map((id) => referenceKey(userId, id)),
    own: referenceKey(userId, messageId),
  };
}

/**
 * Finds the thread of a message within the account, or starts one. Writes every id that the message names, so that a parent
 * that arrives later finds the thread.
 *
 * A Message-ID is no secret, so that naming one is not enough. The message joins the thread of the newest id that this
 * account sent, or in whose thread it has a participant in common. Threads with a participant in common are merged: the
 * oldest keeps its id and the others become aliases of it. If the ids lead to no such thread, `otherwise` can name one;
 * else the message starts `newThreadId`.
 *
 * Returns the thread id and the ids merged into it; a job moves their rows (mergeThread).
 */
export async function joinThread(
  tx: Tx,
  message: UnthreadedMessage,
  newThreadId: string,
  otherwise: () => Promise<KnownThread | null> = () => Promise.resolve(null),
): Promise<{ threadId: string; merged: string[] }> {
  const { others, own } = referenceKeys(message.userId, message);
  const rows = await Promise.all([own, ...others].map(async (key, n) => ({
    key,
    mentions: unpackMentions(
      n < maxCheckedReferences
        ? await tx.get<string>(key, { likelyAbsent: key === own })
        : await tx.peek<string>(key),
    ),
  })));
  const known = new KnownThreads(tx, message.userId);
  if (message.threadId) await known.add({ threadId: message.threadId, people: [] });
  for (const { mentions } of rows) for (const each of mentions) await known.mention(each);
  let joined = await known.joinedBy(message.participants);
  if (joined.length === 0) {
    const other = await otherwise();
    if (other) await known.add(other);
    joined = await known.joinedBy(message.participants);
  }
  // Ids are UUIDv7: the smallest is the oldest.
  const [threadId = newThreadId, ...merged] = joined.map((each) => each.threadId).sort();
  const before = new Set(joined.flatMap((each) => [...each.people]));
  const people = [...before.union(message.participants)].slice(0, maxPeople);
  const row = joined.find((each) => each.threadId === threadId)?.row ?? null;
  const hasRow = merged.length > 0 || Boolean(row?.people) || people.length > maxPeopleOfMention ||
    (joined.length > 0 && people.length > before.size);
  if (merged.length > 0 || (hasRow && people.length !== row?.people?.length)) {
    const absorbing = absorbedBy(joined, merged);
    const thread: Thread = { threadId, ...(absorbing.length > 0 ? { absorbing } : {}), people };
    tx.set(keys.thread(message.userId, threadId), thread);
  }
  for (const other of merged) {
    const alias: Thread = { threadId: other, alias: threadId };
    tx.set(keys.thread(message.userId, other), alias);
  }
  for (const { key, mentions } of rows) {
    const isOwn = key === own;
    const isSent = isOwn && message.direction === "outbound";
    const mention = { threadId, isSent, isOwn, people: hasRow ? [] : people };
    const next = noted(mentions, mention, (id) => known.rootOf(id), new Set(merged));
    if (next) tx.set(key, packMentions(next));
  }
  return { threadId, merged };
}

/** The mentions of an id after a message that names it has joined the thread of `mention`; null if nothing changes. */
function noted(
  mentions: readonly Mention[],
  mention: Mention,
  rootOf: (threadId: string) => string | undefined,
  merged: ReadonlySet<string>,
): Mention[] | null {
  const { threadId, isSent, isOwn } = mention;
  const isOfThread = (each: Mention) => {
    const root = rootOf(each.threadId);
    return root === threadId || (root !== undefined && merged.has(root));
  };
  const same = mentions.filter(isOfThread);
  if (same.length === 0) return withMention(mentions, mention);
  const [first] = same;
  const isNew = (isSent && !first.isSent) || (isOwn && !first.isOwn);
  if (same.length === 1 && first.threadId === threadId && !isNew) return null;
  const one: Mention = {
    threadId,
    isSent: isSent || same.some((each) => each.isSent),
    isOwn: isOwn || same.some((each) => each.isOwn),
    people: [...new Set(same.flatMap(({ people }) => people))].slice(0, maxPeopleOfMention),
  };
  if (one.isOwn && !first.isOwn) return withMention(mentions.filter((m) => !isOfThread(m)), one);
  return mentions.flatMap((each) => each === first ? [one] : isOfThread(each) ? [] : [each]);
}
