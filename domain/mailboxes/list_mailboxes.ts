import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import type { Caller } from "../core/caller.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { readStats } from "./mailbox_stats.ts";
import { visibleMailboxes } from "./visible_mailboxes.ts";
import { type Mailbox, mailboxRecord, mailboxRecordOf } from "./mailbox.ts";

/** Of received mail. */
const counts = {
  email_count: z.number().int(),
  last_email_date: timestampField.nullable(),
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

/** `GET /api/mailboxes`. */
export const listCountedMailboxes = operation({
  name: "list_counted_mailboxes",
  title: "List mailboxes with counts",
  description:
    "The account's mailboxes, each with how much mail it has received, and when the last.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(
      mailboxRecord.extend(counts).meta({ id: "CountedMailbox" }),
    ),
  }),
  errors: [],
  async run(service, caller) {
    const mailboxes = await visibleMailboxes(service, caller);
    const counted = await countsOf(service, caller, mailboxes);
    return { mailboxes: mailboxes.map((each, i) => ({ ...mailboxRecordOf(each), ...counted[i] })) };
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
      ...counts,
    })),
  }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    const mailboxes = await visibleMailboxes(service, caller);
    const counted = await countsOf(service, caller, mailboxes);
    return {
      mailboxes: mailboxes.map((each, i) => ({
        mailbox_id: each.mailboxId,
        email_address: each.address,
        domain: each.domain,
        status: "active" as const,
        ...counted[i],
      })),
    };
  },
});

async function countsOf(service: Service, { userId }: Caller, mailboxes: readonly Mailbox[]) {
  const ids = mailboxes.map(({ mailboxId }) => mailboxId);
  const stats = await readStats(service.database, userId, ids);
  return stats.map((each) => ({
    email_count: each?.emails ?? 0,
    last_email_date: each ? isoTime(each.lastEmailAt) : null,
  }));
}
