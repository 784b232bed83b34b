import { z } from "zod";
import { shortenUrls } from "../../../mime/verification/mail_links.ts";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { notFound } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { decodeCursor, encodeCursor } from "../../core/cursor.ts";
import { untrusted } from "./get_email.ts";
import { fitRows, maxCharsField, pageBytes } from "./budget.ts";
import type { EmailRow } from "../record/email_row.ts";
import { markFields, marksOf, sendStatusField, truncatedField } from "../record/email_record.ts";
import { bare } from "../record/email.ts";
import { sendStatuses } from "../record/read_email.ts";
import { shownRows } from "./shown_rows.ts";
import { charsOf, threadRows } from "../record/threads/thread_rows.ts";
import { findThreadRow } from "../record/threads/thread_aliases.ts";
import { visibleMailboxIds } from "../../mailboxes/visible_mailboxes.ts";

const threadItem = z.object({
  email_id: emailId,
  subject: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  from: z.string().describe("Sender's address"),
  from_name: z.string().describe("Sender's name, or empty"),
  to: z.array(z.string()),
  date: timestampField,
  ...markFields,
  has_attachments: z.boolean(),
  status: sendStatusField.nullable().describe("The state of its sending; null for received mail"),
  body_text_snippet: z.string().describe(
    "Its own text, without quotes; empty if include_body is false",
  ),
  truncated: truncatedField,
}).meta({ id: "ThreadItem", description: "An email of a conversation" });

export const getEmailThread = operation({
  name: "get_email_thread",
  sampled: true,
  title: "Get a conversation",
  description:
    "A conversation, oldest email first, each with an excerpt of its own text. Use it on a thread_id from search_emails, " +
    `list_emails or get_email; then get_email on an email_id for the full text. include_body: false leaves the excerpts out. ${untrusted}`,
  scope: "emails:read",
  audit: "read",
  input: z.object({
    thread_id: z.string().min(1).max(100).describe("thread_id of an email"),
    include_body: z.boolean().default(true)
      .describe("Default true; false leaves body_text_snippet empty"),
    limit: z.int().min(1).max(1000).default(1000).describe(
      "Emails a page, 1 to 1000",
    ),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
    max_chars: maxCharsField,
  }),
  output: z.object({
    thread_id: z.string().describe("After a merge of threads it can differ from the requested id"),
    thread: z.array(threadItem).describe("Oldest first"),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }).meta({ id: "Thread", description: "A conversation, or a page of it" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  emailsIn: ({ thread }) => thread.length,
  fit: (output, maxChars) =>
    fitRows(output, "thread", maxChars, (kept) => {
      const { date, email_id } = kept.at(-1)!;
      return { has_more: true, next_cursor: encodeCursor([Date.parse(date), email_id]) };
    }),
  async run(service, caller, input, { longUrls }) {
    const { userId } = caller;
    const after = input.cursor === undefined ? null : decodeCursor(input.cursor, ["number", "id"]);
    const [thread, visible] = await Promise.all([
      findThreadRow(service.database, userId, input.thread_id),
      visibleMailboxIds(service, caller),
    ]);
    const found = await threadRows(service, userId, {
      ...thread,
      after,
      limit: input.limit + 1,
      wanted: (row) => visible.has(row.mailboxId),
      mostChars: pageBytes,
    });
    const rows = rowsOfPage(found.slice(0, input.limit));
    const more = found.length > rows.length;
    if (rows.length === 0 && !after) throw notFound("thread");
    const last = rows.at(-1);
    const textOf = ({ parsed }: EmailRow) =>
      longUrls === "short" ? shortenUrls(parsed?.excerpt ?? "", []) : parsed?.excerpt ?? "";
    const [shown, statuses] = await Promise.all([
      input.include_body ? shownRows(service, userId, rows) : rows,
      sendStatuses(service.database, userId, rows),
    ]);
    return {
      thread_id: thread.threadId,
      thread: shown.map((row) => ({
        email_id: row.emailId,
        subject: row.subject,
        direction: row.direction,
        from: row.from.address,
        from_name: row.from.name,
        to: bare(row.to),
        date: isoTime(row.date),
        ...marksOf(row),
        has_attachments: (row.parsed?.attachmentIds.length ?? 0) > 0,
        status: statuses.get(row.emailId) ?? null,
        body_text_snippet: input.include_body ? textOf(row) : "",
      })),
      has_more: more,
      next_cursor: more && last ? encodeCursor([last.date, last.emailId]) : null,
    };
  },
});

/** The first of the rows, at least one, whose recipients have the size of a page. */
function rowsOfPage(rows: EmailRow[]): EmailRow[] {
  let chars = 0;
  const end = rows.findIndex((row) => (chars += charsOf(row)) > pageBytes);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
