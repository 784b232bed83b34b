import { z } from "zod";
import { type Caller, seesMailbox } from "../core/caller.ts";
import { isoTime, timestampField } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { emailId } from "../core/email_id.ts";
import { notFound } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { AuditEntry } from "./entry.ts";
import { readAudit } from "./read_audit.ts";

const auditRecord = z.object({
  audit_id: z.string(),
  at: timestampField.describe("When the call began"),
  actor: z.union([
    z.strictObject({ key_id: z.string() }),
    z.strictObject({ grant_id: z.string() }),
    z.strictObject({ session: z.string(), member_id: z.string() }),
  ]).describe("The key, the grant of an app, or the id of the session and its person"),
  surface: z.enum(["rest", "mcp", "smtp"]),
  action: z.string().describe(
    "The operation, the same over all; named as its tool, if it has one",
  ),
  mailbox_id: z.string().nullable().describe(
    "The mailbox of the email, or the one in the request; else null",
  ),
  email_id: emailId.nullable().describe(
    "The email that was read, sent or changed; null for lists, searches, threads and batches",
  ),
  count: z.int().nullable().describe(
    "How many emails the answer has; of a change how many it changed, or null if none",
  ),
}).meta({ id: "AuditRow", description: "One call that read, sent or changed something" });

export const listAudit = operation({
  name: "list_audit",
  title: "List the audit",
  description:
    "Who read, searched, sent or changed what in the account, newest first: one row for each call " +
    "that succeeded, over REST, MCP and SMTP submission. Kept for 90 days. A row " +
    "of a read appears within 2 s. A page may have fewer rows than `limit`, or none, and still a next_cursor.",
  scope: "audit:read",
  audit: "none",
  input: z.object({
    email_id: emailId.optional().describe("Only calls about this email"),
    key_id: z.string().max(100).optional().describe("Only calls with this API key"),
    grant_id: z.string().max(100).optional().describe("Only calls of this app, by its grant"),
    action: z.string().max(100).optional().describe(
      "Only calls of this operation, such as get_email",
    ),
    limit: z.int().min(1).max(100).default(50).describe("Rows a page, 1 to 100"),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    rows: z.array(auditRecord),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run({ database, clock }, caller, input) {
    const { email_id, key_id, grant_id, action, limit, cursor } = input;
    const before = cursor === undefined ? null : decodeCursor(cursor, ["id"])[0];
    const passes = (entry: AuditEntry) =>
      isVisible(caller, entry) &&
      (email_id === undefined || entry.emailId === email_id) &&
      (action === undefined || entry.action === action) &&
      (key_id === undefined || ("keyId" in entry.actor && entry.actor.keyId === key_id)) &&
      (grant_id === undefined || ("grantId" in entry.actor && entry.actor.grantId === grant_id));
    const page = await readAudit(database, caller.userId, {
      before,
      limit,
      now: clock.now(),
      passes,
    });
    // The rows of a deleted email stay.
    const isKnown = email_id === undefined || page.entries.length > 0 || before !== null ||
      await isOwnEmail(database, caller, email_id);
    if (!isKnown) throw notFound("email");
    return {
      rows: page.entries.map((entry) => recordOf(entry, caller)),
      has_more: page.hasMore,
      next_cursor: page.hasMore && page.last !== null ? encodeCursor([page.last]) : null,
    };
  },
});

/** A key that is limited to mailboxes sees the calls about these alone. */
function isVisible(caller: Caller, { mailboxId }: AuditEntry): boolean {
  return mailboxId === null ? !caller.mailboxIds : seesMailbox(caller, mailboxId);
}

async function isOwnEmail(
  database: Database,
  { userId, mailboxIds }: Caller,
  id: string,
): Promise<boolean> {
  const rows = mailboxIds?.map((mailboxId) => keys.emailByMailbox(userId, mailboxId, id)) ??
    [keys.email(userId, id)];
  return (await database.getMany(rows)).some((row) => row !== null);
}

function recordOf(entry: AuditEntry, { userId }: Caller): z.input<typeof auditRecord> {
  const { actor } = entry;
  return {
    audit_id: entry.auditId,
    at: isoTime(entry.at),
    actor: "keyId" in actor
      ? { key_id: actor.keyId }
      : "grantId" in actor
      ? { grant_id: actor.grantId }
      : { session: actor.sessionId, member_id: actor.memberId ?? userId },
    surface: entry.surface,
    action: entry.action,
    mailbox_id: entry.mailboxId,
    email_id: entry.emailId,
    count: entry.count,
  };
}
