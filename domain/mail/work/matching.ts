import { z } from "zod";
import type { Reads } from "../read/reads.ts";
import { filterFields, type Filters, passes } from "../read/filters.ts";
import { hasAttachments } from "../read/shown_rows.ts";
import { type EmailRow, hasArrived } from "../record/email_row.ts";
import { findThread } from "../record/threads/thread_aliases.ts";

/** The filters of requests that wait for mail. */
export const waitFilters = {
  ...filterFields,
  thread_id: z.string().min(1).max(100).optional().describe("Only mail of this conversation"),
  has_attachments: z.boolean().optional()
    .describe("Only mail with (true) or without (false) attachments"),
};

export interface WaitFilters extends Filters {
  thread_id?: string;
  has_attachments?: boolean;
}

/** Whether an email is received mail, not imported, that passes all filters that are given. */
export async function matches(
  service: Reads,
  userId: string,
  row: EmailRow,
  filters: WaitFilters,
): Promise<boolean> {
  if (!hasArrived(row) || !passes(row, filters)) return false;
  if (filters.thread_id !== undefined) {
    // Either may be an alias after a merge.
    const [asked, own] = await Promise.all(
      [filters.thread_id, row.threadId].map((id) => findThread(service.database, userId, id)),
    );
    if (asked !== own) return false;
  }
  if (filters.has_attachments === undefined) return true;
  return await hasAttachments(service, userId, row) === filters.has_attachments;
}
