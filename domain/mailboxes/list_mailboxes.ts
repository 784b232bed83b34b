import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { operation } from "../core/operation.ts";
import { readStats } from "./mailbox_stats.ts";
import { visibleMailboxes } from "./visible_mailboxes.ts";
import { mailboxRecord, mailboxRecordOf } from "./mailbox.ts";

/** `GET /v1/api/mailboxes`. */
export const listMailboxRecords = operation({
  name: "list_mailboxes",
  title: "List mailboxes",
  description: "The account's mailboxes.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({}),
  output: z.object({ mailboxes: z.array(mailboxRecord) }),
  errors: [],
  async run(service, caller) {
    return { mailboxes: (await visibleMailboxes(service, caller)).map(mailboxRecordOf) };
  },
});

/** The tool: records with counts of received mail (docs/specification.md "MCP"). */
export const listMailboxes = operation({
  name: "list_mailboxes",
  title: "List mailboxes",
  description:
    "Your mailboxes: the email addresses that receive mail for you. Call it first: mailbox_id limits search_emails and list_emails to one mailbox and says " +
    "where send_email sends from. email_count and last_email_date count received mail.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(z.object({
      mailbox_id: z.string(),
      email_address: z.string(),
      domain: z.string(),
      status: z.literal("active"),
      email_count: z.number().int(),
      last_email_date: timestampField.nullable(),
    })),
  }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    const mailboxes = await visibleMailboxes(service, caller);
    const ids = mailboxes.map(({ mailboxId }) => mailboxId);
    const stats = await readStats(service.database, caller.userId, ids);
    return {
      mailboxes: mailboxes.map((each, i) => ({
        mailbox_id: each.mailboxId,
        email_address: each.address,
        domain: each.domain,
        status: "active" as const,
        email_count: stats[i]?.emails ?? 0,
        last_email_date: stats[i] ? isoTime(stats[i].lastEmailAt) : null,
      })),
    };
  },
});
