import type { Service } from "../service.ts";
import * as keys from "../store/keys.ts";
import { type PackedRow, unpackRow } from "./email_row.ts";
import type { Thread } from "./threads.ts";

/** Each has its thread checked, and a commit may have a hundred checks. */
const rowsPerCommit = 80;

/**
 * Removes the threads of an account that have no message left, with their aliases and every reference
 * that leads to them; answers how many rows went. Threads and references are read before the messages,
 * so that what arrives meanwhile is not taken for a remnant. Accepted: a message that joins an empty
 * thread in between keeps its thread id, and a later reply to its ancestors may found another thread.
 */
export async function sweepThreads(service: Service, userId: string): Promise<number> {
  const { entries } = service;
  const threads = await entries.collect<Thread>({ prefix: keys.threads(userId) });
  const references = await entries.collect<string>({ prefix: keys.threadsByReference(userId) });
  const aliasOf = new Map(threads.map(({ value }) => [value.threadId, value.alias]));
  const live = new Set<string>();
  for await (const { value } of entries.list<PackedRow>({ prefix: keys.emailsByTime(userId) })) {
    // A message may still be filed under an alias: then the thread it leads to lives as well.
    for (const threadId of wayOf(unpackRow(value).threadId, aliasOf)) live.add(threadId);
  }
  const isDead = (threadId: string) => !wayOf(threadId, aliasOf).some((each) => live.has(each));
  // References first: while the thread's row stands, what was read of it can be compared.
  const dead = [
    ...references.map(({ key, value }) => ({ key, threadId: value })),
    ...threads.map(({ key, value }) => ({ key, threadId: value.threadId })),
  ].filter(({ threadId }) => isDead(threadId));
  let removed = 0;
  for (let i = 0; i < dead.length; i += rowsPerCommit) {
    const page = dead.slice(i, i + rowsPerCommit);
    removed += await entries.transact(async (tx) => {
      let count = 0;
      for (const { key, threadId } of page) {
        // Merged meanwhile, it leads to a thread that lives.
        const current = await tx.get<Thread>(keys.thread(userId, threadId));
        if (current?.alias !== aliasOf.get(threadId)) continue;
        tx.delete(key);
        count++;
      }
      return count;
    });
  }
  return removed;
}

/** The thread and those its aliases lead to, each once. */
function wayOf(threadId: string, aliasOf: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  let at: string | undefined = threadId;
  while (at !== undefined && !way.includes(at)) {
    way.push(at);
    at = aliasOf.get(at);
  }
  return way;
}
