import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import type { Caller } from "../core/caller.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { type MailboxStats, readStats } from "./mailbox_stats.ts";
import { visibleMailboxes } from "./visible_mailboxes.ts";
import {
  type Mailbox,
  mailboxRecord,
  mailboxRecordOf,
  shortMailboxRecord,
  shortMailboxRecordOf,
} from "./mailbox.ts";

/** Of received mail. */
export const counts = {
  email_count: z.number().int().describe("Of received mail"),
  last_email_date: timestampField.nullable().describe("Of received mail"),
};

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
    "Your mailboxes: the email addresses that receive mail for you. Call it first: mailbox_id limits search_emails and list_emails to one mailbox and is " +
    "what send_email sends from. email_count and last_email_date count received mail.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(shortMailboxRecord.extend(counts)),
  }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    return { mailboxes: await counted(service, caller, shortMailboxRecordOf) };
  },
});

/** The mailboxes that the caller sees, as `recordOf` shows them, with their counts. */
export async function counted<Shown>(
  service: Service,
  caller: Caller,
  recordOf: (mailbox: Mailbox, stats: MailboxStats | null) => Shown,
) {
  const mailboxes = await visibleMailboxes(service, caller);
  const ids = mailboxes.map(({ mailboxId }) => mailboxId);
  const stats = await readStats(service.database, caller.userId, ids);
  return mailboxes.map((each, i) => ({
    ...recordOf(each, stats[i]),
    email_count: stats[i]?.emails ?? 0,
    // Of a mailbox that has only sent mail it is 0.
    last_email_date: stats[i]?.lastEmailAt ? isoTime(stats[i].lastEmailAt) : null,
  }));
}
