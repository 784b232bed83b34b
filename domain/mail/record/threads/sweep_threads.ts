import type { Service } from "../../../core/service.ts";
import type { Database, Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";
import type { StoredRow } from "../email_row.ts";
import { readableRow } from "../read_email.ts";
import type { Thread } from "./thread_aliases.ts";
import { packMentions, unpackMentions } from "./thread_mentions.ts";

/** Rows that are handled at the same time, each in a transaction that checks it and its threads. */
const rowsAtOnce = 20;

/**
 * Removes the threads of an account that have no message left, with their aliases and every reference to them; returns the
 * number of removed rows. Threads and references are read before the messages, so that new mail does not lose its thread.
 * Accepted: a message that joins an empty thread meanwhile keeps its thread id, and a later reply to its ancestors may
 * start another thread.
 */
export async function sweepThreads(
  { database }: Pick<Service, "database">,
  userId: string,
): Promise<number> {
  const threads = await database.collect<Thread>({ prefix: keys.threads(userId) });
  const references = await database.collect<string>({ prefix: keys.threadsByReference(userId) });
  const aliasOf = new Map(threads.map(({ value }) => [value.threadId, value.alias]));
  const live = new Set<string>();
  for await (const { key, value } of database.list<StoredRow>({ prefix: keys.emails(userId) })) {
    // A message can still have an alias as its thread: then the thread of the alias is kept too.
    let at = readableRow(database, String(key.at(-1)), value)?.threadId;
    for (; at !== undefined && !live.has(at); at = aliasOf.get(at)) live.add(at);
  }
  // An alias leads to an older thread, and older threads come first.
  for (const [threadId, alias] of aliasOf) {
    if (alias !== undefined && live.has(alias)) live.add(threadId);
  }
  const isDead = async (tx: Tx, threadId: string) => {
    if (live.has(threadId)) return false;
    // A thread that was merged meanwhile is an alias of a live one.
    const current = await tx.get<Thread>(keys.thread(userId, threadId));
    return current?.alias === aliasOf.get(threadId);
  };
  const mayGo = (threadId: string) => !live.has(threadId);
  // References first: `isDead` compares the row of the thread, which must still exist.
  const named = references.filter(({ value }) =>
    unpackMentions(value).some(({ threadId }) => mayGo(threadId))
  );
  const removed = await countRemoved(database, named, async (tx, { key }) => {
    const mentions = unpackMentions(await tx.get<string>(key));
    const left = [];
    for (const each of mentions) if (!await isDead(tx, each.threadId)) left.push(each);
    if (left.length === mentions.length) return false;
    if (left.length > 0) tx.set(key, packMentions(left));
    else tx.delete(key);
    return left.length === 0;
  });
  const empty = threads.filter(({ value }) => mayGo(value.threadId));
  return removed + await countRemoved(database, empty, async (tx, { key, value }) => {
    const goes = await isDead(tx, value.threadId);
    if (goes) tx.delete(key);
    return goes;
  });
}

/** Runs `remove` for each row; the store commits those together that fit. Returns how many it removed. */
async function countRemoved<Row>(
  database: Database,
  rows: readonly Row[],
  remove: (tx: Tx, row: Row) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    const gone = await Promise.all(
      rows.slice(i, i + rowsAtOnce).map((row) => database.transact((tx) => remove(tx, row))),
    );
    removed += gone.filter(Boolean).length;
  }
  return removed;
}
