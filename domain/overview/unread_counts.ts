import type { Service } from "../core/service.ts";
import { rowsInOrder } from "../mail/read/rows_in_order.ts";

/** The side bar asks after every burst of mail: one read, from memory if nothing is new. */
export const countedNewest = 500;

/** How many of the newest 500 mails of an account are received and not marked read, by mailbox. */
export async function unreadCounts(service: Service, userId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const range = { userId, mailboxId: null, bounds: {}, reverse: true };
  let left = countedNewest;
  for await (const rows of rowsInOrder(service, range, left)) {
    for (const { mailboxId, isRead } of rows.slice(0, left)) {
      if (!isRead) counts.set(mailboxId, (counts.get(mailboxId) ?? 0) + 1);
    }
    left -= rows.length;
    if (left <= 0) break;
  }
  return counts;
}
