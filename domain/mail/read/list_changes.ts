import { z } from "zod";
import { changeEvents } from "../../changes/change.ts";
import { cursorOf, readCursor } from "../../changes/position.ts";
import { endOfJournal, readChanges } from "../../changes/read_changes.ts";
import { seesMailbox } from "../../core/caller.ts";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { operation } from "../../core/operation.ts";
import type { Change } from "../../changes/change.ts";
import type { Caller } from "../../core/caller.ts";
import { fitRows, maxCharsField } from "./budget.ts";
import { requireMailbox } from "../../mailboxes/visible_mailboxes.ts";

const changeRecord = z.object({
  change_id: z.string().describe("Also a cursor: the list then begins after this change"),
  event: z.enum(changeEvents),
  timestamp: timestampField,
  mailbox_id: z.string().nullable(),
  email_id: emailId.nullable(),
  thread_id: z.string().nullable(),
  draft_id: z.string().nullable(),
}).meta({
  id: "Change",
  description: "One change in the account; ids that do not apply are null",
});

export function changeRecordOf(
  change: Change,
  cursor: string,
): z.input<typeof changeRecord> {
  return {
    change_id: cursor,
    event: change.event,
    timestamp: isoTime(change.at),
    mailbox_id: change.mailboxId,
    email_id: change.emailId,
    thread_id: change.threadId,
    draft_id: change.draftId,
  };
}

/** Whether the caller may see the change: a key that is limited to mailboxes sees only their changes. */
export function seesChange(caller: Caller, { mailboxId }: Change): boolean {
  return mailboxId === null ? !caller.mailboxIds : seesMailbox(caller, mailboxId);
}

export const listChanges = operation({
  name: "list_changes",
  title: "List changes",
  description:
    "What changed in the account since a cursor, in order: mail that came in, was processed, sent, updated or deleted, drafts and mailboxes. Use it to catch up " +
    'without reading the same mail twice: keep next_cursor, and pass it as `after` the next time. `after: "now"` gives only the cursor of the end. ' +
    "Each change has ids; read the email with get_email. Changes are kept for 30 days; an older cursor answers CURSOR_EXPIRED: then list the mail once and " +
    "begin again at `now`.",
  scope: "emails:read",
  audit: "none",
  input: z.object({
    after: z.string().max(100).optional().describe(
      "next_cursor of the answer before, or `now`: only the cursor of the end. Without it the oldest change that is kept comes first",
    ),
    mailbox_id: z.string().optional().describe("Only changes of this mailbox"),
    limit: z.int().min(1).max(500).default(100).describe(
      "Changes a page, 1 to 500",
    ),
    max_chars: maxCharsField,
  }),
  output: z.object({
    changes: z.array(changeRecord),
    has_more: z.boolean(),
    next_cursor: z.string(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "CURSOR_EXPIRED"],
  fit: (output, maxChars) =>
    fitRows(output, "changes", maxChars, (kept) => ({
      has_more: true,
      next_cursor: kept.at(-1)!.change_id,
    })),
  async run(service, caller, input) {
    const { database } = service;
    const { userId } = caller;
    const after = input.after === undefined || input.after === "now"
      ? null
      : readCursor(input.after);
    await requireMailbox(service, caller, input.mailbox_id);
    if (input.after === "now") {
      const end = await endOfJournal(database, userId);
      return { changes: [], has_more: false, next_cursor: cursorOf(end) };
    }
    const passes = (change: Change) =>
      seesChange(caller, change) &&
      (input.mailbox_id === undefined || change.mailboxId === input.mailbox_id);
    const page = await readChanges(database, userId, after, { limit: input.limit, passes });
    return {
      changes: page.changes.map((each) => changeRecordOf(each, cursorOf(each.position))),
      has_more: page.hasMore,
      next_cursor: cursorOf(page.end),
    };
  },
});
