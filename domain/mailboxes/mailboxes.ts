import { z } from "zod";
import { namespaceOf } from "../accounts/user.ts";
import { isoTime } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { MailboxStats } from "../mail/store_email.ts";
import { type Caller, operation, seesMailbox } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/**
 * An address that receives (SPEC.md, Mailbox), as stored under its owner. A deleted mailbox has no row,
 * from the commit that deletes it on: that is what hides its mail everywhere.
 */
export interface Mailbox {
  mailboxId: string;
  userId: string;
  address: string;
  domain: string;
  createdAt: number;
}

/** What a rename answers of a mailbox. */
export const shortMailboxRecord = z.object({
  mailbox_id: z.string(),
  email_address: z.string(),
  domain: z.string(),
  status: z.literal("active"),
});

/** SPEC.md, Mailbox. */
export const mailboxRecord = shortMailboxRecord.extend({
  namespace: z.string(),
  created_at: z.string(),
});

export function shortMailboxRecordOf(mailbox: Mailbox): z.input<typeof shortMailboxRecord> {
  return {
    mailbox_id: mailbox.mailboxId,
    email_address: mailbox.address,
    domain: mailbox.domain,
    status: "active",
  };
}

export function mailboxRecordOf(mailbox: Mailbox): z.input<typeof mailboxRecord> {
  return {
    ...shortMailboxRecordOf(mailbox),
    namespace: namespaceOf(mailbox.userId),
    created_at: isoTime(mailbox.createdAt),
  };
}

/** The caller's mailbox, or NOT_FOUND: unknown, foreign, deleted, or hidden from the caller's key. */
export async function readMailbox(
  store: Pick<Tx, "get">,
  caller: Caller,
  mailboxId: string,
): Promise<Mailbox> {
  const mailbox = seesMailbox(caller, mailboxId)
    ? await store.get<Mailbox>(keys.mailbox(caller.userId, mailboxId))
    : null;
  if (!mailbox) throw notFound("mailbox");
  return mailbox;
}

/** The caller's mailboxes that its key may see, oldest first. */
export async function visibleMailboxes(service: Service, caller: Caller): Promise<Mailbox[]> {
  const rows = await service.entries.remembered<Mailbox>(keys.mailboxes(caller.userId));
  return rows.map((row) => row.value).filter((each) => seesMailbox(caller, each.mailboxId))
    .sort((a, b) => a.createdAt - b.createdAt || (a.mailboxId < b.mailboxId ? -1 : 1));
}

/** `GET /v1/api/mailboxes`. */
export const listMailboxRecords = operation({
  name: "list_mailbox_records",
  title: "List mailboxes",
  description: "The account's mailboxes.",
  scope: "mailboxes:read",
  input: z.object({}),
  output: z.object({ mailboxes: z.array(mailboxRecord) }),
  errors: [],
  async run(service, caller) {
    return { mailboxes: (await visibleMailboxes(service, caller)).map(mailboxRecordOf) };
  },
});

/** The tool: records with what has arrived (SPEC.md, MCP). */
export const listMailboxes = operation({
  name: "list_mailboxes",
  title: "List mailboxes",
  description:
    "Your mailboxes: the email addresses that receive mail for you. Call it first: mailbox_id limits search_emails and list_emails to one mailbox and says " +
    "where send_email sends from. email_count and last_email_date count received mail.",
  scope: "mailboxes:read",
  input: z.object({}),
  output: z.object({
    mailboxes: z.array(z.object({
      mailbox_id: z.string(),
      email_address: z.string(),
      domain: z.string(),
      status: z.literal("active"),
      email_count: z.number().int(),
      last_email_date: z.string().nullable(),
    })),
  }),
  errors: ["FORBIDDEN"],
  async run(service, caller) {
    const mailboxes = await visibleMailboxes(service, caller);
    const stats = await service.entries.getMany<MailboxStats>(
      mailboxes.map((each) => keys.mailboxStats(caller.userId, each.mailboxId)),
    );
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
