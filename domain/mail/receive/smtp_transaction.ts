import type { Room } from "../../billing/usage.ts";
import { largestPossibleEmailBytes } from "../../core/plans.ts";
import type { SenderLists } from "../../mailboxes/policy/sender_lists.ts";

/** A mailbox that would take mail, and what can make it refuse the message after DATA. */
export interface Taker {
  userId: string;
  mailboxId: string;
  /** null: no limit. */
  maxEmailBytes: number | null;
  room: Room;
  lists: SenderLists;
}

/**
 * The recipients of one SMTP transaction. They share one reply after DATA, and no report goes back, because senders are
 * forged: a mailbox that refused what the others take would lose the message in silence. So one transaction has only
 * mailboxes that answer alike. The sender repeats the others in its next one (RFC 5321 4.5.3.1.10).
 */
export class SmtpTransaction {
  private readonly mailboxes = new Map<string, Set<string>>();
  private rules: string | null = null;
  private isAlone = false;
  /** The largest message that every recipient takes. */
  maxBytes = largestPossibleEmailBytes;

  /** `declaredSize`: SIZE of MAIL FROM (RFC 1870), 0 if none. */
  constructor(private readonly declaredSize: number) {}

  /**
   * Adds a mailbox; false if it must wait for another transaction. Two mailboxes answer alike if they have the same sender
   * lists (From is known after DATA), the same largest size unless the size is declared, and room for all of this
   * transaction in their accounts. One whose account may have too little room is alone.
   */
  add({ userId, mailboxId, maxEmailBytes, room, lists }: Taker): boolean {
    const own = this.mailboxes.get(userId) ?? new Set();
    if (own.has(mailboxId)) return true;
    const largest = maxEmailBytes ?? largestPossibleEmailBytes;
    const { allowSenders, blockSenders } = lists;
    const rules = JSON.stringify([allowSenders, blockSenders, this.declaredSize ? null : largest]);
    const count = own.size + 1;
    const fits = count <= room.emails && count * (this.declaredSize || largest) <= room.bytes;
    if (this.rules === null) this.isAlone = !fits;
    else if (this.isAlone || !fits || rules !== this.rules) return false;
    this.rules = rules;
    this.maxBytes = Math.min(this.maxBytes, largest);
    this.mailboxes.set(userId, own.add(mailboxId));
    return true;
  }

  /** Adds the envelope sender of a sent email: the content decides what becomes of mail to it, so it is alone. */
  addReturnPath(address: string): boolean {
    if (this.rules === null) this.isAlone = true;
    else if (this.rules !== address) return false;
    this.rules = address;
    return true;
  }
}
