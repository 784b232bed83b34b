import { z } from "zod";
import { shortenUrls } from "../../../mime/verification/mail_links.ts";
import type { Service } from "../../core/service.ts";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { notFound } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { decodeCursor, encodeCursor } from "../../core/cursor.ts";
import { untrusted } from "../read/get_email.ts";
import { fitRows, maxCharsField, pageBytes } from "../read/budget.ts";
import type { EmailRow } from "../record/email_row.ts";
import { markFields, marksOf, sendStatusField, truncatedField } from "../record/email_record.ts";
import { bare } from "../record/email.ts";
import { rowsByIds, sendStatuses } from "../record/read_email.ts";
import { jsonChars } from "../read/shorten.ts";
import { draftRecord } from "../send/drafts/draft_record.ts";
import * as keys from "../../store/keys.ts";
import { draftsAmong, openDrafts, shownDrafts } from "./open_drafts.ts";
import { OwnCopies } from "./own_copies.ts";
import { turnOf, waitingForOutput } from "./turn.ts";
import { shownRows } from "../read/shown_rows.ts";
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
  delivered_to: z.array(z.object({ mailbox_id: z.string(), email_id: emailId })).optional()
    .describe(
      "Present if other own mailboxes got it: their copies, which are no items of their own",
    ),
  truncated: truncatedField,
}).meta({ id: "ThreadItem", description: "An email of a conversation" });

export const getEmailThread = operation({
  name: "get_email_thread",
  sampled: true,
  title: "Get a conversation",
  description:
    "A conversation, oldest email first, each with an excerpt of its own text. Use it on a thread_id from search_emails, " +
    "list_emails or get_email; then get_email on an email_id for the full text. include_body: false leaves the excerpts out. drafts are replies " +
    `in it that are not sent yet. ${untrusted}`,
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
    waiting_for: waitingForOutput,
    drafts: z.array(draftRecord).describe(
      "Replies in it that wait for approval, are scheduled or open, the newest last: at most 50, and as far as their texts fit",
    ),
    more_drafts: z.literal(true).optional().describe(
      "Present and true if older drafts were left off: list_drafts has them",
    ),
  }).meta({ id: "Thread", description: "A conversation, or a page of it" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  emailsIn: ({ thread }) => thread.length,
  fit: (output, maxChars) =>
    fitRows(withFewerDrafts(output, maxChars), "thread", maxChars, (kept) => {
      const { date, email_id } = kept.at(-1)!;
      return { has_more: true, next_cursor: encodeCursor([Date.parse(date), email_id]) };
    }),
  async run(service, caller, input, call) {
    const { longUrls } = call;
    const { userId } = caller;
    const after = input.cursor === undefined ? null : decodeCursor(input.cursor, ["number", "id"]);
    const [thread, visible] = await Promise.all([
      findThreadRow(service.database, userId, input.thread_id),
      visibleMailboxIds(service, caller),
    ]);
    const copies = new OwnCopies();
    const threadIds = [...thread.thread?.absorbing ?? [], thread.threadId];
    if (after) await noteBefore(service, userId, { threadIds, after, visible, copies });
    const [found, drafts] = await Promise.all([
      threadRows(service, userId, {
        ...thread,
        after,
        limit: input.limit + 1,
        wanted: (row) => visible.has(row.mailboxId) && !copies.take(row),
        mostChars: pageBytes,
      }),
      openDrafts(service, userId, visible),
    ]);
    const read = rowsOfPage(found.slice(0, input.limit));
    const more = found.length > read.length;
    // Threads that are being merged are read one by one: a copy may have come before its message.
    const rows = read.filter((row) => !copies.take(row));
    if (rows.length === 0 && !after) throw notFound("thread");
    const last = read.at(-1);
    const maxChars = input.max_chars ?? call.maxChars;
    const ids = draftsAmong(drafts, threadIds);
    const textOf = ({ parsed }: EmailRow) =>
      longUrls === "short" ? shortenUrls(parsed?.excerpt ?? "", []) : parsed?.excerpt ?? "";
    const [shown, statuses, replies, waiting_for] = await Promise.all([
      input.include_body ? shownRows(service, userId, rows) : rows,
      sendStatuses(service.database, userId, rows),
      shownDrafts(service, caller, ids, { reserve: call.reserve, maxChars }),
      turnOf(service, userId, { threadIds, visible, all: more || after ? null : rows }),
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
        ...deliveredTo(copies, row),
      })),
      has_more: more,
      next_cursor: more && last ? encodeCursor([last.date, last.emailId]) : null,
      waiting_for,
      drafts: replies,
      ...replies.length < ids.length && { more_drafts: true as const },
    };
  },
});

function deliveredTo(copies: OwnCopies, row: EmailRow) {
  const delivered = copies.of(row);
  if (delivered.length === 0) return {};
  return {
    delivered_to: delivered.map(({ mailboxId, emailId }) => ({
      ...{ mailbox_id: mailboxId, email_id: emailId },
    })),
  };
}

/** Rows with the date of the last one before a page: the copies of these may come on the page. */
const maxNoted = 100;

/** Notes the sent messages before a page whose copies may come on it: both have the same date, as both have the same bytes. */
async function noteBefore(
  { database }: Pick<Service, "database">,
  userId: string,
  { threadIds, after: [date, emailId], visible, copies }: {
    threadIds: readonly string[];
    after: readonly [number, string];
    visible: ReadonlySet<string>;
    copies: OwnCopies;
  },
): Promise<void> {
  for (const id of threadIds) {
    const prefix = keys.emailsByThread(userId, id);
    const selector = { start: [...prefix, date], end: [...prefix, date, `${emailId}\u0000`] };
    const places = await database.collect(selector, { reverse: true, limit: maxNoted });
    const rows = await rowsByIds(database, userId, places.map(({ key }) => String(key.at(-1))));
    for (const row of rows) if (visible.has(row.mailboxId)) copies.take(row);
  }
}

/** The answer with the newest drafts that have at most half of the characters. */
function withFewerDrafts<O extends { drafts: readonly object[]; more_drafts?: true }>(
  output: O,
  maxChars: number,
): O {
  let left = maxChars / 2, first = output.drafts.length;
  while (first > 0 && (left -= jsonChars(output.drafts[first - 1]) + 1) >= 0) first--;
  if (first === 0) return output;
  return { ...output, drafts: output.drafts.slice(first), more_drafts: true };
}

/** The first of the rows, at least one, whose recipients have the size of a page. */
function rowsOfPage(rows: EmailRow[]): EmailRow[] {
  let chars = 0;
  const end = rows.findIndex((row) => (chars += charsOf(row)) > pageBytes);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
