import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";
import { type EmailRow, readRow, type StoredRow } from "../record/email_row.ts";
import type { Thread } from "./thread_aliases.ts";

/**
 * The first `limit` rows of a thread that `wanted` accepts, by date and then by arrival, after `after` (date, email id).
 * Messages of threads that are being merged into it are included, once each.
 */
export async function threadRows(
  service: Service,
  userId: string,
  threadId: string,
  after: readonly [number, string] | null,
  limit: number,
  wanted: (row: EmailRow) => boolean,
): Promise<EmailRow[]> {
  const thread = await service.database.get<Thread>(keys.thread(userId, threadId));
  const found = new Map<string, EmailRow>();
  // Messages move to `threadId`: it is read last, so that none is missed while it moves.
  for (const id of [...thread?.absorbing ?? [], threadId]) {
    const prefix = keys.emailsByThread(userId, id);
    const selector = after
      ? { prefix, start: [...prefix, after[0], `${after[1]}\u0000`] }
      : { prefix };
    let passed = 0;
    const batchSize = Math.min(500, limit);
    for await (const { value } of service.database.list<StoredRow>(selector, { batchSize })) {
      const row = readRow(value);
      if (!wanted(row)) continue;
      found.set(row.emailId, row);
      if (++passed === limit) break;
    }
  }
  return [...found.values()].sort((a, b) => a.date - b.date || (a.emailId < b.emailId ? -1 : 1))
    .slice(0, limit);
}
