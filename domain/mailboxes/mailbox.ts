import { z } from "zod";
import { namespaceOf } from "../accounts/user.ts";
import { isoTime, timestampField } from "../core/clock.ts";

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
}).meta({ id: "RenamedMailbox" });

/** SPEC.md, Mailbox. */
export const mailboxRecord = shortMailboxRecord.extend({
  namespace: z.string(),
  created_at: timestampField,
}).meta({ id: "Mailbox" });

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
