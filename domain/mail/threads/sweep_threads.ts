import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { readRow, type StoredRow } from "../record/email_row.ts";
import type { Thread } from "./thread_aliases.ts";
import { packMentions, unpackMentions } from "./thread_mentions.ts";

/** Each is checked with the threads that it leads to, four at most, and a commit may have a hundred checks. */
const rowsPerCommit = 20;

/**
 * Removes the threads of an account that have no message left, with their aliases and every reference
 * that leads to them; answers how many rows went. Threads and references are read before the messages,
 * so that what arrives meanwhile is not taken for a remnant. Accepted: a message that joins an empty
 * thread in between keeps its thread id, and a later reply to its ancestors may found another thread.
 */
export async function sweepThreads(service: Service, userId: string): Promise<number> {
  const { database } = service;
  const threads = await database.collect<Thread>({ prefix: keys.threads(userId) });
  const references = await database.collect<string>({ prefix: keys.threadsByReference(userId) });
  const aliasOf = new Map(threads.map(({ value }) => [value.threadId, value.alias]));
  const live = new Set<string>();
  for await (const { value } of database.list<StoredRow>({ prefix: keys.emailsByTime(userId) })) {
    // A message may still be filed under an alias: then what that leads to lives as well.
    let at: string | undefined = readRow(value).threadId;
    for (; at !== undefined && !live.has(at); at = aliasOf.get(at)) live.add(at);
  }
  // An alias leads to an older thread, and the older come first.
  for (const [threadId, alias] of aliasOf) {
    if (alias !== undefined && live.has(alias)) live.add(threadId);
  }
  const isDead = async (tx: Tx, threadId: string) => {
    if (live.has(threadId)) return false;
    // Merged meanwhile, it leads to a thread that lives.
    const current = await tx.get<Thread>(keys.thread(userId, threadId));
    return current?.alias === aliasOf.get(threadId);
  };
  const mayGo = (threadId: string) => !live.has(threadId);
  // References first: while the thread's row stands, what was read of it can be compared.
  const named = references.filter(({ value }) =>
    unpackMentions(value).some(({ threadId }) => mayGo(threadId))
  );
  const removed = await inPages(service, named, async (tx, { key }) => {
    const mentions = unpackMentions(await tx.get<string>(key));
    const left = [];
    for (const each of mentions) if (!await isDead(tx, each.threadId)) left.push(each);
    if (left.length === mentions.length) return false;
    if (left.length > 0) tx.set(key, packMentions(left));
    else tx.delete(key);
    return left.length === 0;
  });
  const empty = threads.filter(({ value }) => mayGo(value.threadId));
  return removed + await inPages(service, empty, async (tx, { key, value }) => {
    const goes = await isDead(tx, value.threadId);
    if (goes) tx.delete(key);
    return goes;
  });
}

/** Runs `remove` for each row, many to a commit; answers how many it removed. */
async function inPages<Row>(
  service: Service,
  rows: readonly Row[],
  remove: (tx: Tx, row: Row) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (let i = 0; i < rows.length; i += rowsPerCommit) {
    removed += await service.database.transact(async (tx) => {
      let count = 0;
      for (const row of rows.slice(i, i + rowsPerCommit)) if (await remove(tx, row)) count++;
      return count;
    });
  }
  return removed;
}
