import { z } from "zod";
import { namespaceOf } from "../accounts/user.ts";
import { isoTime, timestampField } from "../core/clock.ts";

/**
 * An address that receives mail, as stored under its owner. The commit that deletes a mailbox removes its row: this hides
 * its mail everywhere.
 */
export interface Mailbox {
  mailboxId: string;
  userId: string;
  address: string;
  domain: string;
  createdAt: number;
  /** It has a MailboxProfile, in a row of its own. */
  hasProfile?: true;
}

/** The fields of a mailbox that a rename returns. */
export const shortMailboxRecord = z.object({
  mailbox_id: z.string().describe("A UUID"),
  email_address: z.string(),
  domain: z.string(),
  status: z.literal("active"),
}).meta({ id: "RenamedMailbox" });

/** docs/specification.md "Mailboxes". */
export const mailboxRecord = shortMailboxRecord.extend({
  namespace: z.string().describe("That of the account: ns_ and its userId"),
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
