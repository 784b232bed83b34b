import type { EmailRow } from "../record/email_row.ts";

/** The fields by which the copy of a sent email is known. */
export type Compared = Pick<
  EmailRow,
  "emailId" | "mailboxId" | "direction" | "messageId" | "from" | "size" | "auth" | "importId"
>;

/**
 * Whether a received email is the copy that a mailbox of the account got of the sent one. A Message-ID is no secret: mail
 * that came in has its author checked and as many bytes, imported mail is the owner's.
 */
function isCopy(sent: Compared, row: Compared): boolean {
  return row.direction === "inbound" && row.messageId === sent.messageId &&
    row.from.address.toLowerCase() === sent.from.address.toLowerCase() &&
    (row.importId !== undefined || (row.size === sent.size && row.auth?.verdict === "pass"));
}

/** A message between mailboxes of the account is one item of a conversation: the sent email, which knows its copies. */
export class OwnCopies {
  private readonly sent = new Map<string, { email: Compared; copies: Compared[] }>();

  /** Notes an email. True for a copy of a sent one that was noted: it is no item. */
  take(row: Compared): boolean {
    const known = this.sent.get(row.messageId);
    if (row.direction === "outbound") {
      if (!known) this.sent.set(row.messageId, { email: row, copies: [] });
      return false;
    }
    if (!known || !isCopy(known.email, row)) return false;
    if (!known.copies.some(({ emailId }) => emailId === row.emailId)) known.copies.push(row);
    return true;
  }

  /** The copies of a sent email. */
  of({ emailId, messageId }: Pick<Compared, "emailId" | "messageId">): readonly Compared[] {
    const known = this.sent.get(messageId);
    return known?.email.emailId === emailId ? known.copies : [];
  }
}
