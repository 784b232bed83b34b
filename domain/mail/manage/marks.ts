import { z } from "zod";
import type { Caller } from "../../core/caller.ts";
import { invalidField, notFound } from "../../core/errors.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Tx } from "../../store/database.ts";
import { labelField } from "../read/filters.ts";
import { changeRow, type Parts } from "../lifecycle/apply.ts";
import { takeBack, unclaimable } from "./claim_row.ts";
import type { EmailRow } from "../record/email_row.ts";
import { emailRow } from "../record/read_email.ts";

/** Labels of one email. */
export const maxLabels = 32;
/** Labels that one request can name. */
const maxNamed = 100;

/** What a request can change of an email. */
export const markInput = {
  is_read: z.boolean().optional().describe("true: mark it read; false: unread"),
  add_labels: z.array(labelField).max(maxNamed).optional().describe(
    `Labels to put on it, such as \`done\` or \`customer:4711\`; an email has at most ${maxLabels}`,
  ),
  remove_labels: z.array(labelField).max(maxNamed).optional().describe(
    "Labels to take off; one that is in add_labels too is taken off",
  ),
};

export interface Marks {
  is_read?: boolean;
  add_labels?: string[];
  remove_labels?: string[];
}

/** Whether a request has any of the fields. */
export function hasMarks({ is_read, add_labels, remove_labels }: Marks): boolean {
  return is_read !== undefined || add_labels !== undefined || remove_labels !== undefined;
}

/**
 * The row with the marks; the same object if they change nothing. Throws VALIDATION_ERROR if they add a 33rd label; the
 * label `unclaimable` of the service can be the 33rd.
 */
function withMarks(row: EmailRow, marks: Marks): EmailRow {
  const { is_read: isRead = row.isRead, add_labels = [], remove_labels = [] } = marks;
  const kept = new Set([...row.labels, ...add_labels]);
  for (const label of remove_labels) kept.delete(label);
  const labels = [...kept].sort();
  if (labels.length > Math.max(maxLabels, row.labels.length)) {
    const reason = `the email would have ${labels.length} labels; at most ${maxLabels} are allowed`;
    throw invalidField("add_labels", reason);
  }
  const isSame = isRead === row.isRead && labels.length === row.labels.length &&
    labels.every((label, n) => label === row.labels[n]);
  return isSame ? row : { ...row, isRead, labels };
}

/**
 * Marks an email of the caller; returns its row. If nothing changes, the journal gets no entry. Throws NOT_FOUND, and
 * VALIDATION_ERROR for a 33rd label.
 */
export async function markEmail(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  emailId: string,
  marks: Marks,
): Promise<EmailRow> {
  const { userId } = caller;
  const row = await emailRow(tx, parts.database, userId, emailId);
  if (!row) throw notFound("email", emailId);
  // The row is checked by the commit, and the mailbox's purge deletes it.
  await readMailbox({ get: (key) => tx.peek(key) }, caller, row.mailboxId, "email");
  const marked = withMarks(row, marks);
  if (marked === row) return row;
  await changeRow(tx, parts, { ...marked, userId }, row);
  if (row.labels.includes(unclaimable) && !marked.labels.includes(unclaimable)) {
    await takeBack(tx, { userId, mailboxId: row.mailboxId, emailId }, parts.clock.now());
  }
  return marked;
}
